import type { AnyTrainingRuntime, KubernetesObject, TrainJob, TrainJobSpec } from '@trainjob/api'
import type { Question } from '../oracle/oracle.ts'

/** One rule of upstream's webhooks: how to break it and nothing else. */
export interface Violation {
  readonly rule: string
  /** Field that upstream names. */
  readonly path: string
  /** `size` varies from case to case: 2 and more. */
  question(size: number): Question
}

type Jobs = NonNullable<NonNullable<NonNullable<AnyTrainingRuntime['spec']['template']>['spec']>['replicatedJobs']>

function job(name: string, container: Record<string, unknown> = {}, ancestor = ''): Jobs[number] {
  const labels = { 'trainer.kubeflow.org/trainjob-ancestor-step': ancestor }
  const containers = [{ name: 'node', image: 'image', ...container }]
  return { name, template: { ...(ancestor && { metadata: { labels } }), spec: { template: { spec: { containers } } } } }
}

function trainer(container: Record<string, unknown> = {}): Jobs[number] {
  return job('node', container, 'trainer')
}

interface Setting {
  readonly name?: string
  readonly policy?: Record<string, unknown>
  readonly podGroup?: Record<string, unknown>
  readonly jobs?: Jobs
  readonly annotations?: Record<string, string>
}

function runtime({ name = 'rt', policy, podGroup, jobs = [trainer()], annotations }: Setting): AnyTrainingRuntime {
  return {
    apiVersion: 'trainer.kubeflow.org/v1alpha1',
    kind: 'ClusterTrainingRuntime',
    metadata: { name },
    spec: {
      ...(policy && { mlPolicy: policy }),
      ...(podGroup && { podGroupPolicy: podGroup }),
      template: { ...(annotations && { metadata: { annotations } }), spec: { replicatedJobs: jobs } },
    },
  }
}

function trainJob(spec: Partial<TrainJobSpec>, name = 'rt'): TrainJob {
  return {
    apiVersion: 'trainer.kubeflow.org/v1alpha1',
    kind: 'TrainJob',
    metadata: { name: 'job', namespace: 'ns', uid: 'u-1' },
    spec: { runtimeRef: { name, kind: 'ClusterTrainingRuntime' }, ...spec },
  }
}

function ask(setting: Setting, spec: Partial<TrainJobSpec> = {}, more: Partial<Question> = {}): Question {
  return { runtimes: [runtime(setting)], trainJob: trainJob(spec, setting.name), ...more }
}

/** `size` variables, among them those given. */
function env(size: number, ...names: string[]): { name: string; value: string }[] {
  const others = Array.from({ length: size }, (_, i) => `V${i}`)
  return [...others, ...names].map((name) => ({ name, value: String(size) }))
}

function patchOf(spec: Record<string, unknown>, manager = 'a.io/x'): TrainJobSpec['runtimePatches'] {
  const replicatedJobs = [{ name: 'node', template: { spec: { template: { spec } } } }]
  return [{ manager, trainingRuntimeSpec: { template: { spec: { replicatedJobs } } } }]
}

function jobSet(active: number): KubernetesObject {
  const counts = { name: 'node', ready: 0, succeeded: 0, failed: 0, active, suspended: 0 }
  return {
    apiVersion: 'jobset.x-k8s.io/v1alpha2',
    kind: 'JobSet',
    metadata: { name: 'job', namespace: 'ns' },
    spec: { suspend: true, replicatedJobs: [] },
    status: { replicatedJobsStatus: [counts] },
  } as KubernetesObject
}

const RUNTIME_JOBS = 'spec.template.spec.replicatedJobs[0]'
const TUNE = ['tune', 'run']
const QLORA = ['model.lora_attn_modules=[q_proj]', 'model.quantize_base=True']

function initializerViolations(kind: 'dataset' | 'model'): Violation[] {
  const name = `${kind}-initializer`
  const initializer = (size: number) => ({ initializer: { [kind]: { storageUri: `hf://a/${size}` } } })
  const withJob = (container: Record<string, unknown>) => [trainer(), job(name, container)]
  return [
    {
      rule: `${name}: the runtime has the job`,
      path: 'spec.runtimeRef',
      question: (size) => ask({}, initializer(size)),
    },
    {
      rule: `${name}: the job has the container`,
      path: 'spec.runtimeRef',
      question: (size) => ask({ jobs: withJob({}) }, initializer(size)),
    },
    {
      rule: `${name}: the container has the volume`,
      path: 'spec.runtimeRef',
      question: (size) => ask({ jobs: withJob({ name }) }, initializer(size)),
    },
  ]
}

