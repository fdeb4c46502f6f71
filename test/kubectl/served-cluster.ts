import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Client } from '@trainjob/kube'
import { startCluster } from '@trainjob/local'

/** An embedded cluster that listens, for programs that read a kubeconfig. */
export interface ServedCluster {
  /** Folder of this cluster alone, removed with it. */
  readonly dir: string
  /** File. */
  readonly kubeconfig: string
  readonly url: string
  /** Goes past the listener. */
  readonly client: Client
  close(): Promise<void>
}

export async function serveCluster(): Promise<ServedCluster> {
  const dir = await mkdtemp(path.join(tmpdir(), 'trainjob-served-'))
  try {
    const cluster = await startCluster({ dir: path.join(dir, 'cluster') })
    const kubeconfig = path.join(dir, 'kubeconfig')
    try {
      const listening = await cluster.listen()
      await writeFile(kubeconfig, listening.kubeconfig(), { mode: 0o600 })
      return {
        dir,
        kubeconfig,
        url: listening.url,
        client: cluster.client,
        async close() {
          await cluster.stop()
          await rm(dir, { recursive: true, force: true })
        },
      }
    } catch (error) {
      await cluster.stop()
      throw error
    }
  } catch (error) {
    await rm(dir, { recursive: true, force: true })
    throw error
  }
}
