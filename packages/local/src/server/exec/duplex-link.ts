import type { Duplex } from 'node:stream'
import type { ByteLink } from './byte-link.ts'

/** The link that a connection is after its upgrade. @param head what came with the upgrade */
export function duplexLink(connection: Duplex, head: Uint8Array): ByteLink {
  const closed = new Promise<void>((resolve) => connection.once('close', () => resolve()))
  connection.on('error', () => connection.destroy())
  connection.once('end', () => connection.end())
  return {
    closed,
    send(chunk) {
      if (!connection.writable || connection.write(chunk)) return
      const drained = new Promise<void>((resolve) => connection.once('drain', resolve))
      return Promise.race([drained, closed])
    },
    listen(onChunk) {
      if (head.length > 0) onChunk(head)
      connection.on('data', onChunk)
      connection.resume()
    },
    hold: (held) => void (held ? connection.pause() : connection.resume()),
    close: () => void connection.end(),
  }
}
