import type { Dispatcher } from 'undici'
import { childSignal } from '../child-signal.ts'
import { type Clock, systemClock } from '../clock.ts'
import { ConnectionError, KubeError } from '../error.ts'
import { sleep } from '../sleep.ts'
import { notJson } from '../status.ts'
import type { Transport, TransportRequest, TransportResponse } from '../transport.ts'
import type { ClusterConfig, Credential } from './cluster-config.ts'
import { createDispatchers, type Dispatchers } from './dispatchers.ts'
import { explainFailure, isCut } from './explain-failure.ts'
import { jsonLines } from './json-lines.ts'
import { retryAfterMs } from './retry.ts'

/** What a transport needs of its surroundings. */
export interface HttpTransportOptions {
  /** Times the waits that an overloaded server asks for. */
  readonly clock?: Clock
}

/**
 * Speaks to a real API server over kept-alive HTTP/1.1 connections: at most 16 for requests, as many as needed for
 * streams. Sends a call again by itself only when that is safe: after `Retry-After`, after a 401 with fresh
 * credentials, and a read whose connection was cut before the answer.
 *
 * Credentials are not sent over plain http, as kubectl does not. Throws `KubeError` (`config`) when the server's address
 * is none; requests reject with `ConnectionError`.
 *
 * @example
 * const { url, caCert, token } = await cluster.listen()
 * const transport = httpTransport({ server: url, ca: caCert, token })
 * const { status } = await transport.request({ method: 'GET', path: '/api/v1/namespaces/default' })
 * status // => 200
 * await transport.close()
 */
export function httpTransport(config: ClusterConfig, options: HttpTransportOptions = {}): Transport {
  const { clock = systemClock } = options
  const server = parseServer(config.server)
  const basePath = server.pathname.replace(/\/+$/, '')
  const secure = server.protocol === 'https:'
  const closing = new AbortController()
  let dispatchers: Promise<Dispatchers> | undefined
  let identity: string | undefined
  const closes: Promise<void>[] = []

  async function credentialOf(signal: AbortSignal): Promise<Credential> {
    if (!secure) return {}
    const bearer = config.token === undefined ? {} : { headers: { authorization: `Bearer ${config.token}` } }
    return config.credentials === undefined ? bearer : await config.credentials.get(signal)
  }

  /** The connections of the credential's certificate; those of an earlier one end with the requests on them. */
  function dispatchersOf(credential: Credential): Promise<Dispatchers> {
    const wanted = `${credential.cert ?? ''}\n${credential.key ?? ''}`
    if (dispatchers === undefined || identity !== wanted) {
      if (dispatchers !== undefined) closes.push(retire(dispatchers))
      identity = wanted
      dispatchers = createDispatchers(config, credential)
    }
    return dispatchers
  }

  async function send(request: TransportRequest, body: string | undefined, signal: AbortSignal) {
    const credential = await credentialOf(signal)
    const { requests, streams, send: sendOn } = await dispatchersOf(credential)
    const query = request.query === undefined ? '' : new URLSearchParams(request.query).toString()
    const headers: Record<string, string | string[]> = {
      'user-agent': config.userAgent ?? 'kube',
      ...(credential.headers as Record<string, string | string[]>),
      ...request.headers,
    }
    if (body !== undefined) headers['content-type'] ??= 'application/json'
    return sendOn(request.stream === true ? streams : requests, {
      origin: server.origin,
      path: `${basePath}${request.path}${query === '' ? '' : `?${query}`}`,
      method: request.method,
      headers,
      signal,
      ...(body !== undefined && { body }),
    })
  }

  async function sendOnce(request: TransportRequest, body: string | undefined): Promise<Dispatcher.ResponseData> {
    const own = childSignal(request.signal)
    const onClose = () => own.abort(closing.signal.reason)
    closing.signal.addEventListener('abort', onClose, { once: true })
    if (closing.signal.aborted) onClose()
    const release = () => {
      own.release()
      closing.signal.removeEventListener('abort', onClose)
    }
    try {
      const response = await send(request, body, own.signal)
      response.body.once('close', release)
      return response
    } catch (error) {
      release()
      throw failureOf(request, error)
    }
  }

  function failureOf(request: TransportRequest, error: unknown): unknown {
    if (request.signal?.aborted || error instanceof KubeError) return error
    return explainFailure(`${server.origin}${request.path}`, error)
  }

  function responseOf(request: TransportRequest, response: Dispatcher.ResponseData): TransportResponse {
    const { statusCode, body } = response
    async function* chunks(): AsyncGenerator<Uint8Array> {
      try {
        for await (const chunk of body) yield chunk as Uint8Array
      } catch (error) {
        throw failureOf(request, error)
      }
    }
    async function text(): Promise<string> {
      try {
        return await body.text()
      } catch (error) {
        throw failureOf(request, error)
      }
    }
    return {
      status: statusCode,
      headers: headersOf(response.headers),
      text,
      async json() {
        const read = await text()
        try {
          return JSON.parse(read) as unknown
        } catch (error) {
          throw notJson(server.origin, read, error)
        }
      },
      chunks,
      events: () => jsonLines(chunks()),
    }
  }

  /** A read whose kept-alive connection was cut by the server before the answer is sent once more. */
  async function sendOrResend(request: TransportRequest, body: string | undefined): Promise<Dispatcher.ResponseData> {
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
        const status = response.statusCode
        const wait = retryAfterMs(request, { status, retryAfter: response.headers['retry-after'] }, tries)
        const renew: boolean = status === 401 && !renewed && config.credentials?.refresh() === true
        if (!renew && wait === undefined) return responseOf(request, response)
        await response.body.dump()
        if (renew) renewed = true
        if (wait !== undefined) await sleep(clock, wait, request.signal ?? closing.signal)
        if (request.signal?.aborted) throw request.signal.reason
      }
    },
    async close() {
      closing.abort(new ConnectionError('the client has been closed'))
      if (dispatchers !== undefined) closes.push(retire(dispatchers))
      dispatchers = undefined
      await Promise.all(closes.splice(0))
    },
  }
}

async function retire(dispatchers: Promise<Dispatchers>): Promise<void> {
  try {
    await (await dispatchers).close()
  } catch {
    // it could not be made, or is closed already
  }
}

function parseServer(server: string): URL {
  let url: URL | undefined
  try {
    url = new URL(server)
  } catch {
    // told below
  }
  if (url?.protocol === 'https:' || url?.protocol === 'http:') return url
  throw new KubeError(
    'config',
    `expected the server's address like https://host:6443, found "${server}"; correct clusters[].cluster.server in the kubeconfig`,
  )
}

function headersOf(headers: Dispatcher.ResponseData['headers']): Record<string, string> {
  const joined: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) joined[name] = Array.isArray(value) ? value.join(', ') : value
  }
  return joined
}
