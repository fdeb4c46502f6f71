import {
  ELASTIC_ANNOTATION,
  GPUS_ANNOTATION,
  JSON_PATCHES_ANNOTATION,
  type JsonPatchEntry,
  readAnnotation,
} from '../dialect/annotations.ts'
import type { ResourceRequirements } from '../kubernetes/pod.ts'
import { MANAGED_BY_MULTIKUEUE } from '../trainer/constants.ts'
import { isTrainer, jobsOf, nodesOf, podOf } from './nodes-of.ts'
import { jobRule, type LintFinding, type LintRule } from './rule.ts'

const QUEUE_LABEL = 'kueue.x-k8s.io/queue-name'

/** Advice about TrainJobs. */
export const TRAIN_JOB_RULES: readonly LintRule[] = [
  jobRule(
    {
      code: 'multikueue-without-queue',
      explanation: 'MultiKueue dispatches jobs of a queue only: this one would never start.',
      fix: `add the label ${QUEUE_LABEL}: QUEUE to the TrainJob`,
      link: 'https://kueue.sigs.k8s.io/docs/concepts/multikueue/',
    },
    ({ metadata, spec }) =>
      spec.managedBy === MANAGED_BY_MULTIKUEUE && metadata.labels?.[QUEUE_LABEL] === undefined
        ? [{ path: 'spec.managedBy', message: `managedBy: ${MANAGED_BY_MULTIKUEUE} without the label ${QUEUE_LABEL}` }]
        : [],
  ),
  jobRule(
    {
      code: 'no-trainer',
      explanation: 'Without spec.trainer the runtime alone says what runs, and upstream sets no framework environment.',
      fix: 'add trainer: {} at least',
      link: 'https://github.com/kubeflow/trainer/issues/4076',
    },
    ({ spec }) => (spec.trainer === undefined ? [{ path: 'spec', message: 'spec.trainer is left out' }] : []),
  ),
  jobRule(
    {
      code: 'no-torchrun',
      explanation: 'The torch runtime sets what torchrun reads; it does not start torchrun.',
      fix: 'start the program with torchrun, as in command: [torchrun, train.py]',
      link: 'https://github.com/kubeflow/trainer/issues/3492',
    },
    (trainJob, runtime) => {
      const { command = [], args = [], numProcPerNode = 1 } = trainJob.spec.trainer ?? {}
      const [program = ''] = command
      const isMany = nodesOf(trainJob, runtime) > 1 || numProcPerNode > 1
      if (runtime?.spec.mlPolicy?.torch === undefined || !isMany || !/(^|\/)python[\d.]*$/.test(program)) return []
      if ([...command, ...args].some((word) => /torch\.distributed|torchrun|accelerate|deepspeed/.test(word))) return []
      return [{ path: 'spec.trainer.command', message: `${program} is started on several nodes without torchrun` }]
    },
  ),
  jobRule(
    {
      code: 'torchrun-flags',
      explanation: 'Flags of torchrun win over the environment that the runtime sets, and do not follow numNodes.',
      fix: 'leave the flag out: the runtime says it',
      link: 'https://github.com/kubeflow/sdk/issues/142',
    },
    (trainJob, runtime) =>
      torchrunFlags(
        [...(trainJob.spec.trainer?.command ?? []), ...(trainJob.spec.trainer?.args ?? [])],
        nodesOf(trainJob, runtime),
        readAnnotation(runtime ?? {}, ELASTIC_ANNOTATION) !== undefined,
      ),
  ),
  jobRule(
    {
      code: 'patches-of-several-managers',
      explanation: 'Patches are applied in the order of the list; where two managers set one thing, the last one wins.',
      fix: 'let one manager set it, or put the one that must win last',
      link: 'https://github.com/kubeflow/trainer/blob/v2.3.0/examples/yaml/02-runtime-patches.yaml',
    },
    ({ spec }) => {
      const seen = new Map<string, string>()
      const found: LintFinding[] = []
      spec.runtimePatches?.forEach(({ manager, trainingRuntimeSpec }, index) => {
        for (const path of leavesOf(trainingRuntimeSpec)) {
          const other = seen.get(path)
          if (other === undefined || other === manager) seen.set(path, manager)
          else
            found.push({ path: `spec.runtimePatches[${index}]`, message: `${other} and ${manager} both set ${path}` })
        }
      })
      return found
    },
  ),
  jobRule(
    {
      code: 'tolerations-replaced',
      explanation: 'Tolerations are replaced as a whole: a patch, also that of Kueue, takes the others away.',
      fix: "repeat the runtime's tolerations in the patch",
      link: 'https://github.com/kubernetes-sigs/kueue/issues/15161',
    },
    ({ spec }, runtime) =>
      (spec.runtimePatches ?? []).flatMap(({ trainingRuntimeSpec }, index) =>
        (trainingRuntimeSpec?.template?.spec?.replicatedJobs ?? []).flatMap(({ name, template }) => {
          const own = runtime?.spec.template?.spec?.replicatedJobs?.find((job) => job.name === name)
          const before = own?.template?.spec?.template?.spec?.tolerations ?? []
          if (template?.spec?.template?.spec?.tolerations === undefined || before.length === 0) return []
          return [
            {
              path: `spec.runtimePatches[${index}]`,
              message: `the patch replaces ${before.length} tolerations of ${name}`,
            },
          ]
        }),
      ),
  ),
  jobRule(
    {
      code: 'gpus-patched',
      explanation: 'The number of processes comes from the GPUs before operations are applied.',
      fix: 'set the limit in spec.trainer.resourcesPerNode',
      link: 'https://github.com/kubeflow/trainer/pull/3974',
    },
    (trainJob) => {
      const entries = readAnnotation(trainJob, JSON_PATCHES_ANNOTATION)
      if (!Array.isArray(entries)) return []
      return (entries as JsonPatchEntry[]).flatMap(({ manager, patch }) =>
        patch
          .filter(({ path }) => /resources\/.*gpu/.test(path))
          .map(({ path }) => ({ path: 'spec.runtimePatches', message: `${manager} patches ${path}` })),
      )
    },
  ),
  jobRule(
    {
      code: 'command-in-one-word',
      explanation: 'A command is a list of words, and no shell splits them: a program of that name is looked for.',
      fix: 'write each word by itself, as in command: [torchrun, train.py], or use command: [sh, -c, "…"]',
      link: 'https://kubernetes.io/docs/tasks/inject-data-application/define-command-argument-container/',
    },
    ({ spec }) => {
      const [program = ''] = spec.trainer?.command ?? []
      return /^\S+ +\S/.test(program) && !program.startsWith('/')
        ? [{ path: 'spec.trainer.command', message: `the program is called ${JSON.stringify(program)}` }]
        : []
    },
  ),
  jobRule(
    {
      code: 'gpu-image-without-gpus',
      explanation: 'Without a GPU limit a node starts one process, and sees no GPU or those of others.',
      fix: 'add resourcesPerNode: {limits: {nvidia.com/gpu: N}}, or set numProcPerNode',
      link: 'https://github.com/NVIDIA/aicr/issues/2280',
    },
    ({ spec }, runtime) => {
      const { image, resourcesPerNode, numProcPerNode } = spec.trainer ?? {}
      if (runtime?.spec.mlPolicy?.torch === undefined || !/cuda|rocm/i.test(image ?? '')) return []
      const asks = [
        resourcesPerNode,
        ...jobsOf(runtime).flatMap(({ job }) => podOf(job).containers?.map((one) => one.resources)),
      ]
      const hasGpus = asks.some((one) => Object.keys(one?.limits ?? {}).some((name) => name.includes('gpu')))
      const isSaid = numProcPerNode !== undefined || runtime.metadata.annotations?.[GPUS_ANNOTATION] !== undefined
      return hasGpus || isSaid ? [] : [{ path: 'spec.trainer', message: `${image} is for GPUs, and none is asked for` }]
    },
  ),
  jobRule(
    {
      code: 'partial-resources',
      explanation:
        'Upstream counts the processes of a node from resourcesPerNode alone, without the GPUs of the runtime.',
      fix: 'name the GPUs in resourcesPerNode too, or set numProcPerNode',
      link: 'https://github.com/kubeflow/trainer/pull/3974',
    },
    ({ spec }, runtime) => {
      const { resourcesPerNode, numProcPerNode } = spec.trainer ?? {}
      if (runtime?.spec.mlPolicy?.torch === undefined || resourcesPerNode === undefined) return []
      const isSaid = numProcPerNode !== undefined || runtime.metadata.annotations?.[GPUS_ANNOTATION] !== undefined
      if (isSaid || gpusIn(resourcesPerNode) !== undefined) return []
      const gpus = jobsOf(runtime)
        .filter(({ job }) => isTrainer(job))
        .flatMap(({ job }) => (podOf(job).containers ?? []).map(({ resources }) => gpusIn(resources)))
        .find((found) => found !== undefined)
      if (gpus === undefined) return []
      const { name } = runtime.metadata
      return [{ path: 'spec.trainer.resourcesPerNode', message: `no GPUs here, and ${gpus} in the runtime ${name}` }]
    },
  ),
  jobRule(
    {
      code: 'many-nodes',
      explanation: 'All nodes of a job are pods of one Job, which the job controller handles one by one.',
      fix: 'use fewer, larger nodes where that is possible',
      link: 'https://github.com/kubeflow/trainer/issues/2318',
    },
    (trainJob, runtime) => {
      const nodes = nodesOf(trainJob, runtime)
      return nodes > 1000 ? [{ path: 'spec.trainer.numNodes', message: `${nodes} nodes are pods of one Job` }] : []
    },
  ),
]

