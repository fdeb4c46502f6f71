import { type BenchmarkRow, toRow } from '../row.ts'
import { PEER } from './peer-server.ts'
import { askedFor, type Side, startSides } from './sides.ts'

const ROUNDS = 7
/** Objects per round: about as long on both sides. */
const COUNT = { ours: 1500, peer: 300 }
/** Objects that nobody counts, until compilers and caches are warm. */
const WARM_UP = { ours: 3000, peer: 600 }

/** What is asked for with a store of ours: creates in a second, and how many times the peer's. */
export interface CreateTargets {
  readonly perSecond: number
  readonly timesPeer: number
}

/**
 * Creates of 2 KB TrainJobs by one client over TLS and kept connections, 16 and one request in flight, while one watch
 * is open: time per create, and the CPU time that the server takes for one.
 */
export async function createBench(store: 'memory' | 'sqlite', targets: CreateTargets): Promise<BenchmarkRow[]> {
  await using sides = await startSides(store)
  const { ours, peer } = sides
  for (const side of [ours, peer]) await side?.load.perform({ do: 'watch', watchers: 1 })
  await create(ours, WARM_UP.ours, 16)
  if (peer !== undefined) await create(peer, WARM_UP.peer, 16)

  const what = store === 'memory' ? 'create, in memory' : 'create, SQLite WAL synchronous=NORMAL'
  const askedUs = 1e6 / targets.perSecond
  const rows: BenchmarkRow[] = []
  const cpu: number[] = []
  for (const inFlight of [16, 1]) {
    const figures = { ours: [] as number[], peer: [] as number[] }
    for (let round = 0; round < ROUNDS; round++) {
      const before = await ours.server.cpuMs()
      figures.ours.push(await create(ours, COUNT.ours, inFlight))
      if (inFlight === 16) cpu.push(((await ours.server.cpuMs()) - before) / COUNT.ours)
      if (peer !== undefined) figures.peer.push(await create(peer, COUNT.peer, inFlight))
    }
    const name = `${what}, ${inFlight} in flight`
    const row = { name, unit: 'µs/create', ours: figures.ours }
    if (peer !== undefined) {
      rows.push(toRow({ ...row, peer: { ...PEER, figures: figures.peer }, target: targets.timesPeer }))
    }
    rows.push(toRow({ ...row, name: `${name} (${targets.perSecond}/s)`, peer: askedFor(askedUs), target: 1 }))
  }
  const perCreate = { name: `CPU of a ${what}, one watch open`, unit: 'ms/create', ours: cpu }
  if (store === 'memory') rows.push(toRow({ ...perCreate, peer: askedFor(0.4), target: 1 }))
  return rows
}

/** Microseconds per create. */
async function create({ load }: Side, count: number, inFlight: number): Promise<number> {
  return ((await load.perform({ do: 'create', count, inFlight })).ms * 1000) / count
}
