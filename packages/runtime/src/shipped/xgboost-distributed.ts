import {
  ANCESTOR_LABEL,
  ANCESTOR_TRAINER,
  type ClusterTrainingRuntime,
  FRAMEWORK_LABEL,
  NODE_NAME,
} from '@trainjob/api'

/** XGBoost workers on any number of nodes; the program on the first one starts the tracker. Source: kubeflow/trainer v2.3.0, manifests/base/runtimes/xgboost_distributed.yaml. */
export const xgboostDistributed: ClusterTrainingRuntime = {
  apiVersion: 'trainer.kubeflow.org/v1alpha1',
  kind: 'ClusterTrainingRuntime',
  metadata: { name: 'xgboost-distributed', labels: { [FRAMEWORK_LABEL]: 'xgboost' } },
  spec: {
    mlPolicy: { numNodes: 1, xgboost: {} },
    template: {
      spec: {
        replicatedJobs: [
          {
            name: NODE_NAME,
            template: {
              metadata: { labels: { [ANCESTOR_LABEL]: ANCESTOR_TRAINER } },
              spec: {
                template: {
                  spec: { containers: [{ name: NODE_NAME, image: 'ghcr.io/kubeflow/trainer/xgboost-runtime' }] },
                },
              },
            },
          },
        ],
      },
    },
  },
}
