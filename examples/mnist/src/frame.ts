import type { Socket } from 'node:net'

const HEADER = 4

/** Sends a message: its length in four bytes, then the bytes. */
export function writeFrame(socket: Socket, payload: Uint8Array): void {
  const header = Buffer.allocUnsafe(HEADER)
  header.writeUInt32LE(payload.byteLength)
  socket.cork()
  socket.write(header)
  socket.write(Buffer.from(payload)) // a copy: the sender goes on writing into its array
  socket.uncork()
}

/** The next message. Rejects, naming `peer`, when the connection ends before it is complete. */
export async function readFrame(socket: Socket, peer: string): Promise<Buffer> {
  const header = await readExactly(socket, HEADER, peer)
  return readExactly(socket, header.readUInt32LE(), peer)
}

function readExactly(socket: Socket, length: number, peer: string): Promise<Buffer> {
  if (length === 0) return Promise.resolve(Buffer.alloc(0))
  return new Promise((resolve, reject) => {
    const settle = (finish: () => void) => {
      socket.off('readable', tryRead)
      socket.off('close', onClose)
      socket.off('end', onClose)
      socket.off('error', onError)
      finish()
    }
    const onClose = () => settle(() => reject(new Error(`${peer} left the ring`)))
    const onError = (cause: Error) => settle(() => reject(new Error(`${peer} left the ring`, { cause })))
    const tryRead = () => {
      const bytes = socket.read(length) as Buffer | null
      if (bytes === null) return
      settle(() => (bytes.length === length ? resolve(bytes) : reject(new Error(`${peer} left the ring`))))
    }
    socket.on('readable', tryRead)
    socket.on('close', onClose)
    socket.on('end', onClose)
    socket.on('error', onError)
    if (socket.destroyed) onClose()
    else tryRead()
  })
}
