import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import type { KubeObject } from '@trainjob/kube'
import { type ApiResponse, type EventBatch, type ListBody, wholeList } from '../api-response.ts'
import type { ApiServer } from '../api-server.ts'
import type { JsonEncoder } from './json-encoder.ts'
import { bareList } from './present.ts'

const JSON_TYPE = 'application/json'
/** Members of a list that are sent with their length, in one piece. */
const SHORT_LIST = 50
/** Characters of a list that are encoded before the event loop turns: about a millisecond. */
const PIECE_LENGTH = 128 << 10
/** Events that are encoded before the event loop turns. */
const EVENTS_PIECE = 100

/** What answers need on their way out. */
export interface Delivery {
  readonly encoder: JsonEncoder
  /** Waited for before events are sent: nobody outside sees what a crash could undo. */
  readonly apiServer: Pick<ApiServer, 'settled'>
}

/** Writes an answer. Resolves when it is sent or its reader is gone. */
export async function writeResponse(
  { status, headers, body }: ApiResponse,
  response: ServerResponse,
  delivery: Delivery,
  gzip: boolean = false,
): Promise<void> {
  const head: Record<string, string | number> = {}
  for (const name in headers) head[name] = headerText(headers[name] as string)
  switch (body.type) {
    case 'none':
      response.writeHead(status, head).end()
      return
    case 'text':
      return writeBytes(
        Buffer.from(body.text),
        status,
        { 'content-type': 'text/plain; charset=utf-8', ...head },
        response,
        gzip,
      )
    case 'json': {
      head['content-type'] ??= JSON_TYPE
      const list = body.bareItems === true ? bareList(body.value) : longList(body.value)
      if (list !== undefined && list.objects.length > SHORT_LIST) return writeList(list, status, head, response, gzip)
      const value = list === undefined ? body.value : wholeList(list)
      const text = isStored(value) ? delivery.encoder.text(value) : JSON.stringify(value)
      return writeBytes(Buffer.from(text), status, head, response, gzip)
    }
    case 'list':
      head['content-type'] ??= JSON_TYPE
      return writeList(body, status, head, response, gzip)
    case 'bytes':
      response.writeHead(status, head)
      response.flushHeaders()
      await send(body.chunks, response)
      return
    case 'events':
      response.writeHead(status, { 'content-type': JSON_TYPE, ...head })
      response.flushHeaders()
      await send(linesOf(body.batches, delivery), response)
  }
}

/** One write for all events of a turn of the event loop. */
async function* linesOf(
  batches: AsyncIterable<EventBatch>,
  { encoder, apiServer }: Delivery,
): AsyncGenerator<Uint8Array> {
  for await (const batch of batches) {
    await nextTurn()
    const events = batch.take()
    await apiServer.settled()
    for (let start = 0; start < events.length; start += EVENTS_PIECE) {
      if (start > 0) await nextTurn()
      yield encoder.lines(
        start === 0 && events.length <= EVENTS_PIECE ? events : events.slice(start, start + EVENTS_PIECE),
      )
    }
  }
}

async function send(parts: AsyncIterable<string | Uint8Array>, response: ServerResponse): Promise<void> {
  for await (const part of parts) {
    if (response.destroyed) break
    if (!response.write(part)) await drained(response)
  }
  response.end()
}

/** A reader that goes never drains. */
async function drained(response: ServerResponse): Promise<void> {
  const gone = new AbortController()
  const onClose = () => gone.abort()
  response.once('close', onClose)
  try {
    await once(response, 'drain', { signal: gone.signal })
  } catch (error) {
    if (!gone.signal.aborted) throw error
  } finally {
    response.off('close', onClose)
  }
}

/** An object of the store, which others will be sent, too. */
function isStored(value: unknown): value is KubeObject {
  return (value as Partial<KubeObject> | null)?.metadata?.uid !== undefined
}

/** A list that holds too much to be encoded at once. */
function longList(value: unknown): ListBody | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { items, ...head } = value as { items?: unknown }
  if (!Array.isArray(items) || items.length <= SHORT_LIST) return undefined
  return { type: 'list', head, field: 'items', objects: items, member: (object) => object }
}

async function writeList(
  { head, field, objects, member }: ListBody,
  status: number,
  headers: Record<string, string | number>,
  response: ServerResponse,
  gzip: boolean,
): Promise<void> {
  const around = JSON.stringify({ ...head, [field]: [] })
  const parts = partsOf(around.slice(0, around.lastIndexOf(']')), objects, member)
  if (!gzip) {
    response.writeHead(status, headers)
    await send(parts, response)
    return
  }
  response.writeHead(status, { ...headers, ...GZIP })
  const { createGzip } = await import('node:zlib')
  // packed by other threads
  await send(Readable.from(parts).pipe(createGzip({ level: GZIP_LEVEL })), response)
}

/** Less is not worth packing (as kube-apiserver). */
const GZIP_FROM_BYTES = 128 * 1024
const GZIP_LEVEL = 1
const GZIP = { 'content-encoding': 'gzip', vary: 'Accept-Encoding' } as const

async function writeBytes(
  bytes: Buffer,
  status: number,
  headers: Record<string, string | number>,
  response: ServerResponse,
  gzip: boolean,
): Promise<void> {
  if (!gzip || bytes.length < GZIP_FROM_BYTES) {
    response.writeHead(status, { ...headers, 'content-length': bytes.length }).end(bytes)
    return
  }
  const zlib = await import('node:zlib')
  const packed = await promisify(zlib.gzip)(bytes, { level: GZIP_LEVEL })
  response.writeHead(status, { ...headers, ...GZIP, 'content-length': packed.length }).end(packed)
}

async function* partsOf(
  opening: string,
  objects: ListBody['objects'],
  member: ListBody['member'],
): AsyncGenerator<string> {
  let piece = opening
  for (let index = 0; index < objects.length; index++) {
    if (index > 0) piece += ','
    piece += JSON.stringify(member(objects[index] as KubeObject))
    if (piece.length < PIECE_LENGTH) continue
    yield piece
    piece = ''
    await nextTurn()
  }
  yield `${piece}]}`
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

/** Header values are bytes: UTF-8 as the real server sends it. */
function headerText(value: string): string {
  return Buffer.from(value).toString('latin1')
}
