import { connect as open, type Server, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

/** Connects, and tries again while the other side is not up yet or its name does not resolve yet. */
export async function connect(host: string, port: number, signal: AbortSignal): Promise<Socket> {
  for (;;) {
    try {
      return await attempt(host, port)
    } catch (cause) {
      if (signal.aborted) throw new Error(`nobody answered at ${host}:${port}`, { cause })
      await pause(50)
    }
  }
}

function attempt(host: string, port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = open({ host, port, noDelay: true })
    socket.once('error', reject)
    socket.once('connect', () => {
      socket.off('error', reject)
      resolve(socket)
    })
  })
}

/** Listens on all addresses; port 0 takes a free one. */
export function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, () => {
      server.off('error', reject)
      resolve()
    })
  })
}
