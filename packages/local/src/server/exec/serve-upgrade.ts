import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type ApiServer, failureResponse } from '../api-server.ts'
import type { Guard } from '../http/guard.ts'
import type { ByteLink } from './byte-link.ts'
import { channelTerminal } from './channel-terminal.ts'
import { chooseProtocol, type StreamProtocol } from './choose-protocol.ts'
import { duplexLink } from './duplex-link.ts'
import type { OpenedStream } from './opened-stream.ts'
import { servePorts } from './ports-session.ts'
import { serveSpdyPorts } from './spdy-ports-session.ts'
import { spdyTerminal } from './spdy-terminal.ts'
import { serveTerminal } from './terminal-session.ts'
import { webSocketLink } from './web-socket-link.ts'

/** What serving an upgrade needs. */
export interface UpgradeContext {
  readonly apiServer: ApiServer
  readonly guard: Guard
  /** Ends every connection. */
  readonly closing: AbortSignal
}

const LIMIT_BYTES = 8 * 1024 * 1024

/** Upgrades a connection to a WebSocket or to SPDY and serves exec, attach or portforward on it. Never rejects. */
export async function serveUpgrade(
  { apiServer, guard, closing }: UpgradeContext,
  request: IncomingMessage,
  connection: Duplex,
  head: Buffer,
): Promise<void> {
  connection.on('error', () => connection.destroy())
  const end = (): void => void connection.destroy()
  closing.addEventListener('abort', end, { once: true })
  connection.once('close', () => closing.removeEventListener('abort', end))
  let opened: OpenedStream
  let protocol: StreamProtocol
  try {
    const caller = guard(request.headers)
    const url = new URL(request.url ?? '/', 'https://server')
    opened = await apiServer.openStream(url.pathname, url.searchParams, caller)
    protocol = chooseProtocol(request.headers, opened.kind)
  } catch (error) {
    refuse(connection, error)
    return
  }
  if (protocol.upgrade === 'SPDY/3.1') {
    connection.write(
      `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\nX-Stream-Protocol-Version: ${protocol.name}\r\n\r\n`,
    )
    await serveSpdyLink(duplexLink(connection, head), opened).catch(end)
    return
  }
  const { WebSocketServer } = await import('ws')
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: LIMIT_BYTES,
  })
  // `ws` would refuse the slash in the name of the tunnel
  delete request.headers['sec-websocket-protocol']
  server.on('headers', (headers) => headers.push(`Sec-WebSocket-Protocol: ${protocol.name}`))
  server.on('wsClientError', end)
  server.handleUpgrade(request, connection, head, (socket) => {
    const served = protocol.tunnelsSpdy
      ? serveSpdyLink(webSocketLink(socket), opened)
      : opened.kind === 'portforward'
        ? servePorts(socket, opened)
        : serveTerminal(channelTerminal(socket), opened)
    served.catch(() => socket.terminate())
  })
}

async function serveSpdyLink(link: ByteLink, opened: OpenedStream): Promise<void> {
  if (opened.kind === 'portforward') {
    await serveSpdyPorts(link, opened)
    return
  }
  const terminal = await spdyTerminal(link, opened)
  if (terminal !== undefined) await serveTerminal(terminal, opened)
}

function refuse(connection: Duplex, error: unknown): void {
  const { status, body } = failureResponse(error)
  const text = body.type === 'json' ? JSON.stringify(body.value) : body.type === 'text' ? body.text : ''
  const type = body.type === 'json' ? 'application/json' : 'text/plain; charset=utf-8'
  connection.end(
    `HTTP/1.1 ${status} Refused\r\ncontent-type: ${type}\r\ncontent-length: ${Buffer.byteLength(text)}\r\nconnection: close\r\n\r\n${text}`,
  )
}
