import type { Job, Pod } from '@trainjob/api'
import { backoffLimitOutcome } from './backoff-limit.ts'
import { failedIndexesOutcome } from './backoff-limit-per-index.ts'
import { type Outcome, pendingOutcome } from './conditions.ts'
import { deadlineOutcome } from './deadline.ts'
import type { SeenEnds } from './ended-pods.ts'
import type { IndexRanges } from './index-ranges.ts'
import { podFailurePolicyOutcome } from './pod-failure-policy.ts'
import { successPolicyOutcome } from './success-policy.ts'

/**
 * Whether the Job is to end before all its completions are reached. An outcome that was written down stays; otherwise
 * the first policy that applies decides.
 *
 * @param failedIndexes only with `backoffLimitPerIndex`
 * @returns the outcome, or the milliseconds until the deadline where there is one
 */
export function chooseOutcome(
  job: Job,
  pods: readonly Pod[],
  ends: SeenEnds,
  failedIndexes: IndexRanges | undefined,
  startTime: string | undefined,
  now: number,
): { outcome?: Outcome; inMs?: number } {
  const early = pendingOutcome(job) ?? podFailurePolicyOutcome(job, pods) ?? backoffLimitOutcome(job, pods, ends.failed)
  if (early !== undefined) return { outcome: early }
  const deadline = deadlineOutcome(job, startTime, now)
  if (deadline.outcome !== undefined) return deadline
  const late =
    (failedIndexes && failedIndexesOutcome(job, ends.succeededIndexes, failedIndexes)) ??
    successPolicyOutcome(job, ends.succeededIndexes)
  return late === undefined ? deadline : { outcome: late }
}

/** Success once enough pods have succeeded and none is active any more. */
export function completionOutcome(job: Job, succeeded: number, active: number): Outcome | undefined {
  const { completions } = job.spec
  if (active > 0 || (completions === undefined ? succeeded === 0 : succeeded < completions)) return undefined
  return {
    type: 'SuccessCriteriaMet',
    reason: 'CompletionsReached',
    message: 'Reached expected number of succeeded pods',
  }
}
