/**
 * Our cluster in a process of its own: its address as JSON answers the first line on stdin; after that each line is a
 * question about the process. Its folder, and `memory` or `sqlite`, stand on the command line.
 */
import path from 'node:path'
import { createInterface } from 'node:readline'
import { openSqliteStore, startCluster } from '@trainjob/local'
import { watchTurns } from './turns.ts'

const [dir, kind] = process.argv.slice(2)
if (dir === undefined || (kind !== 'memory' && kind !== 'sqlite')) throw new Error('Expected a folder and a store.')

const store = kind === 'sqlite' ? { store: await openSqliteStore(path.join(dir, 'store.db')) } : {}
const cluster = await startCluster({ dir: path.join(dir, 'run'), ...store })
const { url, caCert: ca, token } = await cluster.listen()
const turns = watchTurns()

const ANSWERS: Readonly<Record<string, () => unknown>> = {
  address: () => ({ url, ca, token }),
  cpu: () => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1000
  },
  resident: () => {
    // twice: what finalizers let go of is freed by the second one
    for (let round = 0; round < 2; round++) globalThis.gc?.()
    return process.memoryUsage.rss() / 2 ** 20
  },
  /** Longest turns of the event loop since the last time. */
  turns: () => turns.take(),
}

for await (const question of createInterface({ input: process.stdin })) {
  console.log(JSON.stringify(ANSWERS[question]?.()))
}
await cluster.stop()
process.exit()
