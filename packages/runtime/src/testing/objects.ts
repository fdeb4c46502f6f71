import {
  ANCESTOR_LABEL,
  type ClusterTrainingRuntime,
  type Container,
  type JobSet,
  type JobSetSpec,
  type KubernetesObject,
  type MLPolicy,
  type ReplicatedJob,
  type TrainJob,
  type TrainJobSpec,
} from '@trainjob/api'

/** A TrainJob `job` in `ns` for the runtime `rt`; its parts may be replaced. */
export function aTrainJob(spec: Partial<TrainJobSpec> = {}, name = 'job'): TrainJob {
  return {
    apiVersion: 'trainer.kubeflow.org/v1alpha1',
    kind: 'TrainJob',
    metadata: { name, namespace: 'ns', uid: 'u-1' },
    spec: { runtimeRef: { name: 'rt' }, ...spec },
  }
}

/** A cluster runtime `rt` with one job `node` that trains, unless other jobs are given. */
export function aRuntime(mlPolicy?: MLPolicy, template: JobSetSpec = {}): ClusterTrainingRuntime {
  return {
    apiVersion: 'trainer.kubeflow.org/v1alpha1',
    kind: 'ClusterTrainingRuntime',
    metadata: { name: 'rt' },
    spec: { ...(mlPolicy && { mlPolicy }), template: { spec: { replicatedJobs: [aJob()], ...template } } },
  }
}

/** A replicated job with one container `node` that has the given fields. */
export function aJob(
  container: Partial<Container> = {},
  { name = 'node', ancestor = 'trainer' }: { name?: string; ancestor?: string } = {},
): ReplicatedJob {
  return {
    name,
    template: {
      ...(ancestor && { metadata: { labels: { [ANCESTOR_LABEL]: ancestor } } }),
      spec: { template: { spec: { containers: [{ name: 'node', image: 'img', ...container }] } } },
    },
  }
}

/** The JobSet among rendered objects. */
export function jobSetOf(objects: readonly KubernetesObject[]): JobSet {
  const jobSet = objects.find((object): object is JobSet => object.kind === 'JobSet')
  if (!jobSet) throw new Error(`Expected a JobSet, found ${objects.map(({ kind }) => kind).join(', ') || 'nothing'}.`)
  return jobSet
}

/** A container of a replicated job; `node` of the first one by default. */
export function containerOf(objects: readonly KubernetesObject[], name = 'node', job = 0): Container {
  const pod = jobSetOf(objects).spec.replicatedJobs?.[job]?.template.spec?.template.spec
  const container = [...(pod?.containers ?? []), ...(pod?.initContainers ?? [])].find((each) => each.name === name)
  if (!container) throw new Error(`Expected a container ${name}.`)
  return container
}

/** Names and values of a container's variables; those with a source have the value `from`. */
export function envOf({ env = [] }: Container): Record<string, string> {
  return Object.fromEntries(env.map(({ name, value, valueFrom }) => [name, valueFrom ? 'from' : (value ?? '')]))
}

/** The value, frozen to the bottom: whoever writes to it throws. */
export function deepFrozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  for (const part of Object.values(value)) deepFrozen(part)
  return Object.freeze(value)
}
