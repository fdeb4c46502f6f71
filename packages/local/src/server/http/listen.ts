import type { Server } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { LocalError } from '../../error.ts'
import type { Listening, ListenOptions } from '../../local-cluster.ts'
import type { ApiServer } from '../api-server.ts'
import type { serveUpgrade } from '../exec/serve-upgrade.ts'
import { loadCredentials } from './credentials.ts'
import { createGuard, createTokenGuard, type Guard } from './guard.ts'
import { createJsonEncoder } from './json-encoder.ts'
import { kubeconfigText } from './kubeconfig.ts'
import { listenOnSocket } from './listen-on-socket.ts'
import { serveRequest } from './serve-request.ts'
import { createTokenAuthority } from './token-authority.ts'

/** How long answers that are being written may take when the server closes. */
const CLOSE_GRACE_MS = 500
/** How long an idle connection is kept. */
const KEEP_ALIVE_MS = 75_000

/** Serves an API server over TLS on loopback, and on a unix socket where asked to. Throws `LocalError` `listen-failed`. */
export async function listen(apiServer: ApiServer, options: ListenOptions = {}): Promise<Listening> {
  const { host = '127.0.0.1', port = 0, credentialsDir } = options
  if (!isLoopback(host)) {
    throw new LocalError(
      'listen-failed',
      `Expected a loopback address to listen on (127.0.0.1, ::1 or localhost), found ${host}: whoever can reach the server runs commands as you.`,
    )
  }
  const { cert, key, token } = await loadCredentials(credentialsDir, Date.now())
  const { tokens } = apiServer
  tokens.add(createTokenAuthority(token))
  const closing = new AbortController()
  const encoder = createJsonEncoder()
  /** Guards are known once a server listens. */
  const serveOn = (server: Server, guardOf: () => Guard | undefined): void => {
    server.on('request', (request, response) => {
      const guard = guardOf()
      if (guard === undefined) response.destroy()
      else void serveRequest({ apiServer, guard, encoder, closing: closing.signal }, request, response)
    })
    server.on('upgrade', (request, connection, head) => {
      const guard = guardOf()
      if (guard === undefined) connection.destroy()
      else void upgrade({ apiServer, guard, closing: closing.signal }, request, connection, head)
    })
  }
  let guard: Guard | undefined
  const server = createServer({ cert, key, keepAliveTimeout: KEEP_ALIVE_MS })
  serveOn(server, () => guard)
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => reject(listenFailure(cause, host, port)))
    server.listen(port, host, resolve)
  })
  const address = server.address() as AddressInfo
  const authority = `${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}`
  guard = createGuard(token, tokens, authority, address.port)
  const servers: Server[] = [server]
  if (options.socket !== undefined) {
    const tokenGuard = createTokenGuard(token, tokens)
    const second = await listenOnSocket(options.socket, KEEP_ALIVE_MS, (one) => serveOn(one, () => tokenGuard))
    if (second !== undefined) servers.push(second)
  }
  const url = `https://${authority}`
  let closed: Promise<void> | undefined
  return {
    url,
    caCert: cert,
    token,
    ...(servers.length > 1 && options.socket !== undefined && { socket: options.socket }),
    kubeconfig: ({ name = 'trainjob-local' } = {}) => kubeconfigText({ name, url, caCert: cert, token }),
    async close() {
      closing.abort()
      closed ??= Promise.all(servers.map(closeServer)).then(() => {})
      await closed
    },
  }
}

/** Few clients ever want this. */
async function upgrade(...call: Parameters<typeof serveUpgrade>): Promise<void> {
  const { serveUpgrade } = await import('../exec/serve-upgrade.ts')
  await serveUpgrade(...call)
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const force = setTimeout(() => server.closeAllConnections(), CLOSE_GRACE_MS)
    server.close(() => {
      clearTimeout(force)
      resolve()
    })
    server.closeIdleConnections()
  })
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host)
}

function listenFailure(cause: NodeJS.ErrnoException, host: string, port: number): LocalError {
  const text =
    cause.code === 'EADDRINUSE'
      ? `Port ${port} of ${host} is taken by another program: choose another port, or 0 for a free one.`
      : `Cannot listen on ${host}:${port}: ${cause.message}`
  return new LocalError('listen-failed', text, { cause })
}
