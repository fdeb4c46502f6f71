import {
  ClusterTrainingRuntimes,
  ConfigMaps,
  isFinished,
  type JobSet,
  type KubernetesObject,
  type ResourceType,
  Secrets,
  TRAINER_GROUP,
  TrainingRuntimes,
  type TrainJob,
} from '@trainjob/api'
import {
  ApiError,
  type Client,
  type Clock,
  type ControllerBuilder,
  createInformer,
  type Informer,
  keyOf,
  keyText,
  type ObjectKey,
  ownerKeys,
  sleep,
} from '@trainjob/kube'
import { PodGroups, VolcanoPodGroups } from './rendered-resource.ts'

export interface WatchOptions {
  readonly client: Client
  readonly clock: Clock
  readonly namespace?: string
  readonly trainJobs: Informer<TrainJob>
  readonly jobSets: Informer<JobSet>
  /** Filled with the jobs of which something beside the JobSet was changed or deleted, as `namespace/name`. */
  readonly disturbed: Set<string>
  readonly signal: AbortSignal
}

/** Between two questions to a server that does not answer. */
const RETRY_MS = 1000

const OWNER = { group: TRAINER_GROUP, kind: 'TrainJob' }

/**
 * Lets the controller look at a job when it or its JobSet changes, and when something else that was rendered for it is
 * changed or deleted: then it is rendered once more, also while it runs. New ones mean nothing, they are the
 * controller's own. A runtime that appears or is changed wakes the jobs that wait for it. Kinds of schedulers that the
 * cluster does not have are left out.
 *
 * (source: kubeflow/trainer v2.3.0, `ReconcilerBuilders` of the plugins jobset, mpi, flux, coscheduling and volcano.
 * Upstream also looks again when LimitRanges and RuntimeClasses change, though nothing that it renders depends on them.)
 */
export async function withWatches(
  builder: ControllerBuilder,
  { trainJobs, jobSets, disturbed, signal, ...scope }: WatchOptions,
): Promise<ControllerBuilder> {
  const servedOf = async (kinds: readonly unknown[]): Promise<readonly ResourceType<KubernetesObject>[]> => {
    const all = kinds as readonly ResourceType<KubernetesObject>[]
    const served = await Promise.all(all.map((kind) => isServed(scope, kind, signal)))
    return all.filter((_, index) => served[index])
  }
  const [groups, runtimes] = await Promise.all([
    servedOf([PodGroups, VolcanoPodGroups]),
    servedOf([TrainingRuntimes, ClusterTrainingRuntimes]),
  ])
  const dependents = [
    ConfigMaps as ResourceType<KubernetesObject>,
    Secrets as ResourceType<KubernetesObject>,
    ...groups,
  ]
  const jobs = builder
    .for(trainJobs)
    // by name, not by owner: a JobSet of a former owner that goes makes place for the job's own
    .watches(jobSets, ({ metadata }) => [{ namespace: metadata.namespace ?? 'default', name: metadata.name ?? '' }])
  const withRuntimes = runtimes.reduce((watching, resource) => {
    const { namespace: _, ...everywhere } = scope
    const informer = createInformer({ ...(resource.namespaced ? scope : everywhere), resource, transform: identityOf })
    return watching.watches(informer, (runtime) => waitingFor(runtime, trainJobs, jobSets))
  }, jobs)
  return dependents.reduce((watching, resource) => {
    const informer = createInformer({ ...scope, resource, transform: identityOf })
    informer.on((change) => {
      if (change.type === 'added' || (change.type === 'updated' && isSame(change.old, change.object))) return
      for (const key of ownerKeys(OWNER, change.object)) disturbed.add(keyText(key))
    })
    return watching.watches(informer, (object, old) =>
      ownerKeys(OWNER, object, old).filter((key) => disturbed.has(keyText(key))),
    )
  }, withRuntimes)
}

/** The jobs of a runtime that could not be built yet. */
function waitingFor(
  { kind, metadata }: KubernetesObject,
  trainJobs: Informer<TrainJob>,
  jobSets: Informer<JobSet>,
): readonly ObjectKey[] {
  return trainJobs.store
    .list()
    .filter(({ metadata: own, spec: { runtimeRef }, ...job }) => {
      if (runtimeRef.name !== metadata.name || (runtimeRef.kind ?? 'ClusterTrainingRuntime') !== kind) return false
      return (metadata.namespace === undefined || metadata.namespace === own.namespace) && !isFinished(job)
    })
    .map(keyOf)
    .filter((key) => jobSets.store.get(key) === undefined)
}

/** Whether the cluster has that kind and lets the controller see it; asks until there is an answer. */
async function isServed(
  { client, clock }: Pick<WatchOptions, 'client' | 'clock'>,
  resource: ResourceType<KubernetesObject>,
  signal: AbortSignal,
): Promise<boolean> {
  while (!signal.aborted) {
    try {
      await client.list(resource, { limit: 1, signal })
      return true
    } catch (error) {
      if (error instanceof ApiError && (error.httpCode === 404 || error.httpCode === 403)) return false
      await sleep(clock, RETRY_MS, signal)
    }
  }
  return false
}

/** Nothing of what it holds: the keys in Secrets are nobody's business here, and ConfigMaps may be large. */
function identityOf({ apiVersion, kind, metadata }: KubernetesObject): KubernetesObject {
  const { name, namespace, uid, resourceVersion, generation, ownerReferences } = metadata
  const owned = ownerReferences?.some((one) => one.kind === OWNER.kind) === true
  return {
    apiVersion,
    kind,
    metadata: {
      ...(name !== undefined && { name }),
      ...(namespace !== undefined && { namespace }),
      ...(uid !== undefined && { uid }),
      ...(resourceVersion !== undefined && { resourceVersion }),
      ...(generation !== undefined && { generation }),
      ...(owned && { ownerReferences }),
    },
  }
}

/** Where changes are counted, only those of the spec count: a scheduler writes the status of its pod groups. */
function isSame({ metadata: old }: KubernetesObject, { metadata }: KubernetesObject): boolean {
  return metadata.generation !== undefined && metadata.generation === old.generation
}
