import {
  ANCESTOR_LABEL,
  ANCESTOR_TRAINER,
  type ClusterTrainingRuntime,
  FRAMEWORK_LABEL,
  NODE_NAME,
} from '@trainjob/api'

/** torchrun on any number of nodes. Source: kubeflow/trainer v2.3.0, manifests/base/runtimes/torch_distributed.yaml. */
export const torchDistributed: ClusterTrainingRuntime = {
  apiVersion: 'trainer.kubeflow.org/v1alpha1',
  kind: 'ClusterTrainingRuntime',
  metadata: { name: 'torch-distributed', labels: { [FRAMEWORK_LABEL]: 'torch' } },
  spec: {
    mlPolicy: { numNodes: 1, torch: {} },
    template: {
      spec: {
        replicatedJobs: [
          {
            name: NODE_NAME,
            template: {
              metadata: { labels: { [ANCESTOR_LABEL]: ANCESTOR_TRAINER } },
              spec: {
                template: {
                  spec: { containers: [{ name: NODE_NAME, image: 'pytorch/pytorch:2.13.0-cuda13.0-cudnn9-runtime' }] },
                },
              },
            },
          },
        ],
      },
    },
  },
}
