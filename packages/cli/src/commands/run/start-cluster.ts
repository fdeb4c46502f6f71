import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { LocalCluster } from '@trainjob/local'
import type { CommandIO } from '../../command-io.ts'
import type { RunOptions } from './run-options.ts'

/** The embedded cluster of one `run`, in a folder of its own that goes with it. */
export interface RunCluster {
  readonly client: LocalCluster['client']
  onNote(listener: (note: string) => void): void
  /** Ends every process and removes the folder. May be called again. */
  stop(): Promise<void>
}

/** Starts it. What is left of a start that failed is removed. */
export async function startRunCluster(options: RunOptions, io: CommandIO): Promise<RunCluster> {
  const [dir, { startCluster }] = await Promise.all([mkdtemp(join(tmpdir(), 'trainjob-')), import('@trainjob/local')])
  const remove = async (): Promise<void> => await rm(dir, { recursive: true, force: true, maxRetries: 3 })
  try {
    const cluster = await startCluster({
      dir,
      removeDirWhenKilled: true,
      clock: io.clock,
      fit: options.fit,
      workspace: options.workspace,
      runner: options.runner,
      enforceLimits: options.enforceLimits,
      hostPaths: options.hostPaths,
      ...(options.data === undefined ? {} : { claimsDir: options.data }),
      signal: io.signal,
    })
    let stopped: Promise<void> | undefined
    const stop = async (): Promise<void> => await cluster.stop().finally(remove)
    return {
      client: cluster.client,
      onNote: (listener) => cluster.onNote(listener),
      stop: () => {
        stopped ??= stop()
        return stopped
      },
    }
  } catch (error) {
    await remove()
    throw error
  }
}
