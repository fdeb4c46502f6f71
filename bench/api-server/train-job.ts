import { MANAGED_BY_MULTIKUEUE, type TrainJob } from '@trainjob/api'

/** Where they are served. */
export const TRAIN_JOBS = '/apis/trainer.kubeflow.org/v1alpha1/namespaces/default/trainjobs'

/** Bytes of a TrainJob as JSON, near enough. */
const BYTES = 2048

/**
 * A TrainJob of 2 KB as a client writes it, as JSON. It is one that another cluster runs: the server checks and stores
 * it, and no controller answers with objects of its own, which the peer, a server alone, would not have either.
 */
export function trainJobText(name: string): string {
  const job: TrainJob = {
    apiVersion: 'trainer.kubeflow.org/v1alpha1',
    kind: 'TrainJob',
    metadata: { name, namespace: 'default', labels: { team: 'vision', 'kueue.x-k8s.io/queue-name': 'training' } },
    spec: {
      runtimeRef: { apiGroup: 'trainer.kubeflow.org', kind: 'ClusterTrainingRuntime', name: 'torch-distributed' },
      managedBy: MANAGED_BY_MULTIKUEUE,
      trainer: {
        image: 'registry.example.com/vision/train:2026-12',
        command: ['torchrun', 'train.py'],
        args: ['--epochs', '30', '--batch-size', '256', '--lr', '0.001'],
        numNodes: 4,
        env: Array.from({ length: 12 }, (_, i) => ({ name: `SETTING_${i}`, value: `value of the setting ${i}` })),
        resourcesPerNode: {
          requests: { cpu: '8', memory: '64Gi', 'nvidia.com/gpu': '4' },
          limits: { memory: '64Gi', 'nvidia.com/gpu': '4' },
        },
      },
      runtimePatches: [
        {
          manager: 'example.com/platform',
          trainingRuntimeSpec: {
            template: {
              metadata: { labels: { 'example.com/cost-center': 'research' } },
              spec: {
                replicatedJobs: [
                  {
                    name: 'node',
                    template: {
                      spec: {
                        template: {
                          spec: {
                            nodeSelector: { 'example.com/pool': 'gpu' },
                            tolerations: [{ key: 'nvidia.com/gpu', operator: 'Exists', effect: 'NoSchedule' }],
                          },
                        },
                      },
                    },
                  },
                ],
              },
            },
          },
        },
      ],
    },
  }
  return filledTo(BYTES, job)
}

/** Bytes of a TrainJob that comes to 2 KB with what the server adds: who owns its fields, above all. */
const SMALL_BYTES = 1480

/** A small TrainJob, of which watchers are sent 2 KB. */
export function smallTrainJobText(name: string): string {
  return filledTo(SMALL_BYTES, {
    apiVersion: 'trainer.kubeflow.org/v1alpha1',
    kind: 'TrainJob',
    metadata: { name, namespace: 'default' },
    spec: {
      runtimeRef: { apiGroup: 'trainer.kubeflow.org', kind: 'ClusterTrainingRuntime', name: 'torch-distributed' },
      managedBy: MANAGED_BY_MULTIKUEUE,
      trainer: { numNodes: 4, command: ['torchrun', 'train.py'] },
    },
  })
}

function filledTo(bytes: number, job: TrainJob): string {
  const missing = bytes - JSON.stringify(job).length - FILL.length
  return JSON.stringify({ ...job, metadata: { ...job.metadata, annotations: { note: 'x'.repeat(missing) } } })
}

/** What an annotation takes besides its value. */
const FILL = ',"annotations":{"note":""}'
