import type { AnyTrainingRuntime, EnvVar, KubernetesObject, ReplicatedJob, TrainJob } from '@trainjob/api'
import type { Question } from '../oracle/oracle.ts'

const ANCESTOR = 'trainer.kubeflow.org/trainjob-ancestor-step'
const QUEUE = 'scheduling.volcano.sh/queue-name'
const RESERVED = /^(?:PET_|DMLC_|OMPI_)/

/** The question without what upstream's webhooks object to: most things that are asked for in earnest are valid. */
export function repaired(question: Question): Question {
  const runtimes = question.runtimes.map(repairedRuntime)
  const objects = [...(question.objects ?? []).filter(({ kind }) => kind !== 'PriorityClass'), ...PRIORITY_CLASSES]
  const [runtime] = runtimes
  const trainJob = runtime ? repairedJob(question.trainJob, runtime, objects) : question.trainJob
  return { ...question, runtimes, objects, trainJob }
}

const PRIORITY_CLASSES: readonly KubernetesObject[] = ['high', 'low'].map((name) => ({
  apiVersion: 'scheduling.k8s.io/v1',
  kind: 'PriorityClass',
  metadata: { name },
  value: 1,
}))

function repairedRuntime(runtime: AnyTrainingRuntime): AnyTrainingRuntime {
  const { template, mlPolicy, ...rest } = runtime.spec
  const annotations = template?.metadata?.annotations
  const queue = annotations?.[QUEUE] === '' ? { annotations: { ...annotations, [QUEUE]: 'q' } } : {}
  const { torch } = mlPolicy ?? {}
  const known = torch ? { mlPolicy: { ...mlPolicy, torch: {} } } : mlPolicy && { mlPolicy }
  const isStranger = torch?.envInjection?.targets?.some(({ jobName }) => jobName === 'missing') === true
  const policy = isStranger ? known : mlPolicy && { mlPolicy }
  const replicatedJobs = (template?.spec?.replicatedJobs ?? []).map(repairedReplicatedJob)
  const spec = {
    ...rest,
    ...policy,
    template: {
      ...template,
      ...(template?.metadata && { metadata: { ...template.metadata, ...queue } }),
      spec: { ...template?.spec, replicatedJobs },
    },
  }
  return { ...runtime, spec } as AnyTrainingRuntime
}

function repairedReplicatedJob(job: ReplicatedJob): ReplicatedJob {
  const ancestor = job.template.metadata?.labels?.[ANCESTOR]
  const pod = job.template.spec?.template.spec
  const needed = ancestor === 'trainer' ? 'node' : ancestor
  let containers = pod?.containers ?? []
  if (needed !== undefined && needed !== '' && !containers.some(({ name }) => name === needed)) {
    containers = containers.map((container, i) => (i === 0 ? { ...container, name: needed } : container))
  }
  if (needed?.endsWith('-initializer')) {
    const mounts = [{ name: 'initializer', mountPath: '/workspace' }]
    containers = containers.map((one) => (one.name === needed ? { ...one, volumeMounts: mounts } : one))
  }
  const initContainers = pod?.initContainers?.filter(({ name }) => name !== 'flux-installer')
  const spec = { ...pod, containers, ...(initContainers && { initContainers }) }
  const template = { ...job.template.spec?.template, spec }
  const { replicas: _, ...rest } = job
  const one = ancestor === undefined ? job : rest
  return { ...one, template: { ...job.template, spec: { ...job.template.spec, template } } } as ReplicatedJob
}

function repairedJob(trainJob: TrainJob, runtime: AnyTrainingRuntime, objects: readonly KubernetesObject[]): TrainJob {
  const { trainer, initializer, runtimePatches, ...rest } = trainJob.spec
  const jobs = runtime.spec.template?.spec?.replicatedJobs ?? []
  const has = (name: string): boolean =>
    jobs.some((job) => job.name === name && job.template.metadata?.labels?.[ANCESTOR] === name)
  const { dataset, model } = initializer ?? {}
  const fetched = {
    ...(dataset && has('dataset-initializer') && { dataset }),
    ...(model && has('model-initializer') && { model }),
  }
  const needsLauncher = runtime.spec.mlPolicy?.mpi?.runLauncherAsNode === true
  const isWhole = ['launcher', 'node'].every((name) => jobs.some((job) => job.name === name))
  const isFlux = runtime.spec.mlPolicy?.flux !== undefined
  const isTune = /^torchtune/.test(trainJob.spec.runtimeRef.name)
  const { numNodes = isFlux ? 2 : undefined, numProcPerNode, env, ...own } = trainer ?? {}
  const nodes = (needsLauncher && !isWhole) || own.command?.[0] === 'tune' ? 1 : numNodes
  const sane = {
    ...own,
    ...(own.command?.[0] === 'tune' &&
      (!isTune || trainJob.spec.runtimeRef.name.endsWith('gpt-2')) && { command: ['python'] }),
    ...(own.command?.[0] === 'tune' && { args: [] }),
    ...(nodes !== undefined && { numNodes: nodes }),
    ...(numProcPerNode !== undefined && { numProcPerNode: Math.max(1, numProcPerNode) }),
    ...(env && { env: env.filter(({ name }: EnvVar) => !RESERVED.test(name)) }),
  }
  const isActive = objects.some(({ kind }) => kind === 'JobSet')
  const patches = runtimePatches?.map((patch, i) => ({ ...patch, manager: `m${i}.io/x` }))
  const spec = {
    ...rest,
    ...(Object.keys(fetched).length > 0 && { initializer: fetched }),
    ...((trainer || isFlux) && { trainer: sane }),
    ...(patches && !isActive && { runtimePatches: patches }),
  }
  return { ...trainJob, spec }
}
