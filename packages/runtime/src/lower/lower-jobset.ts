import {
  ANCESTOR_LABEL,
  ANCESTOR_TRAINER,
  type Container,
  type ContainerPatch,
  type EnvVar,
  type JobSet,
  NODE_NAME,
  type ObjectMeta,
  type PodSpec,
  type PodSpecPatch,
  type ReplicatedJob,
  type ReplicatedJobPatch,
  type RuntimePatch,
  type Trainer,
  type TrainJob,
} from '@trainjob/api'
import { deepEqual } from '../deep-equal.ts'

/** Who patches what operations were written for. */
const MANAGER = 'trainjob.dev/operations'

/** Fields of a pod that a patch may set, but for containers. */
const POD_PATCH_FIELDS = [
  'serviceAccountName',
  'volumes',
  'imagePullSecrets',
  'securityContext',
  'nodeSelector',
  'affinity',
  'tolerations',
  'schedulingGates',
  'terminationGracePeriodSeconds',
] as const

/**
 * The job, with what its JobSet should have and lacks in `spec.trainer` and `spec.runtimePatches`, as far as those have
 * fields for it.
 */
export function withPatches(trainJob: TrainJob, found: JobSet | undefined, wanted: JobSet | undefined): TrainJob {
  if (found === undefined || wanted === undefined) return trainJob
  const job = withTrainer(trainJob, found, wanted)
  const replicatedJobs = (wanted.spec.replicatedJobs ?? []).flatMap((job) => {
    const before = found.spec.replicatedJobs?.find(({ name }) => name === job.name)
    if (before === undefined) return []
    return patchOfJob(before, job)
  })
  const metadata = metadataPatch(found.metadata, wanted.metadata)
  const isPatched = replicatedJobs.length > 0 || metadata !== undefined
  const patch: RuntimePatch = {
    manager: MANAGER,
    trainingRuntimeSpec: {
      template: { ...(metadata && { metadata }), ...(replicatedJobs.length > 0 && { spec: { replicatedJobs } }) },
    },
  }
  if (!isPatched) return job
  return { ...job, spec: { ...job.spec, runtimePatches: [...(job.spec.runtimePatches ?? []), patch] } }
}

/** The same in `spec.trainer` alone. */
export function withTrainer(trainJob: TrainJob, found: JobSet | undefined, wanted: JobSet | undefined): TrainJob {
  const trainer: Trainer = { ...trainJob.spec.trainer }
  for (const job of wanted?.spec.replicatedJobs ?? []) {
    const before = found?.spec.replicatedJobs?.find(({ name }) => name === job.name)
    if (before === undefined) continue
    if (isTrainer(job)) setTrainer(trainer, before, job)
    setEnv(trainer, before, job)
  }
  return { ...trainJob, spec: { ...trainJob.spec, trainer } }
}

function isTrainer(job: ReplicatedJob): boolean {
  return job.template.metadata?.labels?.[ANCESTOR_LABEL] === ANCESTOR_TRAINER
}

/** What the job says of the container that trains, and of how many there are. */
function setTrainer(trainer: Trainer, before: ReplicatedJob, job: ReplicatedJob): void {
  const [old, now] = [before, job].map(nodeOf)
  const nodes = job.template.spec?.parallelism
  if (nodes !== undefined && nodes !== before.template.spec?.parallelism) trainer.numNodes = nodes
  if (old === undefined || now === undefined) return
  for (const field of ['image', 'command', 'args'] as const) {
    if (now[field] !== undefined && !deepEqual(old[field], now[field])) Object.assign(trainer, { [field]: now[field] })
  }
  if (now.resources !== undefined && !deepEqual(old.resources, now.resources)) trainer.resourcesPerNode = now.resources
}

/** Also of a launcher, to which upstream gives the job's variables. */
function setEnv(trainer: Trainer, before: ReplicatedJob, job: ReplicatedJob): void {
  const [old, now] = [before, job].map(nodeOf)
  if (old === undefined || now === undefined) return
  const env = changedEnv(old, now)
  const processes = Number(env.find(({ name }) => name === 'PET_NPROC_PER_NODE')?.value)
  if (Number.isInteger(processes)) trainer.numProcPerNode = processes
  const own = env.filter(({ name }) => name !== 'PET_NPROC_PER_NODE')
  if (own.length === 0) return
  const names = new Set(own.map(({ name }) => name))
  trainer.env = [...(trainer.env ?? []).filter(({ name }) => !names.has(name)), ...own]
}

function nodeOf(job: ReplicatedJob): Container | undefined {
  return podOf(job)?.containers.find(({ name }) => name === NODE_NAME)
}

function patchOfJob(before: ReplicatedJob, job: ReplicatedJob): ReplicatedJobPatch[] {
  const metadata = metadataPatch(before.template.metadata, job.template.metadata)
  const podMetadata = metadataPatch(before.template.spec?.template.metadata, job.template.spec?.template.metadata)
  const spec = podPatch(podOf(before), podOf(job))
  if (metadata === undefined && podMetadata === undefined && spec === undefined) return []
  const template = { ...(podMetadata && { metadata: podMetadata }), ...(spec && { spec }) }
  const isPodPatched = Object.keys(template).length > 0
  return [{ name: job.name, template: { ...(metadata && { metadata }), ...(isPodPatched && { spec: { template } }) } }]
}

function podPatch(before: PodSpec | undefined, pod: PodSpec | undefined): PodSpecPatch | undefined {
  if (before === undefined || pod === undefined) return undefined
  const patch: PodSpecPatch = {}
  for (const field of POD_PATCH_FIELDS) {
    if (pod[field] !== undefined && !deepEqual(before[field], pod[field])) Object.assign(patch, { [field]: pod[field] })
  }
  for (const field of ['containers', 'initContainers'] as const) {
    const containers = (pod[field] ?? []).flatMap((one) =>
      containerPatch(
        before[field]?.find(({ name }) => name === one.name),
        one,
      ),
    )
    if (containers.length > 0) patch[field] = containers
  }
  return Object.keys(patch).length === 0 ? undefined : patch
}

/** The environment of `node` is the job's to set; upstream refuses it in patches. */
function containerPatch(before: Container | undefined, container: Container): ContainerPatch[] {
  if (before === undefined) return []
  const { name, volumeMounts, securityContext } = container
  const env = name === NODE_NAME ? [] : changedEnv(before, container)
  const patch: ContainerPatch = {
    name,
    ...(env.length > 0 && { env }),
    ...(volumeMounts !== undefined && !deepEqual(before.volumeMounts, volumeMounts) && { volumeMounts }),
    ...(isFields(securityContext) && !deepEqual(before.securityContext, securityContext) && { securityContext }),
  }
  return Object.keys(patch).length === 1 ? [] : [patch]
}

function isFields(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function changedEnv(before: Container, { env = [] }: Container): EnvVar[] {
  return env.filter((one) => !before.env?.some((old) => old.name === one.name && deepEqual(old, one)))
}

function podOf(job: ReplicatedJob): PodSpec | undefined {
  return job.template.spec?.template.spec
}

/** Labels and annotations that are new or changed. */
function metadataPatch(before: ObjectMeta | undefined, after: ObjectMeta | undefined): ObjectMeta | undefined {
  const patch: ObjectMeta = {}
  for (const field of ['labels', 'annotations'] as const) {
    const changed = Object.entries(after?.[field] ?? {}).filter(([name, value]) => before?.[field]?.[name] !== value)
    if (changed.length > 0) patch[field] = Object.fromEntries(changed)
  }
  return Object.keys(patch).length === 0 ? undefined : patch
}
