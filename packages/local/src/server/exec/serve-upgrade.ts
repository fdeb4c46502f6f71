import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type ApiServer, failureResponse } from '../api-server.ts'
import { badRequest } from '../failures.ts'
import type { Guard } from '../http/guard.ts'
import type { OpenedStream } from './opened-stream.ts'

/** What serving an upgrade needs. */
export interface UpgradeContext {
  readonly apiServer: ApiServer
  readonly guard: Guard
  /** Ends every connection. */
  readonly closing: AbortSignal
}

/** Best first. Older ones have no way to tell an exit code. */
const PROTOCOLS = ['v5.channel.k8s.io', 'v4.channel.k8s.io'] as const
const LIMIT_BYTES = 8 * 1024 * 1024

/** Upgrades a connection to a WebSocket and serves exec, attach or portforward on it. Never rejects. */
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
  let protocol: string
  try {
    const caller = guard(request.headers)
    const url = new URL(request.url ?? '/', 'https://server')
    opened = apiServer.openStream(url.pathname, url.searchParams, caller)
    protocol = chooseProtocol(request, opened)
  } catch (error) {
    refuse(connection, error)
    return
  }
  const [{ WebSocketServer }, { servePorts }, { serveTerminal }] = await Promise.all([
    import('ws'),
    import('./ports-session.ts'),
    import('./terminal-session.ts'),
  ])
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: LIMIT_BYTES,
    handleProtocols: () => protocol,
  })
  server.on('wsClientError', end)
  server.handleUpgrade(request, connection, head, (socket) => {
    const served = opened.kind === 'portforward' ? servePorts(socket, opened) : serveTerminal(socket, opened)
    served.catch(() => socket.terminate())
  })
}

/** Throws `ApiFailure` 400. */
function chooseProtocol(request: IncomingMessage, opened: OpenedStream): string {
  const offered = (request.headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim())
  const found = PROTOCOLS.find((name) => offered.includes(name))
  if (found !== undefined && request.headers.upgrade?.toLowerCase() === 'websocket') return found
  if (opened.kind === 'portforward') {
    const { metadata, status } = opened.pod
    const ip = status?.podIP ?? '127.0.0.1'
    throw badRequest(
      `port-forward over SPDY is not served: pod ${metadata.name} runs on this very machine, connect to its address ${ip} directly`,
    )
  }
  throw badRequest(
    `expected a WebSocket with ${PROTOCOLS.join(' or ')}, found ${request.headers.upgrade} ${offered.join(', ')}; SPDY is not served`,
  )
}

function refuse(connection: Duplex, error: unknown): void {
  const { status, body } = failureResponse(error)
  const text = body.type === 'json' ? JSON.stringify(body.value) : body.type === 'text' ? body.text : ''
  const type = body.type === 'json' ? 'application/json' : 'text/plain; charset=utf-8'
  connection.end(
    `HTTP/1.1 ${status} Refused\r\ncontent-type: ${type}\r\ncontent-length: ${Buffer.byteLength(text)}\r\nconnection: close\r\n\r\n${text}`,
  )
}
