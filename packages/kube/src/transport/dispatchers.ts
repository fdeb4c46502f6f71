import type { Dispatcher } from 'undici'
import type { ClusterConfig, Credential } from './cluster-config.ts'

const POOL_SIZE = 16
const CONNECT_TIMEOUT_MS = 10_000
/** Below the 60 s after which cloud load balancers drop an idle connection. */
const TCP_KEEP_ALIVE_MS = 30_000
/** How long an idle connection is kept when the server does not say. */
const IDLE_MS = 30_000
/** API servers give up on an ordinary request after a minute. */
const ANSWER_TIMEOUT_MS = 65_000

/** The connections of one identity: a stream occupies one for minutes and must not starve the requests. */
export interface Dispatchers {
  readonly requests: Dispatcher
  readonly streams: Dispatcher
  send(dispatcher: Dispatcher, options: Dispatcher.RequestOptions): Promise<Dispatcher.ResponseData>
  close(): Promise<void>
}

/** Opens nothing yet; loads undici, which costs tens of milliseconds, on the first call. */
export async function createDispatchers(config: ClusterConfig, credential: Credential): Promise<Dispatchers> {
  const [{ default: Agent }, { default: request }] = await Promise.all([
    import('undici/lib/dispatcher/agent.js'),
    import('undici/lib/api/api-request.js'),
  ])
  const cert = credential.cert ?? config.cert
  const key = credential.key ?? config.key
  const tls = {
    ...(config.ca !== undefined && { ca: config.ca }),
    ...(cert !== undefined && { cert }),
    ...(key !== undefined && { key }),
    ...(config.tlsServerName !== undefined && { servername: config.tlsServerName }),
    ...(config.insecureSkipTlsVerify === true && { rejectUnauthorized: false }),
    keepAliveInitialDelay: TCP_KEEP_ALIVE_MS,
    timeout: CONNECT_TIMEOUT_MS,
  }
  // HTTP/2 in undici lost requests when a server said goodbye (nodejs/undici#5468)
  const shared = { allowH2: false, pipelining: 1, keepAliveTimeout: IDLE_MS }
  const bounded = {
    ...shared,
    connections: POOL_SIZE,
    headersTimeout: ANSWER_TIMEOUT_MS,
    bodyTimeout: ANSWER_TIMEOUT_MS,
  }
  // silence is normal in a stream; whoever reads it keeps the watch
  const unbounded = { ...shared, connections: null, headersTimeout: 0, bodyTimeout: 0 }

  let requests: Dispatcher
  let streams: Dispatcher
  if (config.proxyUrl === undefined) {
    requests = new Agent({ ...bounded, connect: tls })
    streams = new Agent({ ...unbounded, connect: tls })
  } else {
    // a tunnel needs methods that only undici's main entry adds
    const { ProxyAgent } = await import('undici')
    requests = new ProxyAgent({ ...bounded, uri: config.proxyUrl, requestTls: tls })
    streams = new ProxyAgent({ ...unbounded, uri: config.proxyUrl, requestTls: tls })
  }
  return {
    requests,
    streams,
    send: (dispatcher, options) => request.call(dispatcher, options),
    async close() {
      await Promise.all([requests.close(), streams.destroy()])
    },
  }
}
