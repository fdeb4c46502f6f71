import { type BenchmarkRow, toRow } from '../row.ts'
import { PEER } from './peer-server.ts'
import { askedFor, startSides } from './sides.ts'

const ROUNDS = 5
const WATCHERS = 200
const EVENTS = 1000
const IN_FLIGHT = 64
const ASKED_MS = 1000

/**
 * From the first of 1,000 creates of TrainJobs, 64 in flight, until each of 200 watchers of the kind has seen all of
 * them, in events of 2 KB; creates and watches come from one process.
 */
export async function watchBench(): Promise<BenchmarkRow[]> {
  await using sides = await startSides('memory')
  const measured = [sides.ours, sides.peer].flatMap((side) =>
    side === undefined ? [] : [{ side, ms: [] as number[] }],
  )
  for (const { side } of measured) await side.load.perform({ do: 'watch', watchers: WATCHERS })
  for (let round = -1; round < ROUNDS; round++) {
    for (const { side, ms } of measured) {
      const result = await side.load.perform({ do: 'fan-out', count: EVENTS, inFlight: IN_FLIGHT })
      if (round >= 0) ms.push(result.ms)
    }
  }
  const [own, peer] = measured
  const row = { name: '1,000 events of 2 KB to 200 watchers', unit: 'ms', ours: own?.ms ?? [], target: 1 }
  return [
    ...(peer === undefined ? [] : [toRow({ ...row, peer: { ...PEER, figures: peer.ms } })]),
    toRow({ ...row, name: `${row.name} (in 1 s)`, peer: askedFor(ASKED_MS) }),
  ]
}
