import {
  ANCESTOR_LABEL,
  ANCESTOR_TRAINER,
  type ClusterTrainingRuntime,
  FRAMEWORK_LABEL,
  NODE_NAME,
} from '@trainjob/api'

/** One JAX process on each of any number of nodes. Source: kubeflow/trainer v2.3.0, manifests/base/runtimes/jax_distributed.yaml. */
export const jaxDistributed: ClusterTrainingRuntime = {
  apiVersion: 'trainer.kubeflow.org/v1alpha1',
  kind: 'ClusterTrainingRuntime',
  metadata: { name: 'jax-distributed', labels: { [FRAMEWORK_LABEL]: 'jax' } },
  spec: {
    mlPolicy: { numNodes: 1, jax: {} },
    template: {
      spec: {
        replicatedJobs: [
          {
            name: NODE_NAME,
            template: {
              metadata: { labels: { [ANCESTOR_LABEL]: ANCESTOR_TRAINER } },
              spec: {
                template: { spec: { containers: [{ name: NODE_NAME, image: 'nvcr.io/nvidia/jax:25.10-py3' }] } },
              },
            },
          },
        ],
      },
    },
  },
}
