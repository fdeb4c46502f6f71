import type { Job, JobStatus } from '@trainjob/api'
import type { PassEvent } from '../pass-event.ts'
import { withCondition } from './conditions.ts'
import { timestamp } from './timestamp.ts'

export function isSuspended(job: Job): boolean {
  return job.spec.suspend === true
}

/**
 * The `Suspended` condition and the start time that go with it: a suspended Job has none, a resumed one starts now.
 * The condition turns true together with the deletion of the active pods, and false only if it was there before.
 * (Source: kubernetes job_controller.go as of 1.36, MutableSchedulingDirectivesForSuspendedJobs on.)
 */
export function suspension(
  job: Job,
  startTime: string | undefined,
  now: number,
): { conditions: JobStatus['conditions']; startTime: string | undefined; event?: PassEvent } {
  const before = job.status?.conditions
  const suspended = isSuspended(job)
  const conditions = withCondition(
    before,
    suspended
      ? { type: 'Suspended', status: 'True', reason: 'JobSuspended', message: 'Job suspended' }
      : { type: 'Suspended', status: 'False', reason: 'JobResumed', message: 'Job resumed' },
    now,
  )
  if (conditions === before) return { conditions, startTime }
  if (suspended) {
    const event: PassEvent = { type: 'Normal', reason: 'Suspended', message: 'Job suspended' }
    return { conditions, startTime: undefined, event }
  }
  const event: PassEvent = { type: 'Normal', reason: 'Resumed', message: 'Job resumed' }
  return { conditions, startTime: timestamp(now), event }
}
