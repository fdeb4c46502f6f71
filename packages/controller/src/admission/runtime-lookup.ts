import {
  type AnyTrainingRuntime,
  ClusterTrainingRuntimes,
  TRAINER_GROUP,
  TrainingRuntimes,
  type TrainJob,
} from '@trainjob/api'
import { type CallOptions, isNotFound, type ObjectKey, type Reader, type Resource } from '@trainjob/kube'

/** At most so many names are listed in a message. */
const LISTED = 20

/** The runtime that the job names, or a message that says which ones there are. */
export async function lookUpRuntime(
  reader: Reader,
  trainJob: TrainJob,
  call: CallOptions = {},
): Promise<{ runtime: AnyTrainingRuntime } | { missing: string }> {
  const { name, kind = 'ClusterTrainingRuntime', apiGroup = TRAINER_GROUP } = trainJob.spec.runtimeRef
  if (apiGroup !== TRAINER_GROUP || (kind !== 'ClusterTrainingRuntime' && kind !== 'TrainingRuntime')) {
    return {
      missing: `no runtime is a ${kind} of ${apiGroup}: expected the kind ClusterTrainingRuntime or TrainingRuntime of ${TRAINER_GROUP}`,
    }
  }
  const namespace = trainJob.metadata.namespace ?? 'default'
  const namespaced = kind === 'TrainingRuntime'
  const runtime: AnyTrainingRuntime | undefined = namespaced
    ? await find(reader, TrainingRuntimes, { namespace, name }, call)
    : await find(reader, ClusterTrainingRuntimes, { name }, call)
  if (runtime !== undefined) return { runtime }

  const [cluster, own] = await Promise.all([
    names(reader, ClusterTrainingRuntimes, call),
    names(reader, TrainingRuntimes, { ...call, namespace }),
  ])
  const where = namespaced ? ` in namespace ${namespace}` : ''
  const other = namespaced ? cluster : own
  const otherKind = namespaced ? 'ClusterTrainingRuntime' : 'TrainingRuntime'
  if (other.includes(name)) {
    return {
      missing: `${kind} "${name}" does not exist${where}, but a ${otherKind} of that name does: set spec.runtimeRef.kind to ${otherKind}`,
    }
  }
  const existing = namespaced ? own : cluster
  const { nearestName } = await import('@trainjob/api/validate')
  const nearest = nearestName(name, existing)
  const hint = nearest === undefined ? '' : `; did you mean "${nearest}"?`
  const list =
    existing.length === 0
      ? `There is no ${kind}${where}: create one first`
      : `There are: ${existing.slice(0, LISTED).join(', ')}${existing.length > LISTED ? ', …' : ''}`
  return { missing: `${kind} "${name}" does not exist${where}${hint === '' ? '. ' : `${hint} `}${list}` }
}

/**
 * The kind to write into a `runtimeRef` that has none: the cluster's runtime, and only where it is missing the
 * namespace's own; nothing where there is neither.
 */
export async function resolveKind(
  reader: Reader,
  name: string,
  namespace: string,
): Promise<'ClusterTrainingRuntime' | 'TrainingRuntime' | undefined> {
  if ((await find(reader, ClusterTrainingRuntimes, { name })) !== undefined) return 'ClusterTrainingRuntime'
  const own = await find(reader, TrainingRuntimes, { namespace, name })
  return own && 'TrainingRuntime'
}

async function find<T extends AnyTrainingRuntime>(
  reader: Reader,
  resource: Resource<T>,
  key: ObjectKey,
  call: CallOptions = {},
): Promise<T | undefined> {
  try {
    return await reader.get(resource, key, call)
  } catch (error) {
    if (isNotFound(error)) return undefined
    throw error
  }
}

async function names<T extends AnyTrainingRuntime>(
  reader: Reader,
  resource: Resource<T>,
  options: CallOptions & { namespace?: string },
): Promise<readonly string[]> {
  const { items } = await reader.list(resource, options)
  return items.map((one) => one.metadata.name ?? '').sort()
}
