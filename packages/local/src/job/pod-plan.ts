import type { Job, Pod } from '@trainjob/api'
import { earlierFailures, inheritedFailureCounts } from './backoff-limit-per-index.ts'
import { type IndexRanges, indexRangesOf, lowestFreeIndexes, mergeIndexRanges } from './index-ranges.ts'
import { surplusPods, wantedPods } from './parallelism.ts'
import { podsOfJob } from './pod-of-job.ts'
import { completionIndex, finishedAt, isActive, isTerminating, replacesOnlyFailed } from './pod-state.ts'
import { type Backoff, type FailureRun, remainingDelay } from './replacement-delay.ts'
import { isSuspended } from './suspension.ts'

/** Pods created or let go in one pass; the rest waits for the next one. */
const MAX_PODS_PER_PASS = 500

export interface PodPlan {
  readonly create: readonly Pod[]
  /** To be deleted without counting as failed. */
  readonly discard: readonly Pod[]
  /** Milliseconds after which more may be created. */
  readonly requeueAfterMs?: number
}

export interface PodPlanInput {
  readonly job: Job
  readonly pods: readonly Pod[]
  /** Successes so far, those not yet written down included. */
  readonly succeeded: number
  readonly succeededIndexes: IndexRanges
  readonly failedIndexes: IndexRanges
  /** Failed pods whose index waits for a replacement; only with `backoffLimitPerIndex`. */
  readonly awaiting: ReadonlyMap<number, Pod>
  readonly backoff: Backoff
  readonly failureRun: FailureRun
  readonly random: () => number
  readonly now: number
}

/** Which pods a Job that goes on, or is suspended, creates or lets go. Never both in one pass. */
export function planPods(input: PodPlanInput): PodPlan {
  const { job, pods, backoff, failureRun, now } = input
  const active = pods.filter(isActive)
  if (isSuspended(job)) return { create: [], discard: active }

  const wanted = wantedPods(job, active.length, input.succeeded)
  const discard = surplusPods(job, active, wanted).slice(0, MAX_PODS_PER_PASS)
  if (discard.length > 0) return { create: [], discard }

  const waiting = replacesOnlyFailed(job) ? pods.filter(isTerminating) : []
  const missing = Math.min(wanted - active.length - waiting.length, MAX_PODS_PER_PASS)
  if (missing <= 0) return { create: [], discard: [] }

  const perIndex = job.spec.backoffLimitPerIndex !== undefined
  const delay = perIndex ? 0 : remainingDelay(backoff, failureRun.failures, failureRun.lastFailure, now)
  if (delay > 0) return { create: [], discard: [], requeueAfterMs: delay }
  if (job.spec.completionMode !== 'Indexed') {
    const make = podsOfJob(job, input.random)
    return { create: Array.from({ length: missing }, () => make()), discard: [] }
  }
  return planIndexes(input, [...active, ...waiting], missing, perIndex)
}

function planIndexes(input: PodPlanInput, present: readonly Pod[], missing: number, perIndex: boolean): PodPlan {
  const { job, awaiting, backoff, now } = input
  const occupied = indexRangesOf(present.map(completionIndex).filter((index) => index !== undefined))
  const taken = mergeIndexRanges(mergeIndexRanges(input.succeededIndexes, input.failedIndexes), occupied)
  const free = lowestFreeIndexes(taken, job.spec.completions ?? 0, missing)
  const make = podsOfJob(job, input.random)
  const create: Pod[] = []
  let requeueAfterMs = Number.POSITIVE_INFINITY
  for (const index of free) {
    if (!perIndex) {
      create.push(make(index))
      continue
    }
    const replaced = awaiting.get(index)
    const failures = replaced === undefined ? 0 : earlierFailures(replaced) + 1
    const delay = replaced === undefined ? 0 : remainingDelay(backoff, failures, finishedAt(replaced), now)
    if (delay > 0) requeueAfterMs = Math.min(requeueAfterMs, delay)
    else create.push(make(index, inheritedFailureCounts(job, replaced)))
  }
  return { create, discard: [], ...(Number.isFinite(requeueAfterMs) && { requeueAfterMs }) }
}
