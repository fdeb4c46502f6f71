import { type BenchmarkRow, toRow } from '../row.ts'
import { PEER } from './peer-server.ts'
import { type Side, startSides } from './sides.ts'

const ROUNDS = 9
const OBJECTS = 500
/** How often each object is read in a round. */
const TIMES = { ours: 6, peer: 2 }

/** Gets of 2 KB TrainJobs by one client over TLS and kept connections, 16 and one request in flight. */
export async function getBench(): Promise<BenchmarkRow[]> {
  await using sides = await startSides('memory')
  const { ours, peer } = sides
  // nothing to compare with
  if (peer === undefined) return []
  const rows: BenchmarkRow[] = []
  const measured = [
    { side: ours, times: TIMES.ours, names: await objects(ours), figures: [] as number[] },
    { side: peer, times: TIMES.peer, names: await objects(peer), figures: [] as number[] },
  ] as const
  for (const inFlight of [16, 1]) {
    for (const one of measured) one.figures.length = 0
    for (let round = -1; round < ROUNDS; round++) {
      for (const { side, times, names, figures } of measured) {
        const { ms } = await side.load.perform({ do: 'get', names: Array(times).fill(names).flat(), inFlight })
        if (round >= 0) figures.push((ms * 1000) / (names.length * times))
      }
    }
    const [own, other] = measured
    rows.push(
      toRow({
        name: `get, ${inFlight} in flight`,
        unit: 'µs/get',
        ours: [...own.figures],
        peer: { ...PEER, figures: [...other.figures] },
        target: 1,
      }),
    )
  }
  return rows
}

/** Names of objects that were just made. */
async function objects({ load }: Side): Promise<readonly string[]> {
  return (await load.perform({ do: 'create', count: OBJECTS, inFlight: 16 })).names
}
