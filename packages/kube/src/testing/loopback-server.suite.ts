import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'

/** A real HTTP server on a free port of this machine. */
export interface LoopbackServer {
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
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const cut = () => {
    for (const socket of sockets) socket.resetAndDestroy()
  }
  return {
    server,
    url: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${(server.address() as AddressInfo).port}`,
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

export async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += chunk
  return text
}
