import type { IncomingHttpHeaders } from 'node:http'
import { badRequest } from '../failures.ts'
import type { OpenedStream } from './opened-stream.ts'

/** What is spoken on a connection after its upgrade. */
export interface StreamProtocol {
  readonly upgrade: 'websocket' | 'SPDY/3.1'
  /** As the answer names it. */
  readonly name: string
  /** The messages of the WebSocket are one stream of SPDY (KEP-4006). */
  readonly tunnelsSpdy: boolean
}

/** Best first. Older ones have no way to tell an exit code. */
const CHANNELS = ['v5.channel.k8s.io', 'v4.channel.k8s.io'] as const
/** Ports have a protocol of their own in SPDY; commands speak what WebSockets speak. */
const SPDY = { exec: 'v4.channel.k8s.io', attach: 'v4.channel.k8s.io', portforward: 'portforward.k8s.io' } as const
const TUNNEL_PREFIX = 'SPDY/3.1+'

/** The best of what a client offers that is served. Throws `ApiFailure` 400 when nothing is. */
export function chooseProtocol(headers: IncomingHttpHeaders, kind: OpenedStream['kind']): StreamProtocol {
  const upgrade = headers.upgrade ?? ''
  if (upgrade.toLowerCase() === 'websocket') {
    const offered = listOf(headers['sec-websocket-protocol'])
    const name = CHANNELS.find((channel) => offered.includes(channel))
    if (name !== undefined) return { upgrade: 'websocket', name, tunnelsSpdy: false }
    const tunnel = `${TUNNEL_PREFIX}${SPDY[kind]}`
    if (offered.includes(tunnel)) return { upgrade: 'websocket', name: tunnel, tunnelsSpdy: true }
    throw badRequest(`expected a WebSocket with ${[...CHANNELS, tunnel].join(' or ')}, found ${offered.join(', ')}`)
  }
  const offered = listOf(headers['x-stream-protocol-version'])
  if (upgrade.toLowerCase() !== 'spdy/3.1' || !offered.includes(SPDY[kind])) {
    throw badRequest(
      `expected an upgrade to a WebSocket, or to SPDY/3.1 with ${SPDY[kind]}, found ${upgrade} ${offered.join(', ')}`,
    )
  }
  return { upgrade: 'SPDY/3.1', name: SPDY[kind], tunnelsSpdy: false }
}

/** A header that stands there several times arrives joined. */
function listOf(header: string | readonly string[] | undefined): string[] {
  return String(header ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
}
