import type { WebSocket } from 'ws'
import { type ShownStream, type TerminalLink, terminalSize } from './terminal-link.ts'

/** Channels of Kubernetes' `v4.channel.k8s.io` and `v5`: the first byte of each message. */
const CHANNELS: Readonly<Record<ShownStream, number>> = { stdout: 1, stderr: 2, status: 3 }
const STDIN = 0
const RESIZE = 4
/** Only v5: the byte behind it names the channel that ends. */
const CLOSE = 255

/** More than this in the socket's queue, and the command waits. */
const FULL_BYTES = 1024 * 1024

/** A user who speaks `v4.channel.k8s.io` or `v5` over a WebSocket. */
export function channelTerminal(socket: WebSocket): TerminalLink {
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  socket.on('error', () => {})
  return {
    closed,
    send(stream, chunk) {
      if (socket.readyState !== socket.OPEN) return
      const message = Buffer.allocUnsafe(chunk.length + 1)
      message[0] = CHANNELS[stream]
      message.set(chunk, 1)
      if (socket.bufferedAmount < FULL_BYTES) {
        socket.send(message)
        return
      }
      return new Promise((resolve) => socket.send(message, () => resolve()))
    },
    listen(input) {
      socket.on('message', (data: Buffer) => {
        const channel = data[0]
        if (channel === STDIN) input.onInput(data.subarray(1))
        else if (channel === CLOSE && data[1] === STDIN) input.onInputEnd()
        else if (channel === RESIZE) {
          const size = terminalSize(data.toString('utf8', 1))
          if (size !== undefined) input.onResize(size)
        }
      })
    },
    hold: (held) => (held ? socket.pause() : socket.resume()),
    close: () => socket.close(1000),
  }
}
