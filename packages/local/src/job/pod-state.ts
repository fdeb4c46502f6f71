import type { Job, Pod } from '@trainjob/api'
import { COMPLETION_INDEX, TRACKING_FINALIZER } from './labels.ts'

/** The pod has ended: no container runs any more and none will. */
export function isEnded(pod: Pod): boolean {
  return pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed'
}

export function isSucceeded(pod: Pod): boolean {
  return pod.status?.phase === 'Succeeded'
}

/** Pending or running, and not being deleted: what `status.active` counts. */
export function isActive(pod: Pod): boolean {
  return !isEnded(pod) && pod.metadata.deletionTimestamp === undefined
}

/** Being deleted and not ended yet: what `status.terminating` counts. */
export function isTerminating(pod: Pod): boolean {
  return !isEnded(pod) && pod.metadata.deletionTimestamp !== undefined
}

export function isReady(pod: Pod): boolean {
  return pod.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false
}

/** The Job has not counted the pod's end yet. */
export function isTracked(pod: Pod): boolean {
  return pod.metadata.finalizers?.includes(TRACKING_FINALIZER) ?? false
}

/** The completion index, or `undefined` when the pod has none that the Job knows. */
export function completionIndex(pod: Pod): number | undefined {
  const text = pod.metadata.annotations?.[COMPLETION_INDEX]
  if (text === undefined || !/^\d+$/.test(text)) return undefined
  return Number(text)
}

/** Whether a pod may be replaced only once it has failed, not already while it terminates. */
export function replacesOnlyFailed(job: Job): boolean {
  return job.spec.podReplacementPolicy === 'Failed' || job.spec.podFailurePolicy !== undefined
}

/**
 * Whether the pod counts as failed. A pod that is being deleted counts at once, because it may vanish without ever
 * being reported as failed, unless the Job waits for that report (`podReplacementPolicy: Failed`). When the Job itself is
 * being deleted, its pods go with it, which is no failure: Kubernetes lets go of them before their deletion begins.
 */
export function isFailed(pod: Pod, job: Job): boolean {
  if (pod.status?.phase === 'Failed') return true
  if (replacesOnlyFailed(job) || job.metadata.deletionTimestamp !== undefined) return false
  return isTerminating(pod)
}

/** When the pod ended, in milliseconds: from its containers, else its Ready condition, else its deletion or creation. */
export function finishedAt(pod: Pod): number {
  const containers = pod.status?.containerStatuses ?? []
  const ends = containers.map(({ state }) => Date.parse(state?.terminated?.finishedAt ?? ''))
  if (ends.length > 0 && ends.every((end) => !Number.isNaN(end))) return Math.max(...ends)
  const ready = pod.status?.conditions?.find(({ type, status }) => type === 'Ready' && status === 'False')
  const lost = Date.parse(ready?.lastTransitionTime ?? '')
  if (!Number.isNaN(lost)) return lost
  const { deletionTimestamp, deletionGracePeriodSeconds = 0, creationTimestamp } = pod.metadata
  if (deletionTimestamp !== undefined) return Date.parse(deletionTimestamp) - deletionGracePeriodSeconds * 1000
  return Date.parse(creationTimestamp ?? '') || 0
}
