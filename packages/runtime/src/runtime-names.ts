import {
  type AnyTrainingRuntime,
  type ContainerPatch,
  NODE_NAME,
  type ReplicatedJob,
  type ReplicatedJobPatch,
  type TrainJob,
  WRITTEN_AS_ANNOTATION,
} from '@trainjob/api'

/**
 * The job, with its patches of jobs and containers under the names that those have in the runtime. A runtime of the
 * document calls them `worker` and `trainer`, say, and so do the patches that are written for it. The job itself when
 * no name is another.
 */
export function withRuntimeNames(trainJob: TrainJob, runtime: AnyTrainingRuntime): TrainJob {
  const { runtimePatches } = trainJob.spec
  if (runtimePatches === undefined || runtimePatches.length === 0) return trainJob
  const jobs = runtime.spec.template?.spec?.replicatedJobs ?? []
  const renamed = jobs.find((job) => job.name === NODE_NAME && writtenAs(job) !== undefined)
  if (renamed === undefined) return trainJob
  const [job, container] = writtenAs(renamed)?.split('/') ?? []
  // a job or container that is really called so is meant itself
  const isTaken = (name: string | undefined, items: readonly { readonly name: string }[]): boolean =>
    name === undefined || name === NODE_NAME || items.some((item) => item.name === name)
  const { containers = [], initContainers = [] } = renamed.template.spec?.template.spec ?? {}
  const names: Names = {
    ...(!isTaken(job, jobs) && { job }),
    ...(!isTaken(container, [...containers, ...initContainers]) && { container }),
  }
  const patches = runtimePatches.map((patch) => {
    const { template } = patch.trainingRuntimeSpec ?? {}
    const before = template?.spec?.replicatedJobs
    const after = before?.map((one) => renamedJob(one, names))
    if (after === undefined || after.every((one, index) => one === before?.[index])) return patch
    const spec = { ...template?.spec, replicatedJobs: after }
    return { ...patch, trainingRuntimeSpec: { ...patch.trainingRuntimeSpec, template: { ...template, spec } } }
  })
  if (patches.every((patch, index) => patch === runtimePatches[index])) return trainJob
  return { ...trainJob, spec: { ...trainJob.spec, runtimePatches: patches } }
}

/** As they were written. */
interface Names {
  readonly job?: string | undefined
  readonly container?: string | undefined
}

function renamedJob(patch: ReplicatedJobPatch, { job, container }: Names): ReplicatedJobPatch {
  if (patch.name !== NODE_NAME && patch.name !== job) return patch
  const named = patch.name === NODE_NAME ? patch : { ...patch, name: NODE_NAME }
  const pod = patch.template?.spec?.template?.spec
  if (container === undefined || !pod?.containers?.some(({ name }) => name === container)) return named
  const containers = pod.containers.map(
    (one): ContainerPatch => (one.name === container ? { ...one, name: NODE_NAME } : one),
  )
  const { template } = patch
  const spec = { ...template?.spec, template: { ...template?.spec?.template, spec: { ...pod, containers } } }
  return { ...named, template: { ...template, spec } }
}

function writtenAs(job: ReplicatedJob): string | undefined {
  return job.template.spec?.template.metadata?.annotations?.[WRITTEN_AS_ANNOTATION]
}
