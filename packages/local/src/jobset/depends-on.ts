import type { JobSet, ReplicatedJob, ReplicatedJobStatus } from '@trainjob/api'
import { replicasOf } from './names.ts'
import { allReplicasStarted } from './startup-policy.ts'

/** Whether everything that a replicated job waits for has come about: only then are its Jobs created or resumed. */
export function dependenciesMet(
  jobSet: JobSet,
  replicatedJob: ReplicatedJob,
  statuses: readonly ReplicatedJobStatus[],
): boolean {
  return (replicatedJob.dependsOn ?? []).every(({ name, status }) => {
    const upstream = jobSet.spec.replicatedJobs?.find((job) => job.name === name)
    const actual = statuses.find((counters) => counters.name === name)
    if (upstream === undefined || actual === undefined) return false
    return status === 'Complete' ? actual.succeeded === replicasOf(upstream) : allReplicasStarted(upstream, actual)
  })
}
