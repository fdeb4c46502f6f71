import {
  ConfigMaps,
  type Job,
  type JobSet,
  JobSets,
  Jobs,
  type KubernetesObject,
  type Node,
  Nodes,
  type Pod,
  Pods,
  type ResourceType,
  Secrets,
  type Service,
  Services,
  type TrainJob,
  TrainJobs,
} from '@trainjob/api'
import { type Client, type Clock, createInformer, type Indexers, type Informer, keyText } from '@trainjob/kube'
import { type PersistentVolumeClaim, PersistentVolumeClaims } from './jobset/volume-claims.ts'

/** Index of pods: key text of the Job that controls them. */
export const PODS_BY_JOB = 'job'
/** Index of Jobs: uid of the JobSet that controls them. */
export const JOBS_BY_JOB_SET = 'jobSet'

export interface InformedKind<T extends KubernetesObject = KubernetesObject> {
  readonly resource: ResourceType<T>
  readonly informer: Informer<T>
}

/** One cache for each kind that the engines read, shared by all of them. A cache runs while one of its users does. */
export interface Informers {
  readonly trainJobs: Informer<TrainJob>
  readonly jobSets: Informer<JobSet>
  readonly jobs: Informer<Job>
  readonly pods: Informer<Pod>
  readonly services: Informer<Service>
  readonly claims: Informer<PersistentVolumeClaim>
  readonly nodes: Informer<Node>
  /** Every kind that owns objects or is owned: what the garbage collector looks after. */
  readonly owned: readonly InformedKind[]
}

export function createInformers(client: Client, clock: Clock): Informers {
  const owned: InformedKind[] = []
  const inform = <T extends KubernetesObject>(resource: ResourceType<T>, indexers: Indexers<T> = {}): Informer<T> => {
    const informer = createInformer({ client, clock, resource, indexers })
    owned.push({ resource, informer } as unknown as InformedKind)
    return informer
  }
  inform(ConfigMaps)
  inform(Secrets)
  return {
    trainJobs: inform(TrainJobs),
    jobSets: inform(JobSets),
    jobs: inform(Jobs, { [JOBS_BY_JOB_SET]: (job) => controllerOf(job, 'JobSet', ({ uid }) => uid) }),
    pods: inform(Pods, {
      [PODS_BY_JOB]: (pod) => controllerOf(pod, 'Job', ({ name }) => keyText({ ...keyOfNamespace(pod), name })),
    }),
    services: inform(Services),
    claims: inform(PersistentVolumeClaims),
    nodes: createInformer({ client, clock, resource: Nodes }),
    owned,
  }
}

function controllerOf(
  { metadata }: KubernetesObject,
  kind: string,
  value: (owner: { name: string; uid: string }) => string,
): readonly string[] {
  const owner = metadata.ownerReferences?.find((reference) => reference.controller === true && reference.kind === kind)
  return owner === undefined ? [] : [value(owner)]
}

function keyOfNamespace({ metadata }: KubernetesObject): { namespace?: string } {
  return metadata.namespace === undefined ? {} : { namespace: metadata.namespace }
}
