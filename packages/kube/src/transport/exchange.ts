import { childSignal } from '../child-signal.ts'
import type { Clock } from '../clock.ts'
import { ConnectionError, KubeError } from '../error.ts'
import { sleep } from '../sleep.ts'
import { notJson } from '../status.ts'
import type { Transport, TransportRequest, TransportResponse } from '../transport.ts'
import { explainFailure, isCut } from './explain-failure.ts'
import { jsonLines } from './json-lines.ts'
import { retryAfterMs } from './retry.ts'

/** An answer as it comes from the network. */
export interface WireResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: AsyncIterable<Uint8Array> & { once(event: 'close', listener: () => void): unknown }
  text(): Promise<string>
  /** Reads what is left and forgets it, so that the connection can be used again. */
  dump(): Promise<void>
}

/** How one request goes out and its answer comes in, once. */
export interface Wire {
  /** What is talked to, as errors name it. */
  readonly origin: string
  /** Rejects with what the network said. */
  send(request: TransportRequest, body: string | undefined, signal: AbortSignal): Promise<WireResponse>
  /** The server refused the credentials: is there reason to try again? */
  refreshCredentials(): boolean
}

/** What all transports over a network share: which calls are sent again, and what failures are called. */
export interface Exchange extends Pick<Transport, 'request'> {
  /** Ends all calls, those to come included. */
  close(): void
}

/**
 * Sends a call again by itself only when that is safe: after `Retry-After`, after a 401 with fresh credentials, and a
 * read whose connection was cut before the answer. Rejects with `ConnectionError`.
 */
export function createExchange(wire: Wire, clock: Clock): Exchange {
  const closing = new AbortController()

  async function sendOnce(request: TransportRequest, body: string | undefined): Promise<WireResponse> {
    if (closing.signal.aborted) throw closing.signal.reason
    const own = childSignal(request.signal)
    const onClose = () => own.abort(closing.signal.reason)
    closing.signal.addEventListener('abort', onClose, { once: true })
    const release = () => {
      own.release()
      closing.signal.removeEventListener('abort', onClose)
    }
    try {
      const response = await wire.send(request, body, own.signal)
      response.body.once('close', release)
      return response
    } catch (error) {
      release()
      throw failureOf(request, error)
    }
  }

  function failureOf(request: TransportRequest, error: unknown): unknown {
    if (request.signal?.aborted || error instanceof KubeError) return error
    if (closing.signal.aborted) return closing.signal.reason
    return explainFailure(`${wire.origin}${request.path}`, error)
  }

  function responseOf(request: TransportRequest, response: WireResponse): TransportResponse {
    async function* chunks(): AsyncGenerator<Uint8Array> {
      try {
        for await (const chunk of response.body) yield chunk
      } catch (error) {
        throw failureOf(request, error)
      }
    }
    async function text(): Promise<string> {
      try {
        return await response.text()
      } catch (error) {
        throw failureOf(request, error)
      }
    }
    return {
      status: response.status,
      headers: headersOf(response.headers),
      text,
      async json() {
        const read = await text()
        try {
          return JSON.parse(read) as unknown
        } catch (error) {
          throw notJson(wire.origin, read, error)
        }
      },
      chunks,
      events: () => jsonLines(chunks()),
    }
  }

  /** A read whose kept-alive connection was cut by the server before the answer is sent once more. */
  async function sendOrResend(request: TransportRequest, body: string | undefined): Promise<WireResponse> {
    try {
      return await sendOnce(request, body)
    } catch (error) {
      const safe = request.method === 'GET' && error instanceof ConnectionError && isCut(error)
      if (!safe || closing.signal.aborted) throw error
      return sendOnce(request, body)
    }
  }

  return {
    async request(request) {
      const body = request.body === undefined ? undefined : JSON.stringify(request.body)
      let renewed = false
      for (let tries = 1; ; tries++) {
        const response = await sendOrResend(request, body)
        const { status } = response
        const wait = retryAfterMs(request, { status, retryAfter: response.headers['retry-after'] }, tries)
        const renew = status === 401 && !renewed && wire.refreshCredentials()
        if (!renew && wait === undefined) return responseOf(request, response)
        await response.dump()
        if (renew) renewed = true
        if (wait !== undefined) await sleep(clock, wait, request.signal ?? closing.signal)
        if (request.signal?.aborted) throw request.signal.reason
      }
    },
    close() {
      closing.abort(new ConnectionError('the client has been closed'))
    },
  }
}

/** Path and query of a request, escaped. */
export function targetOf({ path, query }: TransportRequest): string {
  const text = query === undefined ? '' : new URLSearchParams(query).toString()
  return text === '' ? path : `${path}?${text}`
}

function headersOf(headers: WireResponse['headers']): Record<string, string> {
  const joined: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) joined[name] = Array.isArray(value) ? value.join(', ') : value
  }
  return joined
}
