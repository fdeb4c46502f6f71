import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Client } from '@trainjob/kube'
import { startCluster } from '@trainjob/local'
import { toTrainerError } from './to-trainer-error.ts'
import type { LocalOptions } from './trainer-client.ts'

/** Starts a cluster in this process; `stop` ends its jobs and leaves nothing of it behind. Rejects with `TrainerError`. */
export async function startLocally(options: LocalOptions): Promise<{ readonly client: Client; stop(): Promise<void> }> {
  const { dir: given, workspace, fit, onNote } = options
  const dir = given ?? (await mkdtemp(join(tmpdir(), 'trainjob-')))
  const clean = async () => {
    if (given === undefined) await rm(dir, { recursive: true, force: true })
  }
  try {
    const cluster = await startCluster({
      dir,
      ...(workspace !== undefined && { workspace }),
      ...(fit !== undefined && { fit }),
    })
    if (onNote !== undefined) cluster.onNote(onNote)
    return {
      client: cluster.client,
      async stop() {
        await cluster.stop()
        await clean()
      },
    }
  } catch (error) {
    await clean()
    throw toTrainerError(error, `start a cluster in ${dir}`)
  }
}
