import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { packProgram } from './cli/packed-program.ts'
import { timeOfProcess } from './cli/timed.ts'
import { type BenchmarkRow, toRow } from './row.ts'

const ROUNDS = 11
/** What `local up` may take, in ms: no peer does what it does, so the figure to meet stands in its place. */
const ASKED_FOR = 400

/** From the start of the packed `trainjob local up` to its end, when clients can connect; with a warm compile cache. */
export async function localUpBench(): Promise<BenchmarkRow[]> {
  const packed = packProgram()
  mkdirSync(packed.home, { recursive: true })
  const env = { PATH: process.env.PATH, HOME: packed.home, NODE_COMPILE_CACHE: join(packed.home, 'compiled') }
  const local = (...args: string[]): number => timeOfProcess([packed.file, 'local', ...args], env)
  const measure = (purge: boolean): number => {
    const ms = local('up')
    local('down', ...(purge ? ['--purge'] : []))
    return ms
  }
  try {
    measure(true)
    const again: number[] = []
    const fresh: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      fresh.push(measure(false))
      again.push(measure(true))
    }
    const peer = { name: 'asked for', version: 'at most', figures: [ASKED_FOR] }
    return [
      toRow({ name: 'local up to ready, a new cluster', unit: 'ms', ours: fresh, peer, target: 1 }),
      toRow({ name: 'local up to ready, one that was there before', unit: 'ms', ours: again, peer, target: 1 }),
    ]
  } finally {
    local('down', '--purge')
    packed.remove()
  }
}
