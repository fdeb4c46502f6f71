import type { WebSocket } from 'ws'
import type { ByteLink } from './byte-link.ts'

/** More than this in the socket's queue, and the sender waits. */
const FULL_BYTES = 1024 * 1024

/** The messages of a WebSocket as one stream of bytes. */
export function webSocketLink(socket: WebSocket): ByteLink {
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  socket.on('error', () => {})
  return {
    closed,
    send(chunk) {
      if (socket.readyState !== socket.OPEN) return
      if (socket.bufferedAmount < FULL_BYTES) {
        socket.send(chunk)
        return
      }
      return new Promise((resolve) => socket.send(chunk, () => resolve()))
    },
    listen: (onChunk) => void socket.on('message', (data: Buffer) => onChunk(data)),
    hold: (held) => (held ? socket.pause() : socket.resume()),
    close: () => socket.close(1000),
  }
}
