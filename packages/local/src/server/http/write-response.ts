import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { ApiResponse, ServerEvent } from '../api-response.ts'
import type { ApiServer } from '../api-server.ts'

const JSON_TYPE = 'application/json'
/** Items of a list that are encoded before the event loop turns. */
const LIST_PAGE = 250

/** What events need on their way out. */
export interface EventDelivery {
  readonly encodeEvent: (event: ServerEvent) => string
  /** Waited for before events are sent: nobody outside sees what a crash could undo. */
  readonly apiServer: Pick<ApiServer, 'settled'>
}

/** Writes an answer. Resolves when it is sent or its reader is gone. */
export async function writeResponse(
  { status, headers, body }: ApiResponse,
  response: ServerResponse,
  delivery: EventDelivery,
): Promise<void> {
  const head = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, headerText(value)]))
  switch (body.type) {
    case 'none':
      response.writeHead(status, head).end()
      return
    case 'text':
      response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', ...head }).end(body.text)
      return
    case 'json': {
      const field = longList(body.value)
      if (field !== undefined) return writeList(body.value as object, field, status, head, response)
      const text = Buffer.from(JSON.stringify(body.value))
      response.writeHead(status, { 'content-type': JSON_TYPE, 'content-length': text.length, ...head }).end(text)
      return
    }
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

/** One write for all events that wait. */
async function* linesOf(
  batches: AsyncIterable<readonly ServerEvent[]>,
  { encodeEvent, apiServer }: EventDelivery,
): AsyncGenerator<string> {
  for await (const batch of batches) {
    await apiServer.settled()
    for (let start = 0; start < batch.length; start += LIST_PAGE) {
      if (start > 0) await nextTurn()
      yield batch
        .slice(start, start + LIST_PAGE)
        .map(encodeEvent)
        .join('')
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

/** The field of a list or a table that holds too much to be encoded at once. */
function longList(value: unknown): 'items' | 'rows' | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  return LIST_FIELDS.find((field) => {
    const items = (value as Record<string, unknown>)[field]
    return Array.isArray(items) && items.length > LIST_PAGE
  })
}

const LIST_FIELDS = ['items', 'rows'] as const

async function writeList(
  list: object,
  field: (typeof LIST_FIELDS)[number],
  status: number,
  headers: Record<string, string>,
  response: ServerResponse,
): Promise<void> {
  const { [field]: items, ...rest } = list as Record<string, readonly unknown[]>
  const around = JSON.stringify({ ...rest, [field]: [] })
  response.writeHead(status, { 'content-type': JSON_TYPE, ...headers })
  await send(partsOf(around.slice(0, around.lastIndexOf(']')), items ?? []), response)
}

async function* partsOf(opening: string, items: readonly unknown[]): AsyncGenerator<string> {
  yield opening
  for (let start = 0; start < items.length; start += LIST_PAGE) {
    if (start > 0) await nextTurn()
    const texts = items.slice(start, start + LIST_PAGE).map((item) => JSON.stringify(item))
    yield (start === 0 ? '' : ',') + texts.join(',')
  }
  yield ']}'
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

/** Header values are bytes: UTF-8 as the real server sends it. */
function headerText(value: string): string {
  return Buffer.from(value).toString('latin1')
}
