/** Id of a deliberate difference. */
export type DeviationId =
  | 'env-without-trainer'
  | 'process-count-from-merged-resources'
  | 'master-address-of-the-trainer-job'
  | 'unnamed-ports'
  | 'resources-without-policy'
  | 'resource-claims'
  | 'env-from-file-key'

/** A deliberate difference from upstream. */
export interface Deviation {
  readonly id: DeviationId
  /** Upstream's issue or pull request, else the file at v2.3.0 where it happens. */
  readonly issue: string
  readonly upstream: string
  readonly ours: string
}

/**
 * Where the renderer knowingly does not do what Kubeflow Trainer v2.3.0 does. `compat: 'upstream'` switches all of them
 * off. docs/deviations.md describes each one; its test shows both results.
 */
export const DEVIATIONS: readonly Deviation[] = [
  {
    id: 'env-without-trainer',
    issue: 'kubeflow/trainer#4076',
    upstream: 'A job without spec.trainer gets no framework environment at all.',
    ours: 'The framework environment and port do not depend on spec.trainer.',
  },
  {
    id: 'process-count-from-merged-resources',
    issue: 'kubeflow/trainer#3974',
    upstream:
      'The process count looks at spec.trainer.resourcesPerNode alone when it is set, so it misses CPUs and GPUs that only the runtime asks for.',
    ours: 'The process count looks at the resources the container ends up with.',
  },
  {
    id: 'master-address-of-the-trainer-job',
    issue: 'pkg/runtime/framework/plugins/torch/torch.go',
    upstream: 'The master address says <job>-node-0-0.<job> whatever the replicated job and the subdomain are called.',
    ours: 'The master address is the name under which the first trainer pod is found.',
  },
  {
    id: 'unnamed-ports',
    issue: 'pkg/apply/apply.go',
    upstream: 'Two ports without a name count as the same port: the last one takes the place of the first.',
    ours: 'Ports are the same when they have the same number and protocol, or the same name.',
  },
  {
    id: 'resources-without-policy',
    issue: 'pkg/runtime/core/trainingruntime.go',
    upstream: 'spec.trainer.resourcesPerNode is ignored when the runtime has no mlPolicy.',
    ours: 'spec.trainer.resourcesPerNode always applies to the trainer.',
  },
  {
    id: 'resource-claims',
    issue: 'pkg/runtime/core/trainingruntime.go',
    upstream:
      'With spec.trainer.resourcesPerNode, resource claims are lost: those of the runtime and those of the job.',
    ours: 'Resource claims are merged by name.',
  },
  {
    id: 'env-from-file-key',
    issue: 'pkg/apply/apply.go',
    upstream: 'A variable of the job that comes from a fileKeyRef is rendered without its source.',
    ours: 'Sources of variables are kept.',
  },
]
