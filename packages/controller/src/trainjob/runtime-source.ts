import {
  type AnyTrainingRuntime,
  ClusterTrainingRuntimes,
  type ConfigMap,
  ConfigMaps,
  TrainingRuntimes,
  type TrainJob,
} from '@trainjob/api'
import { type CallOptions, type Client, isAlreadyExists, isNotFound, type Reader } from '@trainjob/kube'
import { runtimeFromSnapshot, runtimeSnapshot, runtimeSnapshotName } from '@trainjob/runtime'
import { ControllerError } from '../controller-error.ts'

/** The runtime that a job uses: the live object at first, its snapshot from then on, so that edits do not reach running jobs. */
export interface RuntimeSource {
  readonly runtime: AnyTrainingRuntime
  /** Whether it was read from the snapshot. */
  readonly snapshot: boolean
}

/** Reads the snapshot, else the live runtime. Rejects with `ControllerError`, or with what the API answered. */
export async function readRuntime(
  reader: Reader,
  trainJob: TrainJob,
  options: CallOptions = {},
): Promise<RuntimeSource> {
  const stored = await readSnapshot(reader, trainJob, options)
  if (stored !== undefined) return { runtime: await fromSnapshot(stored, trainJob), snapshot: true }
  return { runtime: await readLiveRuntime(reader, trainJob, options), snapshot: false }
}

/** The runtime's object as it is now. */
async function readLiveRuntime(
  reader: Reader,
  trainJob: TrainJob,
  options: CallOptions = {},
): Promise<AnyTrainingRuntime> {
  const { name, kind = 'ClusterTrainingRuntime' } = trainJob.spec.runtimeRef
  try {
    return kind === 'TrainingRuntime'
      ? await reader.get(TrainingRuntimes, { namespace: namespaceOf(trainJob), name }, options)
      : await reader.get(ClusterTrainingRuntimes, { name }, options)
  } catch (error) {
    if (!isNotFound(error)) throw error
    const where = kind === 'TrainingRuntime' ? ` in namespace ${namespaceOf(trainJob)}` : ''
    throw new ControllerError(
      'runtime-not-found',
      `${kind} "${name}", to which spec.runtimeRef points, does not exist${where}: create it, or delete the TrainJob and submit it with another runtime`,
      { cause: error },
    )
  }
}

/** Stores the snapshot once; hands back the runtime that counts, which is the stored one when another writer was faster. */
export async function storeSnapshot(
  client: Client,
  trainJob: TrainJob,
  runtime: AnyTrainingRuntime,
  options: CallOptions = {},
): Promise<AnyTrainingRuntime> {
  const snapshot = runtimeSnapshot(trainJob, runtime)
  try {
    await client.create(ConfigMaps, snapshot, { ...options, fieldManager: 'trainer' })
    return runtime
  } catch (error) {
    if (!isAlreadyExists(error)) throw error
    const stored = await readSnapshot(client, trainJob, options)
    if (stored === undefined) throw error
    return fromSnapshot(stored, trainJob)
  }
}

/** Upstream's controller writes YAML; what this one writes is JSON. */
async function fromSnapshot(snapshot: ConfigMap, trainJob: TrainJob): Promise<AnyTrainingRuntime> {
  const isJson = Object.values(snapshot.data ?? {}).every((text) => text.startsWith('{'))
  const parse = isJson ? undefined : (await import('yaml')).parse
  return runtimeFromSnapshot(snapshot, trainJob, parse)
}

async function readSnapshot(reader: Reader, trainJob: TrainJob, options: CallOptions): Promise<ConfigMap | undefined> {
  const key = { namespace: namespaceOf(trainJob), name: runtimeSnapshotName(trainJob.metadata.name ?? '') }
  try {
    const snapshot = await reader.get(ConfigMaps, key, options)
    if (isFormerJobs(snapshot, trainJob)) {
      throw new ControllerError(
        'former-job',
        `ConfigMap ${key.name} of the former TrainJob of this name still goes away`,
      )
    }
    return snapshot
  } catch (error) {
    if (isNotFound(error)) return undefined
    throw error
  }
}

/** Left by a deleted job that had the same name. */
function isFormerJobs(snapshot: ConfigMap, { metadata }: TrainJob): boolean {
  const owner = snapshot.metadata.ownerReferences?.find((one) => one.controller === true)
  return owner?.kind === 'TrainJob' && owner.name === metadata.name && owner.uid !== metadata.uid
}

function namespaceOf(trainJob: TrainJob): string {
  return trainJob.metadata.namespace ?? 'default'
}
