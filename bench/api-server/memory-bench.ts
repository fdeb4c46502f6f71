import { type BenchmarkRow, toRow } from '../row.ts'
import { startLoad } from './load.ts'
import { startOwnServer } from './own-server.ts'
import { PEER, startPeerServer } from './peer-server.ts'
import type { MeasuredServer } from './server.ts'
import { askedFor } from './sides.ts'

const ROUNDS = 3
const OBJECTS = 10_000
/** Jobs that come and go first: code that is loaded with them, and their traces, are no part of what jobs take. */
const WARM_UP = 500
const ASKED_MB = 100

/**
 * Resident memory that 10,000 TrainJobs of 2 KB take, above that of a server that was busy and is idle: of ourselves
 * after a garbage collection; of kube-apiserver and etcd, which cannot be asked for one, as it is.
 */
export async function memoryBench(): Promise<BenchmarkRow[]> {
  const ours: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    await using server = await startOwnServer('memory')
    ours.push(await growth(server))
  }
  const row = { name: '10,000 TrainJobs, memory above idle', unit: 'MB', ours }
  const rows = [toRow({ ...row, peer: askedFor(ASKED_MB), target: 1 })]
  await using peer = await startPeerServer()
  if (peer !== undefined) {
    rows.push(toRow({ ...row, peer: { ...PEER, figures: [await growth(peer)] }, target: 1 }))
  }
  return rows
}

async function growth(server: MeasuredServer): Promise<number> {
  await using load = startLoad(server.address)
  const { names } = await load.perform({ do: 'create', count: WARM_UP, inFlight: 16 })
  await load.perform({ do: 'delete', names, inFlight: 16 })
  const idle = await server.residentMb()
  await load.perform({ do: 'create', count: OBJECTS, inFlight: 16 })
  return (await server.residentMb()) - idle
}
