/** Id of a deliberate difference. */
export type DeviationId =
  | 'env-without-trainer'
  | 'process-count-from-merged-resources'
  | 'master-address-of-the-trainer-job'
  | 'unnamed-ports'
  | 'resources-without-policy'
  | 'resource-claims'
  | 'env-from-file-key'
  | 'one-launcher'
  | 'launcher-as-only-node'
  | 'env-in-mpi-workers'
  | 'flux-without-trainer'
  | 'flux-exit-code'
  | 'gang-of-those-who-start-together'

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
  {
    id: 'one-launcher',
    issue: 'pkg/runtime/core/trainingruntime.go',
    upstream: "The runtime's mlPolicy.numNodes becomes the number of MPI launchers; workers follow parallelism.",
    ours: 'There is one MPI launcher, and numNodes counts nodes.',
  },
  {
    id: 'launcher-as-only-node',
    issue: 'kubeflow/trainer#3954',
    upstream: 'A job of one node whose launcher is a node has a worker besides: two hosts.',
    ours: 'A job of one node has the launcher only.',
  },
  {
    id: 'env-in-mpi-workers',
    issue: 'kubeflow/trainer#3427',
    upstream: 'spec.trainer.env does not reach the ranks on MPI workers.',
    ours: 'The variables are in the worker pods, and the launcher hands them to every rank.',
  },
  {
    id: 'flux-without-trainer',
    issue: 'pkg/runtime/framework/plugins/flux/flux.go',
    upstream: 'Without spec.trainer, or numNodes in it, the controller crashes on a flux runtime.',
    ours: 'The command and the number of nodes are those of the runtime.',
  },
  {
    id: 'flux-exit-code',
    issue: 'pkg/runtime/framework/plugins/flux/templates/entrypoint.sh',
    upstream: 'The lead pod ends with 0 however the training command ended: a failed job is Complete.',
    ours: 'The lead pod ends as the training command did.',
  },
  {
    id: 'gang-of-those-who-start-together',
    issue: 'pkg/runtime/framework/plugins/{coscheduling,volcano}',
    upstream:
      'A gang counts all pods, also those that start only when others have run or are ready: it is never complete.',
    ours: 'A gang is made of the pods that start together.',
  },
]
