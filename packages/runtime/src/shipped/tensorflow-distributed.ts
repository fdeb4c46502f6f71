import {
  ANCESTOR_LABEL,
  ANCESTOR_TRAINER,
  type ClusterTrainingRuntime,
  FRAMEWORK_LABEL,
  NODE_NAME,
} from '@trainjob/api'

/** TensorFlow on any number of workers, which find each other by `TF_CONFIG`. Upstream has no such runtime. */
export const tensorFlowDistributed: ClusterTrainingRuntime = {
  apiVersion: 'trainer.kubeflow.org/v1alpha1',
  kind: 'ClusterTrainingRuntime',
  metadata: { name: 'tensorflow-distributed', labels: { [FRAMEWORK_LABEL]: 'tensorflow' } },
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
                template: { spec: { containers: [{ name: NODE_NAME, image: 'tensorflow/tensorflow:2.17.0-gpu' }] } },
              },
            },
          },
        ],
      },
    },
  },
}
