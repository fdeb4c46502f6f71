import { on, once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { readFrame, writeFrame } from './frame.ts'
import { connect, listen } from './socket.ts'

/** All ranks of a job, connected in a circle: each sends to the next and receives from the one before. */
export interface Ring {
  readonly rank: number
  readonly world: number
  /**
   * Replaces `values` on every rank by the sum over all ranks, the same to the last bit everywhere. All ranks must call
   * it in the same order with arrays of one length. Rejects when a neighbour is gone.
   */
  allReduce(values: Float64Array): Promise<void>
  /** Leaves the ring: resolves when the rank before has left too, and needs nothing from this one any more. */
  close(): Promise<void>
}

export interface RingOptions {
  readonly rank: number
  readonly world: number
  /** Where rank 0 waits for the others (PET_MASTER_ADDR, PET_MASTER_PORT). */
  readonly masterAddress: string
  readonly masterPort: number
  /** Milliseconds in which all ranks must have come. Default 60,000. */
  readonly timeoutMs?: number
}

interface Peer {
  readonly host: string
  readonly port: number
}

/** Meets the other ranks at rank 0 and closes the circle. */
export async function joinRing(options: RingOptions): Promise<Ring> {
  const { rank, world } = options
  if (world === 1) return { rank, world, allReduce: async () => {}, close: async () => {} }
  const signal = AbortSignal.timeout(options.timeoutMs ?? 60_000)
  const inbox = createServer({ noDelay: true })
  const callers = connections(inbox, signal)
  await listen(inbox, 0)
  try {
    const peers = await meet(options, portOf(inbox), signal)
    const next = peers[(rank + 1) % world] as Peer
    const [previousSocket, nextSocket] = await Promise.all([accept(callers), connect(next.host, next.port, signal)])
    return circle(rank, world, previousSocket, nextSocket)
  } finally {
    inbox.close()
  }
}

/** Every rank tells rank 0 where it listens; rank 0 answers with the whole list once it is complete. */
async function meet(options: RingOptions, inboxPort: number, signal: AbortSignal): Promise<Peer[]> {
  const { rank, world, masterAddress, masterPort } = options
  if (rank !== 0) {
    const master = await connect(masterAddress, masterPort, signal)
    writeFrame(master, Buffer.from(JSON.stringify({ rank, port: inboxPort })))
    const peers = JSON.parse((await readFrame(master, 'rank 0')).toString()) as Peer[]
    master.destroy()
    return peers.map((peer, index) => (index === 0 ? { ...peer, host: masterAddress } : peer))
  }
  const door = createServer()
  const callers = connections(door, signal)
  await listen(door, masterPort)
  const peers: Peer[] = [{ host: masterAddress, port: inboxPort }]
  const guests: Socket[] = []
  while (guests.length < world - 1) {
    const guest = await accept(callers)
    const hello = JSON.parse((await readFrame(guest, 'a rank')).toString()) as { rank: number; port: number }
    peers[hello.rank] = { host: guest.remoteAddress as string, port: hello.port }
    guests.push(guest)
  }
  door.close()
  for (const guest of guests) {
    writeFrame(guest, Buffer.from(JSON.stringify(peers)))
    guest.end()
  }
  return peers
}

function circle(rank: number, world: number, previous: Socket, next: Socket): Ring {
  const before = `rank ${(rank + world - 1) % world}`
  let lost: string | undefined
  let leaving = false
  const cut = () => {
    previous.destroy()
    next.destroy()
  }
  // Nothing is ever read from the next rank, so its leaving must be watched for; it also ends the wait for the one before.
  next.resume()
  next.on('error', () => {})
  next.on('close', () => {
    if (leaving) return
    lost ??= `rank ${(rank + 1) % world}`
    previous.destroy()
  })
  const exchange = async (outgoing: Float64Array): Promise<Float64Array> => {
    writeFrame(next, Buffer.from(outgoing.buffer, outgoing.byteOffset, outgoing.byteLength))
    const bytes = await readFrame(previous, before)
    return new Float64Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength))
  }
  const allReduce = async (values: Float64Array) => {
    const bounds = Array.from({ length: world + 1 }, (_, n) => Math.floor((n * values.length) / world))
    const chunk = (n: number) => {
      const index = ((n % world) + world) % world
      return values.subarray(bounds[index], bounds[index + 1])
    }
    // Scatter the sums: after world − 1 steps this rank holds the complete chunk rank + 1.
    for (let step = 0; step < world - 1; step++) {
      const received = await exchange(chunk(rank - step))
      const target = chunk(rank - step - 1)
      for (let i = 0; i < target.length; i++) target[i] = (target[i] as number) + (received[i] as number)
    }
    // Gather them: complete chunks travel once around.
    for (let step = 0; step < world - 1; step++) {
      chunk(rank - step).set(await exchange(chunk(rank + 1 - step)))
    }
  }
  return {
    rank,
    world,
    async allReduce(values) {
      try {
        await allReduce(values)
      } catch (cause) {
        cut() // so that the others notice too
        throw lost === undefined ? cause : new Error(`${lost} left the ring`, { cause })
      }
    },
    // Only the sender ends a connection: who is done first must not look like a failure to who still receives.
    async close() {
      leaving = true
      next.end()
      if (previous.closed) return
      const ended = once(previous, 'close')
      previous.resume()
      await ended
    },
  }
}

/** Connections in the order they came; none is missed between two calls of `accept`. */
function connections(server: Server, signal: AbortSignal): AsyncIterator<[Socket]> {
  return on(server, 'connection', { signal }) as AsyncIterator<[Socket]>
}

async function accept(callers: AsyncIterator<[Socket]>): Promise<Socket> {
  try {
    const { value } = await callers.next()
    return value[0]
  } catch (cause) {
    throw new Error('not all ranks came in time', { cause })
  }
}

function portOf(server: Server): number {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server does not listen on a port')
  return address.port
}
