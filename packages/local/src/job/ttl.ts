import type { Job } from '@trainjob/api'
import { terminalCondition } from './conditions.ts'

/** Milliseconds until an ended Job is deleted (0 or less: now); `undefined` when it is to stay. */
export function timeToLive(job: Job, now: number): number | undefined {
  const seconds = job.spec.ttlSecondsAfterFinished
  const ended = terminalCondition(job)?.lastTransitionTime
  if (seconds === undefined || ended === undefined) return undefined
  return Date.parse(ended) + seconds * 1000 - now
}
