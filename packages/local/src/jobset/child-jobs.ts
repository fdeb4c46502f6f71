import type { Job, JobSet } from '@trainjob/api'
import { trueCondition } from '../job/conditions.ts'
import { REPLICATED_JOB_NAME, RESTART_ATTEMPT } from './labels.ts'

/** The Jobs of a JobSet by state. */
export interface ChildJobs {
  readonly active: readonly Job[]
  readonly successful: readonly Job[]
  readonly failed: readonly Job[]
  /** Of an earlier attempt: to be deleted, and counted nowhere. */
  readonly previous: readonly Job[]
}

/** Sorts Jobs by attempt and by how they ended. An announced end (`FailureTarget`, …) is no end yet. */
export function sortChildJobs(jobSet: JobSet, jobs: readonly Job[]): ChildJobs {
  const restarts = jobSet.status?.restarts ?? 0
  const active: Job[] = []
  const successful: Job[] = []
  const failed: Job[] = []
  const previous: Job[] = []
  for (const job of jobs) {
    if (Number(job.metadata.labels?.[RESTART_ATTEMPT] ?? 0) < restarts) previous.push(job)
    else if (trueCondition(job.status?.conditions, 'Complete') !== undefined) successful.push(job)
    else if (trueCondition(job.status?.conditions, 'Failed') !== undefined) failed.push(job)
    else active.push(job)
  }
  return { active, successful, failed, previous }
}

/** Name of the replicated job that a Job belongs to. */
export function replicatedJobOf(job: Job): string {
  return job.metadata.labels?.[REPLICATED_JOB_NAME] ?? ''
}
