import type { Job, JobSet } from '@trainjob/api'
import { replicatedJobOf } from './child-jobs.ts'
import { replicasOf } from './names.ts'
import { endRestart, type StatusDraft, setCondition } from './status-draft.ts'

const MESSAGE = 'jobset completed successfully'

/**
 * Whether enough Jobs have succeeded: one of those that count (`Any`), or all of them (`All`). Without targets every
 * Job counts.
 */
export function successPolicyMet(jobSet: JobSet, successful: readonly Job[]): boolean {
  const { operator = 'All', targetReplicatedJobs: targets = [] } = jobSet.spec.successPolicy ?? {}
  const counts = (name: string) => targets.length === 0 || targets.includes(name)
  const done = successful.filter((job) => counts(replicatedJobOf(job))).length
  if (operator === 'Any') return done >= 1
  const wanted = (jobSet.spec.replicatedJobs ?? []).filter(({ name }) => counts(name))
  return done >= wanted.reduce((sum, job) => sum + replicasOf(job), 0)
}

/** Marks the JobSet as completed. */
export function complete(draft: StatusDraft): void {
  setCondition(draft, { type: 'Completed', status: 'True', reason: 'AllJobsCompleted', message: MESSAGE })
  endRestart(draft, 'JobSetCompleted', MESSAGE)
  draft.status = { ...draft.status, terminalState: 'Completed' }
}