/** Like `nvidia.com/gpu: 2`. */
function gpusIn({ requests, limits }: ResourceRequirements = {}): string | undefined {
  const found = Object.entries({ ...requests, ...limits }).find(([name]) => name.includes('gpu'))
  return found?.join(': ')
}

function torchrunFlags(words: readonly string[], nodes: number, isElastic: boolean): readonly LintFinding[] {
  const line = words.join(' ')
  if (!/\btorchrun\b|torch\.distributed\.(run|launch)/.test(line)) return []
  const found: LintFinding[] = []
  const said = /--nnodes[= ](\d+)(?::(\d+))?/.exec(line)
  if (said && (Number(said[1]) !== nodes || isElastic)) {
    found.push({
      path: 'spec.trainer.command',
      message: `torchrun ${said[0]}, while the job has ${isElastic ? 'a changing number of' : nodes} nodes`,
    })
  }
  if (/--standalone\b/.test(line) && nodes > 1) {
    found.push({ path: 'spec.trainer.command', message: `torchrun --standalone makes ${nodes} jobs of one node each` })
  }
  return found
}

/** Paths of all values, with names in place of positions. */
function leavesOf(value: unknown, path = ''): readonly string[] {
  if (Array.isArray(value)) {
    return value.flatMap((item, index) =>
      leavesOf(item, `${path}[${(item as { name?: string } | null)?.name ?? index}]`),
    )
  }
  if (typeof value !== 'object' || value === null) return [path]
  return Object.entries(value).flatMap(([key, child]) =>
    key === 'name' ? [] : leavesOf(child, path === '' ? key : `${path}.${key}`),
  )
}
