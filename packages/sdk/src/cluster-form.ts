import {
  type AnyTrainingRuntime,
  ClusterTrainingRuntimes,
  type Issue,
  type KubernetesObject,
  TrainingRuntimes,
  type TrainJob,
  TrainJobs,
} from '@trainjob/api'
import { ApiError, type CallOptions, type Client, type ObjectKey, type Resource } from '@trainjob/kube'
import { TrainerError } from './trainer-error.ts'

/** Makes objects what the cluster's controller understands, be it this project's or upstream's. */
export interface ClusterForm {
  /**
   * The TrainJob or runtime in canonical form, as it may be sent: with the kind of its runtime, and on a cluster with
   * upstream's controller with what that one can be told in its own fields. Objects of other kinds come back as they
   * are. Rejects with `TrainerError` `invalid`, whose causes name what cannot be told there.
   */
  adapt<T extends KubernetesObject>(object: T, call?: CallOptions): Promise<T>
  /** Whether the cluster's controller is upstream's, which looks at no annotation of this project. */
  isUpstream(namespace: string, call?: CallOptions): Promise<boolean>
}

/** Of annotations that hold what the canonical API has no field for. */
const OWN_PREFIX = 'trainjob.dev/'

/** What only the document's form has: upstream's definitions do not know it. */
const PROBE = { runtimeRef: { name: 'any' }, trainer: { resources: {} } }

/**
 * Asks a cluster once which form it takes, when that first matters.
 *
 * @example
 * const form = clusterForm(client)
 * const { spec } = await form.adapt({ ...trainJob, spec: { runtimeRef: { name: 'plain' } } })
 * spec.runtimeRef // => { name: 'plain', kind: 'ClusterTrainingRuntime' }
 */
export function clusterForm(kube: Client): ClusterForm {
  let known: Promise<boolean> | undefined
  const knowsDocument = (namespace: string, call: CallOptions): Promise<boolean> => {
    known ??= asks(kube, namespace, call).catch((error: unknown) => {
      known = undefined
      throw error
    })
    return known
  }

  async function adaptTrainJob(trainJob: TrainJob, call: CallOptions): Promise<TrainJob> {
    const { runtimeRef } = trainJob.spec
    if (runtimeRef.kind !== undefined && !hasOwnAnnotations(trainJob)) return trainJob
    const runtime = await findRuntime(kube, trainJob, call)
    if (runtime === undefined) return trainJob
    const { kind } = runtime
    const named = { ...trainJob, spec: { ...trainJob.spec, runtimeRef: { ...runtimeRef, kind } } }
    if (!hasOwnAnnotations(trainJob) && !hasOwnAnnotations(runtime)) return named
    if (await knowsDocument(trainJob.metadata.namespace ?? 'default', call)) return named
    const { lowerTrainJob } = await import('@trainjob/runtime')
    const { trainJob: lowered, refusals } = lowerTrainJob(named, runtime)
    refuse(refusals)
    return lowered
  }

  async function adaptRuntime(runtime: AnyTrainingRuntime, call: CallOptions): Promise<AnyTrainingRuntime> {
    if (!hasOwnAnnotations(runtime)) return runtime
    if (await knowsDocument(runtime.metadata.namespace ?? 'default', call)) return runtime
    const { lowerRuntime } = await import('@trainjob/runtime')
    const { runtime: lowered, refusals } = lowerRuntime(runtime)
    refuse(refusals)
    return lowered
  }

  return {
    async adapt<T extends KubernetesObject>(object: T, call: CallOptions = {}): Promise<T> {
      if (!object.apiVersion.startsWith('trainer.kubeflow.org/')) return object
      if (object.kind === 'TrainJob') return adaptTrainJob(object as unknown as TrainJob, call) as unknown as Promise<T>
      if (object.kind !== 'TrainingRuntime' && object.kind !== 'ClusterTrainingRuntime') return object
      return adaptRuntime(object as unknown as AnyTrainingRuntime, call) as unknown as Promise<T>
    },
    isUpstream: async (namespace, call = {}) => !(await knowsDocument(namespace, call)),
  }
}

function hasOwnAnnotations({ metadata }: KubernetesObject): boolean {
  return Object.keys(metadata.annotations ?? {}).some((name) => name.startsWith(OWN_PREFIX))
}

/** A dry run is refused for a field that the definitions lack, before anything else is looked at. */
async function asks(kube: Client, namespace: string, call: CallOptions): Promise<boolean> {
  const probe = {
    apiVersion: 'trainer.kubeflow.org/v1alpha1',
    kind: 'TrainJob',
    metadata: { name: 'which-form', namespace },
    spec: PROBE,
  } as TrainJob
  try {
    await kube.create(TrainJobs, probe, { ...call, dryRun: true, fieldValidation: 'Strict', onWarning: () => {} })
    return true
  } catch (error) {
    if (error instanceof ApiError) return !error.message.includes('unknown field')
    throw error
  }
}

/** The runtime that a job means; without a kind the cluster's counts first. Who may not read runtimes has none. */
async function findRuntime(
  kube: Client,
  trainJob: TrainJob,
  call: CallOptions,
): Promise<AnyTrainingRuntime | undefined> {
  const { name, kind } = trainJob.spec.runtimeRef
  const namespace = trainJob.metadata.namespace ?? 'default'
  const find = async <T extends AnyTrainingRuntime>(resource: Resource<T>, key: ObjectKey): Promise<T | undefined> => {
    if (kind !== undefined && kind !== resource.kind) return undefined
    try {
      return await kube.get(resource, key, call)
    } catch (error) {
      if (error instanceof ApiError && (error.httpCode === 404 || error.httpCode === 403)) return undefined
      throw error
    }
  }
  return (await find(ClusterTrainingRuntimes, { name })) ?? (await find(TrainingRuntimes, { namespace, name }))
}

function refuse(issues: readonly Issue[]): void {
  const [first] = issues
  if (first === undefined) return
  const { kind, name } = first.object
  const causes = issues.map(({ path, message }) => ({ path, message }))
  throw new TrainerError(
    'invalid',
    `${kind} ${name} cannot be submitted: ${issues.map(({ message }) => message).join('; ')}`,
    { causes },
  )
}
