import { type Clock, systemClock } from '../clock.ts'
import { KubeError } from '../error.ts'
import type { Transport, TransportRequest } from '../transport.ts'
import type { ClusterConfig, Credential } from './cluster-config.ts'
import { createDispatchers, type Dispatchers } from './dispatchers.ts'
import { createExchange, targetOf, type WireResponse } from './exchange.ts'

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

  async function send(request: TransportRequest, body: string | undefined, signal: AbortSignal): Promise<WireResponse> {
    const credential = await credentialOf(signal)
    const { requests, streams, send: sendOn } = await dispatchersOf(credential)
    const headers: Record<string, string | string[]> = {
      'user-agent': config.userAgent ?? 'kube',
      ...(credential.headers as Record<string, string | string[]>),
      ...request.headers,
    }
    if (body !== undefined) headers['content-type'] ??= 'application/json'
    const response = await sendOn(request.stream === true ? streams : requests, {
      origin: server.origin,
      path: `${basePath}${targetOf(request)}`,
      method: request.method,
      headers,
      signal,
      ...(body !== undefined && { body }),
    })
    return {
      status: response.statusCode,
      headers: response.headers,
      body: response.body,
      text: () => response.body.text(),
      dump: () => response.body.dump(),
    }
  }

  const exchange = createExchange(
    { origin: server.origin, send, refreshCredentials: () => config.credentials?.refresh() === true },
    clock,
  )
  return {
    request: exchange.request,
    async close() {
      exchange.close()
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
