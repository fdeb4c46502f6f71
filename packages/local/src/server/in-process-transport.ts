import type { Transport, TransportRequest, TransportResponse } from '@trainjob/kube'
import { clone } from '../object/clone.ts'
import { type ApiResponse, type EventBatch, type ServerEvent, wholeList } from './api-response.ts'

/**
 * A transport to an API server in this process. Objects go out as they are stored, so nobody may change them; a body
 * that comes in is copied, because its owner may.
 */
export function inProcessTransport(handle: (request: TransportRequest) => Promise<ApiResponse>): Transport {
  return {
    async request(request) {
      const { body } = request
      const own = body === undefined ? request : { ...request, body: clone(body) }
      return asTransportResponse(await handle(own))
    },
    close: async () => {},
  }
}

function asTransportResponse({ status, headers, body }: ApiResponse): TransportResponse {
  return {
    status,
    headers,
    async json() {
      if (body.type === 'json') return body.value
      if (body.type === 'list') return wholeList(body)
      throw new TypeError(`the answer holds ${body.type}, not JSON`)
    },
    async text() {
      if (body.type === 'text') return body.text
      if (body.type === 'json') return JSON.stringify(body.value)
      if (body.type === 'list') return JSON.stringify(wholeList(body))
      if (body.type === 'none') return ''
      throw new TypeError(`the answer holds ${body.type}, not text`)
    },
    chunks() {
      if (body.type === 'bytes') return body.chunks
      if (body.type === 'none') return NO_CHUNKS
      throw new TypeError(`the answer holds ${body.type}, not bytes`)
    },
    events() {
      if (body.type === 'events') return flatten(body.batches)
      throw new TypeError(`the answer holds ${body.type}, not events`)
    },
  }
}

const NO_CHUNKS: AsyncIterable<Uint8Array> = {
  [Symbol.asyncIterator]: () => ({ next: async () => ({ done: true, value: undefined }) }),
}

/** One event at a time, without a turn of the loop between those that came together. */
function flatten(batches: AsyncIterable<EventBatch>): AsyncIterable<ServerEvent> {
  return {
    [Symbol.asyncIterator]() {
      const source = batches[Symbol.asyncIterator]()
      let batch: readonly ServerEvent[] = []
      let index = 0
      return {
        async next() {
          while (index >= batch.length) {
            const result = await source.next()
            if (result.done === true) return { done: true, value: undefined }
            batch = result.value.take()
            index = 0
          }
          return { done: false, value: batch[index++] as ServerEvent }
        },
        async return() {
          await source.return?.()
          return { done: true, value: undefined }
        },
      }
    },
  }
}
