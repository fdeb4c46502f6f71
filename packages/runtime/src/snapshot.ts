import {
  type AnyTrainingRuntime,
  type ConfigMap,
  TRAINER_API_VERSION,
  TRAINER_GROUP,
  type TrainJob,
} from '@trainjob/api'
import { RenderError } from './error.ts'
import { ownerReference } from './owner.ts'

const SUFFIX = '-runtime-snapshot'
const DATA_KEY = 'runtime'

/**
 * Name of the ConfigMap that holds a job's runtime as it was when the job was first rendered.
 *
 * @example
 * runtimeSnapshotName('mnist') // => 'mnist-runtime-snapshot'
 */
export function runtimeSnapshotName(trainJobName: string): string {
  return trainJobName + SUFFIX
}

/**
 * The ConfigMap that keeps a job's runtime: later edits of the runtime do not reach the job. Upstream reads it too (the
 * text is JSON, which is YAML).
 * Source: kubeflow/trainer v2.3.0, pkg/runtime/core/snapshot.go.
 *
 * @example
 * const runtime = shippedRuntimes().find(({ metadata }) => metadata.name === trainJob.spec.runtimeRef.name)
 * if (runtime === undefined) throw new Error('it is not shipped')
 * const { metadata, data } = runtimeSnapshot(trainJob, runtime)
 * metadata.name // => 'mnist-runtime-snapshot'
 * JSON.parse(data?.runtime ?? '').metadata.name // => 'torch-distributed'
 */
export function runtimeSnapshot(trainJob: TrainJob, runtime: AnyTrainingRuntime): ConfigMap {
  const { managedFields: _, ...metadata } = runtime.metadata
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name: runtimeSnapshotName(trainJob.metadata.name ?? ''),
      namespace: trainJob.metadata.namespace ?? 'default',
      ownerReferences: [ownerReference(trainJob)],
    },
    data: { [DATA_KEY]: JSON.stringify({ ...runtime, apiVersion: TRAINER_API_VERSION, metadata }) },
  }
}

/**
 * The runtime in a job's snapshot, after checking that the snapshot is the job's own and of the runtime it refers to.
 *
 * @param parse reads what is not JSON: pass a YAML parser to accept snapshots that upstream's controller took.
 * @throws RenderError `invalid-snapshot`
 * @example
 * const runtime = shippedRuntimes().find(({ metadata }) => metadata.name === trainJob.spec.runtimeRef.name)
 * if (runtime === undefined) throw new Error('it is not shipped')
 * runtimeFromSnapshot(runtimeSnapshot(trainJob, runtime), trainJob).metadata.name // => 'torch-distributed'
 * const another = { ...trainJob, metadata: { ...trainJob.metadata, uid: 'another' } }
 * runtimeFromSnapshot(runtimeSnapshot(trainJob, runtime), another) // throws invalid-snapshot
 */
export function runtimeFromSnapshot(
  configMap: ConfigMap,
  trainJob: TrainJob,
  parse?: (text: string) => unknown,
): AnyTrainingRuntime {
  const owner = configMap.metadata.ownerReferences?.find(({ controller }) => controller === true)
  if (owner === undefined || owner.uid !== (trainJob.metadata.uid ?? '')) {
    throw invalid(configMap, 'metadata.ownerReferences', 'it belongs to another object')
  }
  const text = configMap.data?.[DATA_KEY]
  if (text === undefined) throw invalid(configMap, 'data', `it has no key ${DATA_KEY}`)
  const runtime = read(configMap, text, parse)
  assertRefersTo(configMap, runtime, trainJob)
  return runtime
}

function read(configMap: ConfigMap, text: string, parse: ((text: string) => unknown) | undefined): AnyTrainingRuntime {
  const path = `data.${DATA_KEY}`
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    try {
      if (!parse) throw cause
      value = parse(text)
    } catch (failure) {
      throw invalid(configMap, path, 'its text cannot be read', failure)
    }
  }
  if (!isRuntime(value)) throw invalid(configMap, path, 'it holds no TrainingRuntime')
  return value
}

function isRuntime(value: unknown): value is AnyTrainingRuntime {
  if (typeof value !== 'object' || value === null) return false
  const { kind, metadata, spec } = value as Record<string, unknown>
  return (
    typeof kind === 'string' &&
    typeof metadata === 'object' &&
    typeof spec === 'object' &&
    metadata !== null &&
    spec !== null
  )
}

function assertRefersTo(configMap: ConfigMap, runtime: AnyTrainingRuntime, trainJob: TrainJob): void {
  const { name, kind, apiGroup } = trainJob.spec.runtimeRef
  const group = runtime.apiVersion?.split('/')[0] ?? ''
  if (
    runtime.metadata.name === name &&
    (kind === undefined || runtime.kind === kind) &&
    (apiGroup === undefined || group === apiGroup)
  ) {
    return
  }
  const expected = `${kind ?? 'a runtime'} ${name} of ${apiGroup ?? TRAINER_GROUP}`
  throw invalid(
    configMap,
    `data.${DATA_KEY}`,
    `expected ${expected}, found ${runtime.kind} ${runtime.metadata.name} of ${group}`,
  )
}

function invalid(configMap: ConfigMap, path: string, fault: string, cause?: unknown): RenderError {
  return new RenderError(
    'invalid-snapshot',
    path,
    `The runtime snapshot ${configMap.metadata.name} cannot be used: ${fault}. Delete the ConfigMap to take a new one.`,
    { cause },
  )
}
