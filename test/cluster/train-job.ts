import type { ClusterTrainingRuntime, JobSetSpec, PodSpec, TrainJob, TrainJobSpec } from '@trainjob/api'

export interface TrainJobForm {
  readonly nodes?: number
  /** A ClusterTrainingRuntime; default `plain`. */
  readonly runtime?: string
  /** Runs under `sh -c` on each node. */
  readonly script: string
  readonly env?: Readonly<Record<string, string>>
  readonly resources?: Readonly<Record<string, string>>
  readonly spec?: Partial<TrainJobSpec>
}

/** A job whose nodes run a shell script. */
export function trainJob(name: string, form: TrainJobForm): TrainJob {
  const { nodes = 1, runtime = 'plain', script, env = {}, resources, spec = {} } = form
  return {
    apiVersion: 'trainer.kubeflow.org/v1alpha1',
    kind: 'TrainJob',
    metadata: { name },
    spec: {
      runtimeRef: { name: runtime },
      ...spec,
      trainer: {
        numNodes: nodes,
        command: ['sh', '-c', script],
        env: Object.entries(env).map(([key, value]) => ({ name: key, value })),
        ...(resources !== undefined && { resourcesPerNode: { requests: { ...resources } } }),
        ...spec.trainer,
      },
    },
  }
}

export interface RuntimeForm {
  /** Of the Job. */
  readonly backoffLimit?: number
  readonly pod?: Partial<PodSpec>
  readonly jobSet?: Omit<JobSetSpec, 'replicatedJobs'>
}

/** A runtime like `plain` with other policies. */
export function runtime(name: string, { backoffLimit, pod = {}, jobSet = {} }: RuntimeForm): ClusterTrainingRuntime {
  return {
    apiVersion: 'trainer.kubeflow.org/v1alpha1',
    kind: 'ClusterTrainingRuntime',
    metadata: { name },
    spec: {
      mlPolicy: { numNodes: 1 },
      template: {
        spec: {
          ...jobSet,
          replicatedJobs: [
            {
              name: 'node',
              template: {
                metadata: { labels: { 'trainer.kubeflow.org/trainjob-ancestor-step': 'trainer' } },
                spec: {
                  ...(backoffLimit !== undefined && { backoffLimit }),
                  template: { spec: { containers: [{ name: 'node', image: 'busybox' }], ...pod } },
                },
              },
            },
          ],
        },
      },
    },
  }
}
