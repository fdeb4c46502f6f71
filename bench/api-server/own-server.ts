import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startLines } from '@trainjob/test/oracle'
import type { MeasuredServer, ServerAddress } from './server.ts'
import type { LongestTurn } from './turns.ts'

/** Our own server, which can say more of itself. */
export interface OwnServer extends MeasuredServer {
  /** The longest turn of its event loop since this was last asked. */
  longestTurn(): Promise<LongestTurn>
}

/** Those that `local up` gives its server. */
const FLAGS = ['--max-semi-space-size=16'] as const

/**
 * Starts the whole embedded cluster: server, controllers and node. With `sqlite` every answer waits until SQLite has
 * taken the write into its log (WAL, `synchronous = NORMAL`), as `trainjob local up` does.
 */
export async function startOwnServer(store: 'memory' | 'sqlite'): Promise<OwnServer> {
  await using started = new AsyncDisposableStack()
  const dir = await mkdtemp(path.join(tmpdir(), 'trainjob-bench-'))
  started.defer(() => rm(dir, { recursive: true, force: true }))
  const program = path.join(import.meta.dirname, 'own-process.ts')
  const lines = started.use(startLines(process.execPath, [...FLAGS, '--expose-gc', program, dir, store]))
  const ask = async <T>(question: string): Promise<T> => JSON.parse(await lines.send(question)) as T
  const address = await ask<ServerAddress>('address')
  const parts = started.move()
  return {
    address,
    cpuMs: () => ask('cpu'),
    residentMb: () => ask('resident'),
    longestTurn: () => ask('turns'),
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  }
}
