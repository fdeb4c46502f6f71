import type { Job, Pod } from '@trainjob/api'
import { completionIndex, isReady } from './pod-state.ts'

/** How many pods shall be active: never more than `parallelism`, nor more than successes are missing. */
export function wantedPods(job: Job, active: number, succeeded: number): number {
  const { completions, parallelism = 1 } = job.spec
  // A work queue: after the first success nothing is started any more, and what runs may end.
  if (completions === undefined) return succeeded > 0 ? active : parallelism
  return Math.max(0, Math.min(parallelism, completions - succeeded))
}

/**
 * Active pods to let go: those without a valid index, all but one of each index, and then as many as there are too
 * many, the least advanced first.
 */
export function surplusPods(job: Job, active: readonly Pod[], wanted: number): readonly Pod[] {
  const surplus: Pod[] = []
  const kept: Pod[] = []
  const sorted = [...active].sort(byProgress)
  if (job.spec.completionMode === 'Indexed') {
    const seen = new Set<number>()
    // From the most advanced one back, so that this is the one that stays.
    for (const pod of sorted.reverse()) {
      const index = completionIndex(pod)
      if (index === undefined || index >= (job.spec.completions ?? 0) || seen.has(index)) surplus.push(pod)
      else {
        seen.add(index)
        kept.push(pod)
      }
    }
    kept.reverse()
  } else kept.push(...sorted)
  const excess = active.length - wanted - surplus.length
  return excess > 0 ? [...surplus, ...kept.slice(0, excess)] : surplus
}

/**
 * Ascending: unscheduled before scheduled, pending before running, unready before ready, ready for a short time before
 * ready for a long time, often restarted before seldom, young before old. (Source: kubernetes, ActivePods.)
 */
function byProgress(a: Pod, b: Pod): number {
  return progress(a) - progress(b) || readySince(b) - readySince(a) || restarts(b) - restarts(a) || born(b) - born(a)
}

function progress(pod: Pod): number {
  const scheduled = pod.spec.nodeName === undefined ? 0 : 4
  const running = pod.status?.phase === 'Running' ? 2 : 0
  return scheduled + running + (isReady(pod) ? 1 : 0)
}

/** 0 when it is not ready. */
function readySince({ status }: Pod): number {
  const ready = status?.conditions?.find((condition) => condition.type === 'Ready' && condition.status === 'True')
  return Date.parse(ready?.lastTransitionTime ?? '') || 0
}

/** Of the container that was restarted most often. */
function restarts({ status }: Pod): number {
  const all = [...(status?.containerStatuses ?? []), ...(status?.initContainerStatuses ?? [])]
  return Math.max(0, ...all.map(({ restartCount }) => restartCount))
}

function born(pod: Pod): number {
  return Date.parse(pod.metadata.creationTimestamp ?? '') || 0
}
