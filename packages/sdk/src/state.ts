import type { JobSet, Pod, TrainJob } from '@trainjob/api'

/** What a TrainJob is doing, in one word. Upstream's status has no word for Pending, Running and Restarting. */
export const TRAIN_JOB_STATES = ['Pending', 'Running', 'Suspended', 'Restarting', 'Complete', 'Failed'] as const
/** One of `TRAIN_JOB_STATES`. */
export type TrainJobState = (typeof TRAIN_JOB_STATES)[number]

/** Objects that sharpen the answer when they are at hand. */
export interface StateFacts {
  readonly jobSet?: JobSet | undefined
  readonly pods?: readonly Pod[] | undefined
}

/**
 * The state of a TrainJob. `spec.suspend` decides, not the Suspended condition, which lags behind a resume
 * (kubeflow/sdk#803, kubeflow/trainer#3666).
 *
 * @example
 * state({ ...trainJob, spec: { ...trainJob.spec, suspend: true } }) // => 'Suspended'
 * const node = { name: 'node', ready: 1, succeeded: 0, failed: 0, active: 1, suspended: 0 }
 * state({ ...trainJob, status: { jobsStatus: [node] } }) // => 'Running'
 */
export function state(trainJob: TrainJob, facts: StateFacts = {}): TrainJobState {
  for (const condition of trainJob.status?.conditions ?? []) {
    if (condition.status === 'True' && (condition.type === 'Complete' || condition.type === 'Failed')) {
      return condition.type
    }
  }
  if (trainJob.spec.suspend === true) return 'Suspended'
  if (isRestarting(facts)) return 'Restarting'
  return hasStarted(trainJob, facts.pods) ? 'Running' : 'Pending'
}

function isRestarting({ jobSet, pods }: StateFacts): boolean {
  if (jobSet?.status?.conditions?.some((one) => one.type === 'RestartingJobSet' && one.status === 'True')) return true
  return (
    pods?.some(
      (pod) =>
        pod.metadata.deletionTimestamp === undefined &&
        pod.status?.containerStatuses?.some((one) => one.state?.waiting?.reason === 'CrashLoopBackOff'),
    ) ?? false
  )
}

/** Something of the job runs, or ran to its end while the next step waits. */
function hasStarted(trainJob: TrainJob, pods: readonly Pod[] | undefined): boolean {
  if (pods?.some((pod) => pod.status?.phase === 'Running' || pod.status?.phase === 'Succeeded')) return true
  return trainJob.status?.jobsStatus?.some((job) => job.ready > 0 || job.succeeded > 0) ?? false
}
