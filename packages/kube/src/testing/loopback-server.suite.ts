import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'

/** A real HTTP server on a free port of this machine, or on a unix socket. */
export interface LoopbackServer {
  /** Path of the socket where there is one. */
  readonly url: string
  readonly server: Server
  /** Connections accepted so far. */
  readonly connections: number
  /** Connections open now. */
  readonly open: number
  /** Cuts every connection without a goodbye. */
  cut(): void
  close(): Promise<void>
}

export async function loopbackServer(
  listener: RequestListener,
  tls?: { cert: string; key: string; ca?: string; requestCert?: boolean },
  socketPath?: string,
): Promise<LoopbackServer> {
  const server: Server = tls === undefined ? createServer(listener) : createTlsServer(tls, listener)
  server.keepAliveTimeout = 5_000
  const sockets = new Set<Socket>()
  let connections = 0
  server.on('connection', (socket: Socket) => {
    connections++
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => {
    if (socketPath === undefined) server.listen(0, '127.0.0.1', resolve)
    else server.listen(socketPath, resolve)
  })
  const cut = () => {
    for (const socket of sockets) cutSocket(socket)
  }
  const scheme = tls === undefined ? 'http' : 'https'
  return {
    server,
    url: socketPath ?? `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get connections() {
      return connections
    },
    get open() {
      return sockets.size
    },
    cut,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

/** Without a goodbye where the kind of socket knows one. */
export function cutSocket(socket: Socket): void {
  if (socket.remoteAddress === undefined) socket.destroy()
  else socket.resetAndDestroy()
}

export async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += chunk
  return text
}
