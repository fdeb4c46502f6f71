import type { IncomingMessage } from 'node:http'
import { type Clock, systemClock } from '../clock.ts'
import type { Transport, TransportRequest } from '../transport.ts'
import { createExchange, targetOf, type WireResponse } from './exchange.ts'

const POOL_SIZE = 16
/** API servers give up on an ordinary request after a minute. */
const ANSWER_TIMEOUT_MS = 65_000

/** A server on a unix socket of this machine. */
export interface SocketConfig {
  /** Path of the socket. */
  readonly socket: string
  /** Bearer token. */
  readonly token?: string
  /** `kube` by default. */
  readonly userAgent?: string
}

/** What a socket's transport needs of its surroundings. */
export interface SocketTransportOptions {
  /** Times the waits that an overloaded server asks for. */
  readonly clock?: Clock
}

/**
 * Speaks to an API server behind a unix socket, which only those who may open the file can reach: plain HTTP over
 * kept-alive connections, otherwise as `httpTransport` does. It loads neither TLS nor any package, so that a short
 * command does not spend its time on them. Requests reject with `ConnectionError`.
 *
 * @example
 * import { createServer } from 'node:http'
 * import { join } from 'node:path'
 * import { socketTransport } from '@trainjob/kube/socket'
 *
 * const socket = join(folder, 'api.sock')
 * const server = createServer((_, response) => response.end('{}')).listen(socket)
 * const transport = socketTransport({ socket, token: 'secret' })
 * const { status } = await transport.request({ method: 'GET', path: '/version' })
 * status // => 200
 * await transport.close()
 * server.close()
 */
export function socketTransport(config: SocketConfig, options: SocketTransportOptions = {}): Transport {
  const { clock = systemClock } = options
  // not imported: an import reads everything that the module exports, and with it loads fetch and WebSockets
  const { Agent, request: httpRequest } = process.getBuiltinModule('node:http')
  const requests = new Agent({ keepAlive: true, maxSockets: POOL_SIZE })
  // a stream occupies a connection for minutes and must not starve the requests
  const streams = new Agent({ keepAlive: true })

  function send(request: TransportRequest, body: string | undefined, signal: AbortSignal): Promise<WireResponse> {
    const headers: Record<string, string | number> = {
      'user-agent': config.userAgent ?? 'kube',
      ...(config.token !== undefined && { authorization: `Bearer ${config.token}` }),
      ...request.headers,
    }
    if (body !== undefined) {
      headers['content-type'] ??= 'application/json'
      headers['content-length'] = Buffer.byteLength(body)
    }
    return new Promise((resolve, reject) => {
      const outgoing = httpRequest({
        socketPath: config.socket,
        agent: request.stream === true ? streams : requests,
        path: targetOf(request),
        method: request.method,
        headers,
        signal,
      })
      outgoing.once('response', (response) => resolve(wireResponse(response)))
      // also after the answer began, when it is the answer's reader who is told
      outgoing.on('error', (error) => reject(signal.aborted ? signal.reason : error))
      // silence is normal in a stream; whoever reads it keeps the watch
      if (request.stream !== true) outgoing.setTimeout(ANSWER_TIMEOUT_MS, () => outgoing.destroy(timeout()))
      outgoing.end(body)
    })
  }

  const exchange = createExchange({ origin: `unix:${config.socket}`, send, refreshCredentials: () => false }, clock)
  return {
    request: exchange.request,
    async close() {
      exchange.close()
      requests.destroy()
      streams.destroy()
    },
  }
}

function wireResponse(response: IncomingMessage): WireResponse {
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    body: response,
    async text() {
      const chunks: Uint8Array[] = []
      for await (const chunk of response as AsyncIterable<Uint8Array>) chunks.push(chunk)
      return Buffer.concat(chunks).toString('utf8')
    },
    async dump() {
      for await (const _ of response);
    },
  }
}

function timeout(): Error {
  return Object.assign(new Error('no answer within a minute'), { code: 'ETIMEDOUT' })
}
