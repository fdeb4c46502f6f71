import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { type Duplicates, duplicatesInJson } from '../decode/duplicates.ts'
import { badRequest, tooLarge, unsupportedMediaType } from '../failures.ts'
import { checkDepth } from './check-depth.ts'

/** As kube-apiserver. */
const BODY_LIMIT_BYTES: number = 3 * 1024 * 1024

const YAML = new Set(['application/yaml', 'application/apply-patch+yaml'])
const PROTOBUF = 'application/vnd.kubernetes.protobuf'
const ACCEPTED = ['application/json', 'application/yaml', PROTOBUF]

/** A body as it was read. */
export interface ReadBody {
  /** A JSON value; `undefined` when there is none. */
  readonly value: unknown
  readonly duplicates?: Duplicates | undefined
}

/** Reads the body of a request. Throws `ApiFailure` 400, 413 or 415. */
export async function readBody(request: IncomingMessage): Promise<ReadBody> {
  const bytes = await readBytes(request)
  if (bytes.length === 0) return NOTHING
  const type = (request.headers['content-type'] ?? 'application/json').split(';', 1)[0]?.trim().toLowerCase() ?? ''
  if (type === PROTOBUF) return { value: (await import('./protobuf/decode-protobuf.ts')).decodeProtobuf(bytes) }
  const yaml = YAML.has(type)
  if (!yaml && type !== 'application/json' && !type.endsWith('+json') && type !== '*/*') {
    throw unsupportedMediaType(ACCEPTED)
  }
  const text = decode(bytes)
  checkDepth(text)
  try {
    const value: unknown = JSON.parse(text)
    const duplicates = duplicatesInJson(text, value)
    // an applied configuration is YAML to whoever reads it, and is told about in its words
    return { value, duplicates: yaml && duplicates !== undefined ? (await parseYaml(text)).duplicates : duplicates }
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

function readBytes(request: IncomingMessage): Promise<Buffer> | Buffer {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers
  if (encoding === undefined && (length === undefined || length === '0')) return NO_BYTES
  if (Number(length ?? 0) > BODY_LIMIT_BYTES) throw tooLarge(BODY_LIMIT_BYTES)
  // listeners cost a fraction of what iterating takes, and every write comes through here
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const take = (chunk: Buffer): void => {
      size += chunk.length
      if (size <= BODY_LIMIT_BYTES) chunks.push(chunk)
      else {
        request.off('data', take)
        request.pause()
        reject(tooLarge(BODY_LIMIT_BYTES))
      }
    }
    request.on('data', take)
    request.on('end', () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)))
    request.on('error', reject)
    request.on('close', () => {
      if (!request.complete) reject(new Error('the sender left in the middle of the body'))
    })
  })
}

const NO_BYTES = Buffer.alloc(0)
const NOTHING: ReadBody = { value: undefined }

function decode(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw badRequest('the body of the request is not UTF-8')
  const text = bytes.toString()
  return text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text
}

const BYTE_ORDER_MARK = 0xfeff

async function parseYaml(text: string): Promise<ReadBody> {
  const { isScalar, LineCounter, parseDocument, visit } = await import('yaml')
  const lines = new LineCounter()
  // the parser compares each key with all others of its map, for minutes where there are a hundred thousand
  const document = parseDocument(text, { uniqueKeys: false, lineCounter: lines })
  const [fault] = document.errors
  if (fault !== undefined) throw badRequest(`error parsing YAML: ${fault.message}`, fault)
  const warnings: string[] = []
  visit(document, {
    Map(_, { items }) {
      const seen = new Set<unknown>()
      for (const { key } of items) {
        if (!isScalar(key)) continue
        const { line } = lines.linePos(key.range?.[0] ?? 0)
        if (seen.has(key.value))
          warnings.push(`line ${line}: key ${JSON.stringify(String(key.value))} already set in map`)
        seen.add(key.value)
      }
    },
  })
  const duplicates =
    warnings.length === 0 ? undefined : { strict: `yaml: unmarshal errors:\n  ${warnings.join('\n  ')}`, warnings }
  try {
    return { value: document.toJS({ maxAliasCount: 100 }) as unknown, duplicates }
  } catch (cause) {
    throw badRequest(`error parsing YAML: ${cause instanceof Error ? cause.message : String(cause)}`, cause)
  }
}
