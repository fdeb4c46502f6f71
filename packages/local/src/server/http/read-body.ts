import type { IncomingMessage } from 'node:http'
import { badRequest, tooLarge, unsupportedMediaType } from '../failures.ts'
import { checkDepth } from './check-depth.ts'

/** As kube-apiserver. */
const BODY_LIMIT_BYTES: number = 3 * 1024 * 1024

const YAML = new Set(['application/yaml', 'application/apply-patch+yaml'])
const PROTOBUF = 'application/vnd.kubernetes.protobuf'
const ACCEPTED = ['application/json', 'application/yaml', PROTOBUF]

/** The body as a JSON value; `undefined` when there is none. Throws `ApiFailure` 400, 413 or 415. */
export async function readBody(request: IncomingMessage): Promise<unknown> {
  const bytes = await readBytes(request)
  if (bytes.length === 0) return undefined
  const type = (request.headers['content-type'] ?? 'application/json').split(';', 1)[0]?.trim().toLowerCase() ?? ''
  if (type === PROTOBUF) return (await import('./protobuf/decode-protobuf.ts')).decodeProtobuf(bytes)
  const yaml = YAML.has(type)
  if (!yaml && type !== 'application/json' && !type.endsWith('+json') && type !== '*/*') {
    throw unsupportedMediaType(ACCEPTED)
  }
  const text = decode(bytes)
  checkDepth(text)
  try {
    return JSON.parse(text)
  } catch (cause) {
    if (yaml) return parseYaml(text)
    const message = cause instanceof Error ? cause.message : String(cause)
    throw badRequest(
      request.method === 'PATCH'
        ? `error decoding patch: ${message}`
        : `the object provided is unrecognized: couldn't get version/kind; json parse error: ${message}`,
      cause,
    )
  }
}

async function readBytes(request: IncomingMessage): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > BODY_LIMIT_BYTES) throw tooLarge(BODY_LIMIT_BYTES)
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > BODY_LIMIT_BYTES) throw tooLarge(BODY_LIMIT_BYTES)
    chunks.push(chunk)
  }
  return chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw badRequest('the body of the request is not UTF-8', cause)
  }
}

async function parseYaml(text: string): Promise<unknown> {
  const { parse } = await import('yaml')
  try {
    return parse(text, { maxAliasCount: 100 })
  } catch (cause) {
    throw badRequest(`error parsing YAML: ${cause instanceof Error ? cause.message : String(cause)}`, cause)
  }
}
