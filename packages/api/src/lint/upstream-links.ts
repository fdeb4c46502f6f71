/**
 * Where upstream says or discusses what an error or a warning of `validate` is about, by its code. Rules of lint have
 * their own links.
 *
 * @example
 * UPSTREAM_LINKS['reserved-env'] // => 'https://github.com/kubeflow/trainer/issues/3491'
 */
export const UPSTREAM_LINKS: Readonly<Record<string, string>> = {
  'gang-never-complete': 'https://github.com/kubernetes-sigs/jobset/pull/1253',
  'gang-never-fits': 'https://volcano.sh/en/docs/podgroup/',
  'gpu-count-mismatch': 'https://github.com/kubeflow/trainer/blob/v2.3.0/pkg/runtime/framework/plugins/torch/torch.go',
  'gpu-count-patched': 'https://github.com/kubeflow/trainer/pull/3974',
  immutable: 'https://github.com/kubeflow/trainer/pull/3157',
  'initializer-not-in-runtime': 'https://github.com/kubeflow/trainer/issues/3714',
  'missing-launcher': 'https://github.com/kubeflow/trainer/blob/v2.3.0/pkg/runtime/framework/plugins/mpi/mpi.go',
  'name-too-long': 'https://github.com/kubeflow/trainer/issues/2735',
  'out-of-range': 'https://github.com/kubeflow/trainer/issues/3805',
  'patch-conflict': 'https://github.com/kubeflow/trainer/blob/v2.3.0/examples/yaml/02-runtime-patches.yaml',
  'reserved-env': 'https://github.com/kubeflow/trainer/issues/3491',
  torchtune: 'https://github.com/kubeflow/trainer/issues/3302',
  'unknown-replicated-job': 'https://github.com/kubernetes-sigs/kueue/pull/14504',
}
