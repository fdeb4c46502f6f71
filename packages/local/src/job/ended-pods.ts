import type { Job, JobStatus, Pod } from '@trainjob/api'
import type { Outcome } from './conditions.ts'
import { countIndexes, type IndexRanges, indexRangesOf, mergeIndexRanges, parseIndexRanges } from './index-ranges.ts'
import { countsAsFailure } from './pod-failure-policy.ts'
import { completionIndex, isFailed, isSucceeded, isTracked } from './pod-state.ts'

/*
 * How a Job counts each end exactly once: a pod carries a finalizer until it is counted. A pass first writes the pod's
 * uid to `uncountedTerminatedPods`, then removes the finalizer, and the pass that sees the finalizer gone moves the uid
 * into the counter. Whatever is interrupted in between is taken up where it stopped. Successes of an Indexed Job need no
 * uid: their index says whether they were counted. (Source: kubernetes KEP-2307.)
 */

/** Ends seen so far, whether written down or not: what the policies decide on. */
export interface SeenEnds {
  readonly succeeded: number
  readonly failed: number
  /** Empty unless the Job is Indexed. */
  readonly succeededIndexes: IndexRanges
  /** Pods of which the status says nothing yet; ignored failures are among those that failed. */
  readonly unseen: { readonly succeeded: readonly Pod[]; readonly failed: readonly Pod[] }
}

export function seenEnds(job: Job, pods: readonly Pod[]): SeenEnds {
  const { succeeded: oldSucceeded = 0, failed: oldFailed = 0, uncountedTerminatedPods: uncounted } = job.status ?? {}
  const knownSucceeded = new Set(uncounted?.succeeded)
  const knownFailed = new Set(uncounted?.failed)
  let succeeded = oldSucceeded + knownSucceeded.size
  let failed = oldFailed + knownFailed.size
  const indexes: number[] = []
  const unseen = { succeeded: [] as Pod[], failed: [] as Pod[] }
  for (const pod of pods) {
    if (!isTracked(pod) || !hasValidIndex(job, pod)) continue
    const uid = pod.metadata.uid as string
    if (isSucceeded(pod)) {
      indexes.push(completionIndex(pod) ?? 0)
      if (knownSucceeded.has(uid)) continue
      succeeded++
      unseen.succeeded.push(pod)
    } else if (isFailed(pod, job) && !knownFailed.has(uid)) {
      unseen.failed.push(pod)
      if (countsAsFailure(job, pod)) failed++
    }
  }
  if (!isIndexed(job)) return { succeeded, failed, succeededIndexes: [], unseen }
  const before = parseIndexRanges(job.status?.completedIndexes, job.spec.completions ?? 0)
  const succeededIndexes = mergeIndexRanges(before, indexRangesOf(indexes))
  return { succeeded: countIndexes(succeededIndexes), failed, succeededIndexes, unseen }
}

/** What a pass writes down about ended pods, and the pods whose finalizer may go afterwards. */
export interface CountedEnds {
  readonly succeeded: number
  readonly failed: number
  readonly uncounted: { readonly succeeded: readonly string[]; readonly failed: readonly string[] }
  readonly finalize: readonly Pod[]
}

/**
 * @param outcome with one, every pod is let go; those that a failing Job kills count as failed
 * @param awaiting failed pods that must stay for the sake of their replacement
 */
export function countEnds(
  job: Job,
  pods: readonly Pod[],
  outcome: Outcome | undefined,
  awaiting: ReadonlySet<Pod>,
): CountedEnds {
  const status: JobStatus = job.status ?? {}
  const tracked = new Set(pods.filter(isTracked).map(({ metadata }) => metadata.uid))
  const [succeededBefore, succeeded] = settle(status.uncountedTerminatedPods?.succeeded, tracked)
  const [failedBefore, failed] = settle(status.uncountedTerminatedPods?.failed, tracked)
  const knownSucceeded = new Set(succeeded)
  const knownFailed = new Set(failed)
  const all = outcome !== undefined || job.metadata.deletionTimestamp !== undefined
  const finalize: Pod[] = []
  for (const pod of pods) {
    if (!isTracked(pod)) continue
    const failedNow = isFailed(pod, job)
    if (!all && !isSucceeded(pod) && (!failedNow || awaiting.has(pod))) continue
    finalize.push(pod)
    const uid = pod.metadata.uid as string
    if (isSucceeded(pod)) {
      if (!isIndexed(job) && !knownSucceeded.has(uid) && !knownFailed.has(uid)) succeeded.push(uid)
    } else if (failedNow || outcome?.type === 'FailureTarget') {
      if (!knownFailed.has(uid) && hasValidIndex(job, pod) && countsAsFailure(job, pod)) failed.push(uid)
    }
  }
  return {
    succeeded: (status.succeeded ?? 0) + succeededBefore,
    failed: (status.failed ?? 0) + failedBefore,
    uncounted: { succeeded, failed },
    finalize,
  }
}

/** Splits uids into those whose pod has let go of its finalizer (a number) and the others. */
function settle(uids: readonly string[] = [], tracked: ReadonlySet<string | undefined>): [number, string[]] {
  const rest = uids.filter((uid) => tracked.has(uid))
  return [uids.length - rest.length, rest]
}

function isIndexed(job: Job): boolean {
  return job.spec.completionMode === 'Indexed'
}

/** An Indexed Job ignores pods without an index and those beyond its completions. */
function hasValidIndex(job: Job, pod: Pod): boolean {
  if (!isIndexed(job)) return true
  const index = completionIndex(pod)
  return index !== undefined && index < (job.spec.completions ?? 0)
}
