import {
  ANCESTOR_LABEL,
  ANCESTOR_TRAINER,
  type ClusterTrainingRuntime,
  FRAMEWORK_LABEL,
  NODE_NAME,
} from '@trainjob/api'

/** Any program on any number of nodes, with no framework's environment. Upstream has no such runtime. */
export const plain: ClusterTrainingRuntime = {
  apiVersion: 'trainer.kubeflow.org/v1alpha1',
  kind: 'ClusterTrainingRuntime',
  metadata: { name: 'plain', labels: { [FRAMEWORK_LABEL]: 'plain' } },
  spec: {
    mlPolicy: { numNodes: 1 },
    template: {
      spec: {
        replicatedJobs: [
          {
            name: NODE_NAME,
            template: {
              metadata: { labels: { [ANCESTOR_LABEL]: ANCESTOR_TRAINER } },
              spec: {
                template: { spec: { containers: [{ name: NODE_NAME, image: 'docker.io/library/busybox:stable' }] } },
              },
            },
          },
        ],
      },
    },
  },
}
