import type { Job, Pod } from '@trainjob/api'
import type { Outcome } from './conditions.ts'

/**
 * Fails a Job that failed too often: with more failed pods than `backoffLimit`, or, where containers are restarted in
 * their pod (`restartPolicy: OnFailure`), once all restarts together reach it. With a limit of 0 the first restart is
 * one too many. (Source: kubernetes job_controller.go, pastBackoffLimitOnFailure.)
 */
export function backoffLimitOutcome(job: Job, pods: readonly Pod[], failed: number): Outcome | undefined {
  const limit = job.spec.backoffLimit ?? 6
  if (failed <= limit && !restartedTooOften(job, pods, limit)) return undefined
  return {
    type: 'FailureTarget',
    reason: 'BackoffLimitExceeded',
    message: 'Job has reached the specified backoff limit',
  }
}

function restartedTooOften(job: Job, pods: readonly Pod[], limit: number): boolean {
  if (job.spec.template.spec?.restartPolicy !== 'OnFailure') return false
  let restarts = 0
  for (const { status } of pods) {
    if (status?.phase !== 'Running' && status?.phase !== 'Pending') continue
    for (const { restartCount } of status.initContainerStatuses ?? []) restarts += restartCount
    for (const { restartCount } of status.containerStatuses ?? []) restarts += restartCount
  }
  return limit === 0 ? restarts > 0 : restarts >= limit
}
