import { type Condition, conditionOf, TRAINJOB_SUSPENDED, type TrainJob } from '@trainjob/api'

/**
 * Milliseconds until the job's deadline, 0 or less once it has passed; `undefined` without one or while the job is
 * suspended. The clock starts with the job, and anew when it is resumed.
 */
export function timeToDeadline(trainJob: TrainJob, conditions: readonly Condition[], now: number): number | undefined {
  const { activeDeadlineSeconds, suspend } = trainJob.spec
  if (activeDeadlineSeconds === undefined || activeDeadlineSeconds === 0 || suspend === true) return undefined
  const suspended = conditionOf({ conditions }, TRAINJOB_SUSPENDED)
  const start = suspended?.status === 'False' ? suspended.lastTransitionTime : trainJob.metadata.creationTimestamp
  return start === undefined ? undefined : Date.parse(start) + activeDeadlineSeconds * 1000 - now
}
