import type { Job, JobCondition, JobStatus } from '@trainjob/api'
import { timestamp } from './timestamp.ts'

type Conditions = JobStatus['conditions']

/** Why a Job ends, as both its interim and its final condition say it. */
export interface Outcome {
  /** `SuccessCriteriaMet` leads only to `Complete`, `FailureTarget` only to `Failed`. */
  readonly type: 'SuccessCriteriaMet' | 'FailureTarget'
  readonly reason: string
  readonly message: string
}

/** The condition of a type, if it is there and true. */
export function trueCondition(conditions: Conditions, type: string): JobCondition | undefined {
  return conditions?.find((condition) => condition.type === type && condition.status === 'True')
}

/** `Complete` or `Failed`, once the Job has ended for good. */
export function terminalCondition(job: Job): JobCondition | undefined {
  return trueCondition(job.status?.conditions, 'Complete') ?? trueCondition(job.status?.conditions, 'Failed')
}

/** The outcome that an earlier pass decided and wrote down. */
export function pendingOutcome(job: Job): Outcome | undefined {
  for (const type of ['SuccessCriteriaMet', 'FailureTarget'] as const) {
    const found = trueCondition(job.status?.conditions, type)
    if (found !== undefined) return { type, reason: found.reason ?? '', message: found.message ?? '' }
  }
  return undefined
}

/**
 * The conditions with one of them set. Nothing changes (the same list comes back) when it says so already, and a
 * false condition is never added: it only takes the place of a true one.
 */
export function withCondition(
  conditions: Conditions,
  condition: Pick<JobCondition, 'type' | 'status' | 'reason' | 'message'>,
  now: number,
): Conditions {
  const written = timestamp(now)
  const dated: JobCondition = { ...condition, lastProbeTime: written, lastTransitionTime: written }
  const at = conditions?.findIndex(({ type }) => type === condition.type) ?? -1
  const old = conditions?.[at]
  if (conditions === undefined || old === undefined) {
    return condition.status === 'False' ? conditions : [...(conditions ?? []), dated]
  }
  if (old.status === condition.status && old.reason === condition.reason && old.message === condition.message) {
    return conditions
  }
  return conditions.with(at, dated)
}
