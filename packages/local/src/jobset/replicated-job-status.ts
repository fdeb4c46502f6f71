import type { Job, JobSet, ReplicatedJobStatus } from '@trainjob/api'
import { type ChildJobs, replicatedJobOf } from './child-jobs.ts'
import { replicasOf } from './names.ts'

/** Counters of every replicated job, in the order of the spec. */
export function replicatedJobsStatus(jobSet: JobSet, jobs: ChildJobs): ReplicatedJobStatus[] {
  const statuses = (jobSet.spec.replicatedJobs ?? []).map(({ name }) => ({
    name,
    ready: 0,
    succeeded: 0,
    failed: 0,
    active: 0,
    suspended: 0,
  }))
  const byName = new Map(statuses.map((status) => [status.name, status]))
  for (const job of jobs.active) {
    const status = byName.get(replicatedJobOf(job))
    if (status === undefined) continue
    if (isReady(job)) status.ready++
    if ((job.status?.active ?? 0) > 0) status.active++
    if (job.spec.suspend === true) status.suspended++
  }
  for (const job of jobs.successful) {
    const status = byName.get(replicatedJobOf(job))
    if (status !== undefined) status.succeeded++
  }
  for (const job of jobs.failed) {
    const status = byName.get(replicatedJobOf(job))
    if (status !== undefined) status.failed++
  }
  return statuses
}

/** Whether every Job of every replicated job is ready or has succeeded. */
export function allJobsReady(jobSet: JobSet, statuses: readonly ReplicatedJobStatus[]): boolean {
  const wanted = (jobSet.spec.replicatedJobs ?? []).reduce((sum, job) => sum + replicasOf(job), 0)
  return statuses.reduce((sum, { ready, succeeded }) => sum + ready + succeeded, 0) === wanted
}

/** As many pods are ready or done as may run at once. */
function isReady({ spec, status }: Job): boolean {
  const pods = Math.min(spec.parallelism ?? 1, spec.completions ?? Number.POSITIVE_INFINITY)
  return (status?.succeeded ?? 0) + (status?.ready ?? 0) >= pods
}
