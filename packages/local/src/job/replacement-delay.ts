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

/** Failures in a row, as a Job's next delay grows with them. */
export interface FailureRun {
  /** Since the last success. */
  readonly failures: number
  /** When the last of them ended, in milliseconds since the epoch. */
  readonly lastFailure: number
}

/**
 * The run of failures once these pods, not counted before, have ended. Those that the pod failure policy ignores are
 * among them. (Source: kubernetes backoff_utils.go, newBackoffRecord.)
 */
export function nextFailureRun(run: FailureRun, succeeded: readonly Pod[], failed: readonly Pod[]): FailureRun {
  const before = succeeded.length > 0 ? { failures: 0, lastFailure: 0 } : run
  const lastSuccess = Math.max(Number.NEGATIVE_INFINITY, ...succeeded.map(finishedAt))
  const ends = failed.map(finishedAt).filter((at) => at > lastSuccess)
  if (ends.length === 0) return before
  return { failures: before.failures + ends.length, lastFailure: Math.max(...ends) }
}

/**
 * The run of failures that can be read from pods whose end is counted already: what a controller that starts anew goes
 * on with. Pods that are gone are not in it, nor those that the Job itself let go (suspended, surplus).
 */
export function failureRunOf(job: Job, counted: readonly Pod[]): FailureRun {
  const failed = counted.filter((pod) => isFailed(pod, job) && !wasDiscarded(pod))
  return nextFailureRun({ failures: 0, lastFailure: 0 }, counted.filter(isSucceeded), failed)
}

function wasDiscarded(pod: Pod): boolean {
  return pod.metadata.deletionTimestamp !== undefined && !isTracked(pod)
}
