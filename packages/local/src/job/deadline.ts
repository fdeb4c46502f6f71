import type { Job } from '@trainjob/api'
import type { Outcome } from './conditions.ts'

/**
 * Fails a Job that has been active for `activeDeadlineSeconds`; before that, says in how many milliseconds it will be.
 * Time in suspension does not count, because `startTime` is set anew on resume.
 */
export function deadlineOutcome(
  job: Job,
  startTime: string | undefined,
  now: number,
): { outcome?: Outcome; inMs?: number } {
  const seconds = job.spec.activeDeadlineSeconds
  if (seconds === undefined || startTime === undefined || job.spec.suspend === true) return {}
  const inMs = Date.parse(startTime) + seconds * 1000 - now
  if (inMs > 0) return { inMs }
  return {
    outcome: {
      type: 'FailureTarget',
      reason: 'DeadlineExceeded',
      message: 'Job was active longer than specified deadline',
    },
  }
}
