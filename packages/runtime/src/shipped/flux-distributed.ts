import {
  ANCESTOR_LABEL,
  ANCESTOR_TRAINER,
  type ClusterTrainingRuntime,
  FRAMEWORK_LABEL,
  NODE_NAME,
} from '@trainjob/api'

/** Flux brokers on any number of nodes; the image is the program's, Flux is added. Source: kubeflow/trainer v2.3.0, examples/flux/flux-runtime.yaml. */
export const fluxDistributed: ClusterTrainingRuntime = {
  apiVersion: 'trainer.kubeflow.org/v1alpha1',
  kind: 'ClusterTrainingRuntime',
  metadata: {
    name: 'flux-distributed',
    labels: { [FRAMEWORK_LABEL]: 'flux', 'trainer.kubeflow.org/webhook-validation': 'disabled' },
  },
  spec: {
    mlPolicy: { numNodes: 1, flux: {} },
    template: {
      spec: {
        replicatedJobs: [
          {
            name: NODE_NAME,
            template: {
              metadata: { labels: { [ANCESTOR_LABEL]: ANCESTOR_TRAINER } },
              spec: { template: { spec: { containers: [{ name: NODE_NAME, image: 'ubuntu:jammy' }] } } },
            },
          },
        ],
      },
    },
  },
}