/** Every rule. Each question has one fault, which is the rule's. */
export const VIOLATIONS: readonly Violation[] = [
  {
    rule: 'runtime: jobs with an ancestor label have one replica',
    path: `${RUNTIME_JOBS}.replicas`,
    question: (size) => ask({ jobs: [{ ...trainer(), replicas: size }] }),
  },
  ...[
    ['trainer', 'node'],
    ['dataset-initializer', 'dataset-initializer'],
    ['model-initializer', 'model-initializer'],
  ].map(([ancestor = '', container = '']) => ({
    rule: `runtime: a job of ${ancestor} has the container ${container}`,
    path: `${RUNTIME_JOBS}.template.spec.template.spec.containers`,
    question: (size: number) => ask({ jobs: [job('first', { name: `c${size}` }, ancestor)] }),
  })),
  ...initializerViolations('dataset'),
  ...initializerViolations('model'),
  {
    rule: 'patches: a manager is a path below a domain',
    path: 'spec.runtimePatches.manager',
    question: (size) => ask({}, { runtimePatches: [{ manager: `manager-${size}` }] }),
  },
  {
    rule: 'patches: no variables of the training and initializer containers',
    path: 'spec.runtimePatches',
    question: (size) => ask({}, { runtimePatches: patchOf({ containers: [{ name: 'node', env: env(size) }] }) ?? [] }),
  },
  {
    rule: 'patches: they change while the job is suspended',
    path: 'spec.runtimePatches',
    question: (size) =>
      ask({}, { runtimePatches: patchOf({ nodeSelector: { a: String(size) } }) ?? [] }, { oldTrainJob: trainJob({}) }),
  },
  {
    rule: 'patches: they change while nothing of the JobSet is active',
    path: 'spec.runtimePatches',
    question: (size) =>
      ask(
        {},
        { suspend: true, runtimePatches: patchOf({ nodeSelector: { a: String(size) } }) ?? [] },
        { oldTrainJob: trainJob({ suspend: true }), objects: [jobSet(size)] },
      ),
  },
  {
    rule: 'torch: containers that get variables exist',
    path: 'spec.runtimeRef',
    question: (size) =>
      ask({ policy: { torch: { envInjection: { targets: [{ jobName: 'node', containerNames: [`c${size}`] }] } } } }),
  },
  {
    rule: 'torch: reserved variables',
    path: 'spec.trainer.env',
    question: (size) => ask({ policy: { torch: {} } }, { trainer: { env: env(size, 'PET_NNODES') } }),
  },
  {
    rule: 'torchtune: the model is supported',
    path: 'spec.runtimeRef.name',
    question: (size) =>
      ask({ name: `torchtune-gpt-${size}`, policy: { torch: {} } }, { trainer: { command: TUNE, numNodes: 1 } }),
  },
  {
    rule: 'torchtune: several nodes for the largest model only',
    path: 'spec.trainer.numNodes',
    question: (size) =>
      ask({ name: 'torchtune-llama3.2-1b', policy: { torch: {} } }, { trainer: { command: TUNE, numNodes: size } }),
  },
  {
    rule: 'torchtune: no QLoRA of Qwen',
    path: 'spec.runtimeRef.name',
    question: (size) =>
      ask(
        { name: 'torchtune-qwen2.5-1.5b', policy: { torch: {} } },
        { trainer: { command: TUNE, args: [...QLORA, `epochs=${size}`], numProcPerNode: 1 } },
      ),
  },
  {
    rule: 'torchtune: LoRA on one node only',
    path: 'spec.trainer.numNodes',
    question: (size) =>
      ask(
        { name: 'torchtune-llama3.3-70b', policy: { torch: {} } },
        { trainer: { command: TUNE, args: ['model.lora_attn_modules=[q_proj]'], numNodes: size } },
      ),
  },
  {
    rule: 'torchtune: items that the runtime sets',
    path: 'spec.trainer.args[0]',
    question: (size) =>
      ask(
        { name: 'torchtune-llama3.2-1b', policy: { torch: {} } },
        { trainer: { command: TUNE, args: [`output_dir=/out-${size}`] } },
      ),
  },
  {
    rule: 'mpi: launcher and workers for more than one node',
    path: 'spec.trainer.numNodes',
    question: (size) => ask({ policy: { mpi: { runLauncherAsNode: true } } }, { trainer: { numNodes: size } }),
  },
  {
    rule: 'mpi: reserved variables',
    path: 'spec.trainer.env',
    question: (size) => ask({ policy: { mpi: {} } }, { trainer: { env: env(size, 'OMPI_MCA_plm_rsh_args') } }),
  },
  {
    rule: 'xgboost: reserved variables',
    path: 'spec.trainer.env[0]',
    question: (size) => ask({ policy: { xgboost: {} } }, { trainer: { env: env(size, 'DMLC_TASK_ID').reverse() } }),
  },
  {
    rule: 'flux: at least one process',
    path: 'spec.trainer.numProcPerNode',
    question: (size) => ask({ policy: { flux: {} } }, { trainer: { numNodes: 1, numProcPerNode: 1 - size } }),
  },
  {
    rule: 'flux: the name of the installer is taken',
    path: 'spec.trainer.initContainers',
    question: (size) => {
      const main = trainer()
      const pod = main.template.spec?.template.spec
      if (pod) pod.initContainers = [{ name: 'flux-installer', image: `image:${size}` }]
      return ask({ policy: { flux: {} }, jobs: [main] }, { trainer: { numNodes: size } })
    },
  },
  {
    rule: 'volcano: a queue has a name',
    path: 'spec.annotations[scheduling.volcano.sh/queue-name]',
    question: (size) =>
      ask({ podGroup: { volcano: {} }, annotations: { 'scheduling.volcano.sh/queue-name': '', size: String(size) } }),
  },
  {
    rule: 'volcano: PriorityClasses exist',
    path: 'spec.templateSpec.priorityClassName',
    question: (size) => {
      const main = trainer()
      const pod = main.template.spec?.template.spec
      if (pod) pod.priorityClassName = `class-${size}`
      return ask({ podGroup: { volcano: {} }, jobs: [main] })
    },
  },
]
