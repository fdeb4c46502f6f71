import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Client } from '@trainjob/kube'
import type { LocalCluster } from '@trainjob/local'
import { startCluster } from '@trainjob/local'
import { TrainerClient } from '@trainjob/sdk'
import { afterAll, beforeAll, describe } from 'vitest'

/** A cluster that a suite runs against: it says nothing of what stands behind the API. Use it inside tests and hooks. */
export interface TestCluster {
  readonly client: Client
  readonly trainer: TrainerClient
  /** A folder that tests and the commands of pods share. */
  readonly dir: string
}

/** Starts one kind of cluster. */
interface ClusterFactory {
  readonly name: string
  start(dir: string): Promise<{ readonly client: Client; stop(): Promise<void> }>
}

/** The cluster in this process. Waits between attempts are short: a suite is about what happens, not about when. */
const embedded: ClusterFactory = {
  name: 'embedded',
  async start(dir) {
    const cluster: LocalCluster = await startCluster({
      dir: join(dir, 'cluster'),
      restartBackoff: { initialMs: 20, maxMs: 100 },
      jobBackoff: { initialMs: 20, maxMs: 100 },
    })
    return { client: cluster.client, stop: () => cluster.stop() }
  },
}

const factories: readonly ClusterFactory[] = [embedded]

/** Declares a suite once for every kind of cluster; all of its tests share one. */
export function describeCluster(name: string, suite: (cluster: TestCluster) => void): void {
  describe.each(factories.map((factory) => ({ on: factory.name, factory })))(`${name} ($on)`, ({ factory }) => {
    let running: Awaited<ReturnType<ClusterFactory['start']>> | undefined
    let dir = ''
    let trainer: TrainerClient | undefined

    beforeAll(async () => {
      dir = await mkdtemp(join(tmpdir(), 'trainjob-cluster-'))
      running = await factory.start(dir)
      trainer = TrainerClient.over(running.client)
    })
    afterAll(async () => {
      await running?.stop()
      await rm(dir, { recursive: true, force: true })
    })

    suite({
      get client() {
        return started(running).client
      },
      get trainer() {
        return started(trainer)
      },
      get dir() {
        return dir
      },
    })
  })
}

function started<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('the cluster is there inside tests and hooks only')
  return value
}
