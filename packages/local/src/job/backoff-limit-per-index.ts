import type { Job, Pod } from '@trainjob/api'
import type { Outcome } from './conditions.ts'
import {
  countIndexes,
  hasIndex,
  type IndexRanges,
  indexRangesOf,
  mergeIndexRanges,
  parseIndexRanges,
} from './index-ranges.ts'
import { INDEX_FAILURE_COUNT, INDEX_IGNORED_FAILURE_COUNT } from './labels.ts'
import { judgeFailedPod } from './pod-failure-policy.ts'
import { completionIndex, finishedAt, isActive, isFailed, isTracked } from './pod-state.ts'

/** Indexes given up: those written down already, and those of pods whose failure is not counted yet. */
export function failedIndexes(job: Job, pods: readonly Pod[]): IndexRanges {
  const completions = job.spec.completions ?? 0
  const limit = job.spec.backoffLimitPerIndex ?? 0
  const lost = new Set<number>()
  for (const pod of pods) {
    const index = completionIndex(pod)
    if (index === undefined || index >= completions || !isTracked(pod) || !isFailed(pod, job)) continue
    const { action } = judgeFailedPod(job.spec.podFailurePolicy, pod)
    if (action === 'FailIndex' || (action !== 'Ignore' && failureCount(pod) >= limit)) lost.add(index)
  }
  return mergeIndexRanges(parseIndexRanges(job.status?.failedIndexes, completions), indexRangesOf(lost))
}

/** Fails a Job with too many failed indexes at once, and one with any when no index is left to run. */
export function failedIndexesOutcome(job: Job, succeeded: IndexRanges, failed: IndexRanges): Outcome | undefined {
  const count = countIndexes(failed)
  if (job.spec.maxFailedIndexes !== undefined && count > job.spec.maxFailedIndexes) {
    return {
      type: 'FailureTarget',
      reason: 'MaxFailedIndexesExceeded',
      message: 'Job has exceeded the specified maximal number of failed indexes',
    }
  }
  if (count > 0 && count + countIndexes(succeeded) >= (job.spec.completions ?? 0)) {
    return { type: 'FailureTarget', reason: 'FailedIndexes', message: 'Job has failed indexes' }
  }
  return undefined
}

/**
 * The failed pod of each index that waits for its replacement. It keeps its finalizer until then, because the
 * replacement inherits its failure count.
 */
export function podsAwaitingReplacement(
  job: Job,
  pods: readonly Pod[],
  succeeded: IndexRanges,
  failed: IndexRanges,
): ReadonlyMap<number, Pod> {
  const active = new Set(pods.filter(isActive).map(completionIndex))
  const waiting = new Map<number, Pod>()
  for (const pod of pods) {
    const index = completionIndex(pod)
    if (index === undefined || index >= (job.spec.completions ?? 0) || !isTracked(pod) || !isFailed(pod, job)) continue
    if (active.has(index) || hasIndex(succeeded, index) || hasIndex(failed, index)) continue
    const other = waiting.get(index)
    if (other === undefined || isLater(pod, other)) waiting.set(index, pod)
  }
  return waiting
}

/** The annotations that carry an index's failures over to the pod that replaces `replaced`. */
export function inheritedFailureCounts(job: Job, replaced: Pod | undefined): Record<string, string> {
  let counted = 0
  let ignored = 0
  if (replaced !== undefined) {
    counted = failureCount(replaced)
    ignored = annotationNumber(replaced, INDEX_IGNORED_FAILURE_COUNT)
    if (judgeFailedPod(job.spec.podFailurePolicy, replaced).action === 'Ignore') ignored++
    else counted++
  }
  return { [INDEX_FAILURE_COUNT]: `${counted}`, ...(ignored > 0 && { [INDEX_IGNORED_FAILURE_COUNT]: `${ignored}` }) }
}

/** Failures of the pod's index before it, counted and ignored ones: what the replacement delay grows with. */
export function earlierFailures(pod: Pod): number {
  return failureCount(pod) + annotationNumber(pod, INDEX_IGNORED_FAILURE_COUNT)
}

function failureCount(pod: Pod): number {
  return annotationNumber(pod, INDEX_FAILURE_COUNT)
}

function annotationNumber(pod: Pod, name: string): number {
  const text = pod.metadata.annotations?.[name]
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : 0
}

function isLater(pod: Pod, than: Pod): boolean {
  return earlierFailures(pod) >= earlierFailures(than) && finishedAt(pod) >= finishedAt(than)
}
