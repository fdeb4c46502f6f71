import {
  ANCESTOR_LABEL,
  ANCESTOR_TRAINER,
  type AnyTrainingRuntime,
  type Container,
  type JobSetSpec,
  type JobSpec,
  type MLPolicy,
  NODE_NAME,
  type PodSpec,
  type PodTemplateSpec,
  type ReplicatedJob,
  type ResourceRequirements,
  type TrainJob,
} from '@trainjob/api'
import { contestedPatches } from './contested-patches.ts'
import { renderedEnv } from './env.ts'
import type { Info, PodSet } from './info.ts'
import { patchedTemplate } from './patched-template.ts'
import { mergeResources } from './resources.ts'
import type { RenderOptions } from './types.ts'

/**
 * The start of a rendering: the runtime's template with the job's patches and resources in it, and its pod sets.
 * Source: kubeflow/trainer v2.3.0, pkg/runtime/core/trainingruntime.go (`newRuntimeInfo`).
 *
 * @throws RenderError `invalid-patch`
 */
export function newInfo(trainJob: TrainJob, runtime: AnyTrainingRuntime, options: RenderOptions): Info {
  const deviates = options.compat === 'upstream' ? never : always
  const { trainer } = trainJob.spec
  const { mlPolicy } = runtime.spec
  const template = ownTemplate(patchedTemplate(trainJob, runtime))
  const podSets = (template.replicatedJobs ?? []).map((job) => newPodSet(job, mlPolicy))
  const info: Info = {
    trainJob,
    namespace: trainJob.metadata.namespace ?? 'default',
    trainer,
    trainerEnv: renderedEnv(trainer?.env, deviates()),
    mlPolicy: mlPolicy ?? undefined,
    podGroupPolicy: runtime.spec.podGroupPolicy ?? undefined,
    labels: propagated('labels', trainJob, runtime),
    annotations: propagated('annotations', trainJob, runtime),
    template,
    podSets,
    facts: options.facts ?? {},
    runtimeMetadata: runtime.metadata,
    warnings: contestWarnings(trainJob),
    keys: options.keys ?? {},
    statusServer: options.statusServer,
    deviates,
  }
  if (trainer?.resourcesPerNode) applyResources(info, trainer.resourcesPerNode)
  return info
}

function contestWarnings({ spec }: TrainJob): Info['warnings'] {
  return contestedPatches(spec.runtimePatches ?? []).map(({ path, first, second }) => ({
    path: 'spec.runtimePatches',
    code: 'patch-conflict',
    message: `${first} and ${second} both set ${path}; what ${second} says counts`,
  }))
}

function always(): boolean {
  return true
}

function never(): boolean {
  return false
}

/** Labels or annotations of the JobSet: the template's, then those of the patches. */
function propagated(
  field: 'labels' | 'annotations',
  trainJob: TrainJob,
  runtime: AnyTrainingRuntime,
): Record<string, string> {
  const merged = { ...runtime.spec.template?.metadata?.[field] }
  for (const patch of trainJob.spec.runtimePatches ?? []) {
    Object.assign(merged, patch.trainingRuntimeSpec?.template?.metadata?.[field])
  }
  return merged
}

/** Copies the parts of the template that plugins may write to, see `Info`. */
function ownTemplate(template: JobSetSpec): JobSetSpec {
  const own: JobSetSpec = { ...template }
  if (template.replicatedJobs) own.replicatedJobs = template.replicatedJobs.map(ownJob)
  return own
}

function ownJob(job: ReplicatedJob): ReplicatedJob {
  const spec = job.template.spec as JobSpec
  const podTemplate = spec.template
  const podSpec: PodSpec = { ...(podTemplate.spec as PodSpec) }
  if (podSpec.containers) podSpec.containers = podSpec.containers.map(ownContainer)
  if (podSpec.initContainers) podSpec.initContainers = podSpec.initContainers.map(ownContainer)
  return {
    ...job,
    template: {
      ...job.template,
      spec: { ...spec, template: { ...podTemplate, spec: podSpec } satisfies PodTemplateSpec },
    },
  }
}

function ownContainer(container: Container): Container {
  return { ...container }
}

function newPodSet(job: ReplicatedJob, mlPolicy: MLPolicy | undefined): PodSet {
  const spec = job.template.spec as JobSpec
  const podSpec = spec.template.spec as PodSpec
  const ancestor = job.template.metadata?.labels?.[ANCESTOR_LABEL]
  const count = ancestor === ANCESTOR_TRAINER && mlPolicy ? (mlPolicy.numNodes ?? 1) : (spec.parallelism ?? 1)
  return {
    name: job.name,
    ancestor,
    count: Math.max(count, 1),
    job,
    podSpec,
    containers: podSpec.containers ?? [],
    initContainers: podSpec.initContainers ?? [],
    podLabels: {},
    podAnnotations: {},
    endpoints: () => [],
  }
}

/** `spec.trainer.resourcesPerNode` on the container `node` of every job that trains. */
function applyResources(info: Info, resources: ResourceRequirements): void {
  const { mlPolicy } = info
  if (!mlPolicy && !info.deviates('resources-without-policy')) return
  for (const podSet of info.podSets) {
    const trains =
      podSet.ancestor === ANCESTOR_TRAINER || (mlPolicy?.mpi?.runLauncherAsNode === true && podSet.name === NODE_NAME)
    if (!trains) continue
    const container = podSet.containers.find(({ name }) => name === NODE_NAME)
    if (!container) continue
    container.resources = mergeResources(container.resources, resources, info.deviates('resource-claims'))
  }
}
