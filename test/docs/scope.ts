import { mkdtempSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TRAINER_API_VERSION, type TrainJob } from '@trainjob/api'
import type { Client } from '@trainjob/kube'
import { type LocalCluster, startCluster } from '@trainjob/local'
import { TrainerClient } from '@trainjob/sdk'

/*
 * What examples may use without making it: one embedded cluster and what leads to it.
 */

const base: string = mkdtempSync(join(tmpdir(), 'trainjob-examples-'))

/** A running embedded cluster. */
export const cluster: LocalCluster = await startCluster({ dir: join(base, 'cluster') })
/** A client of it. */
export const client: Client = cluster.client
/** A client for TrainJobs on it. */
export const trainer: TrainerClient = TrainerClient.over(client)
/** A TrainJob as a server has stored it: four nodes on the shipped runtime for torch. It does not exist. */
export const trainJob: TrainJob = {
  apiVersion: TRAINER_API_VERSION,
  kind: 'TrainJob',
  metadata: { name: 'mnist', namespace: 'default', uid: '5d2f3c1e-0c8b-4c55-9a55-0d4a52f1f3a7' },
  spec: { runtimeRef: { name: 'torch-distributed', kind: 'ClusterTrainingRuntime' }, trainer: { numNodes: 4 } },
}
/** An empty folder. */
export const folder: string = mkdtempSync(join(base, 'folder-'))
/** Path of a kubeconfig file of the cluster; `KUBECONFIG` names it, too. */
export const kubeconfig: string = join(base, 'kubeconfig')
writeFileSync(kubeconfig, (await cluster.listen()).kubeconfig())

/** Ends it all. */
export async function close(): Promise<void> {
  await cluster.stop()
  await rm(base, { recursive: true, force: true })
}
