import type { JobSet, TrainJobJobStatus } from '@trainjob/api'

/**
 * `status.jobsStatus` as the JobSet counts it. Hands back `before` when nothing changed: JobSet writes its list in any
 * order, and a new order alone is no reason to write. Kueue takes `active: 0` here as the sign that a job has stopped.
 */
export function jobsStatus(jobSet: JobSet, before: TrainJobJobStatus[] | undefined): TrainJobJobStatus[] | undefined {
  const counted = jobSet.status?.replicatedJobsStatus
  if (counted === undefined || counted.length === 0) return undefined
  const unchanged =
    before !== undefined &&
    before.length === counted.length &&
    counted.every((one) => {
      const old = before.find((other) => other.name === one.name)
      return (
        old !== undefined &&
        old.ready === one.ready &&
        old.succeeded === one.succeeded &&
        old.failed === one.failed &&
        old.active === one.active &&
        old.suspended === one.suspended
      )
    })
  if (unchanged) return before
  return counted.map(({ name, ready, succeeded, failed, active, suspended }) => ({
    name,
    ready,
    succeeded,
    failed,
    active,
    suspended,
  }))
}
