import type { Job, Pod } from '@trainjob/api'
import { finishedAt, isFailed, isSucceeded, isTracked } from './pod-state.ts'

/** How long a Job waits before it replaces a failed pod. */
export interface Backoff {
  /** After the first failure; doubles with each further one. */
  readonly initialMs: number
  readonly maxMs: number
}

/** What kube-controller-manager uses. */
export const JOB_BACKOFF: Backoff = { initialMs: 10_000, maxMs: 600_000 }

/** Milliseconds still to wait after `failures` in a row, the last one at `lastFailure`; 0 when it may go on. */
export function remainingDelay(backoff: Backoff, failures: number, lastFailure: number, now: number): number {
  if (failures === 0) return 0
  const delay = Math.min(backoff.initialMs * 2 ** (failures - 1), backoff.maxMs)
  return Math.max(0, lastFailure + delay - now)
}

/**
 * Milliseconds before the Job may create pods again: the delay grows with the failures since its last success. They are
 * read from the pods themselves, which a Job keeps, so that nothing is lost when the controller starts anew.
 */
export function replacementDelay(job: Job, pods: readonly Pod[], backoff: Backoff, now: number): number {
  let lastSuccess = Number.NEGATIVE_INFINITY
  for (const pod of pods) if (isSucceeded(pod)) lastSuccess = Math.max(lastSuccess, finishedAt(pod))
  let failures = 0
  let lastFailure = 0
  for (const pod of pods) {
    if (!isFailed(pod, job) || wasDiscarded(pod)) continue
    const at = finishedAt(pod)
    if (at <= lastSuccess) continue
    failures++
    lastFailure = Math.max(lastFailure, at)
  }
  return remainingDelay(backoff, failures, lastFailure, now)
}

/** The Job itself let go of the pod (suspended, surplus), which is no failure. */
function wasDiscarded(pod: Pod): boolean {
  return pod.metadata.deletionTimestamp !== undefined && !isTracked(pod)
}
