import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import type { OpenedPorts } from './opened-stream.ts'

/**
 * Leads a user's WebSocket to ports of a pod, in the form of `v4.channel.k8s.io`: of the port at place n, channel 2n
 * carries the bytes and 2n + 1 what went wrong; both begin with the port's number in two bytes, the lower first.
 */
export async function servePorts(socket: WebSocket, opened: OpenedPorts): Promise<void> {
  const gone = new AbortController()
  /** By place; what comes before a port is reached waits in a list. Nothing where nobody listens. */
  const connections: (Duplex | Buffer[] | undefined)[] = opened.ports.map(() => [])
  const send = (channel: number, chunk: Uint8Array): void => {
    if (socket.readyState === socket.OPEN) socket.send(Buffer.concat([Buffer.of(channel), chunk]))
  }
  socket.on('message', (data: Buffer) => {
    const connection = connections[(data[0] ?? 0) / 2]
    const chunk = data.subarray(1)
    if (connection === undefined || chunk.length === 0) return
    if (Array.isArray(connection)) connection.push(chunk)
    else if (!connection.write(chunk)) {
      socket.pause()
      connection.once('drain', () => socket.resume())
    }
  })
  socket.on('error', () => {})
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  void closed.then(() => gone.abort())

  for (const [place, port] of opened.ports.entries()) {
    const number = Buffer.alloc(2)
    number.writeUInt16LE(port)
    send(2 * place, number)
    send(2 * place + 1, number)
  }
  await Promise.all(
    opened.ports.map(async (port, place) => {
      try {
        const connection = await opened.connect(port, gone.signal)
        const early = connections[place] as Buffer[]
        connections[place] = connection
        for (const chunk of early) connection.write(chunk)
        void closed.then(() => connection.destroy())
        for await (const chunk of connection) send(2 * place, chunk as Buffer)
      } catch (error) {
        connections[place] = undefined
        if (gone.signal.aborted) return
        const message = `error forwarding port ${port} to pod ${opened.pod.metadata.name}: ${(error as Error).message}`
        send(2 * place + 1, Buffer.from(message))
      }
    }),
  )
  socket.close(1000)
}
