import type { JobSet } from '@trainjob/api'

/** Milliseconds until a finished JobSet is deleted (0 or less: now); `undefined` when it is to stay. */
export function timeToLive(jobSet: JobSet, now: number): number | undefined {
  const seconds = jobSet.spec.ttlSecondsAfterFinished
  if (seconds === undefined) return undefined
  const end = jobSet.status?.conditions?.find(
    ({ type, status }) => (type === 'Completed' || type === 'Failed') && status === 'True',
  )
  return end && Date.parse(end.lastTransitionTime) + seconds * 1000 - now
}
