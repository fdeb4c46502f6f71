import { createHash } from 'node:crypto'
import type { JobSet, ReplicatedJob } from '@trainjob/api'
import {
  COORDINATOR,
  EXCLUSIVE_TOPOLOGY,
  GLOBAL_REPLICAS,
  GROUP_NAME,
  GROUP_REPLICAS,
  JOB_GLOBAL_INDEX,
  JOB_GROUP_INDEX,
  JOB_INDEX,
  JOB_KEY,
  JOBSET_NAME,
  JOBSET_UID,
  NODE_SELECTOR_STRATEGY,
  REPLICATED_JOB_NAME,
  REPLICATED_JOB_REPLICAS,
  RESTART_ATTEMPT,
} from './labels.ts'
import { coordinatorEndpoint, jobName, replicasOf } from './names.ts'

const DEFAULT_GROUP = 'default'

/**
 * What every object of one Job carries, as label and as annotation: whose it is, and where in the JobSet it stands.
 */
export function placementLabels(jobSet: JobSet, replicatedJob: ReplicatedJob, index: number): Record<string, string> {
  const { name = '', uid = '', namespace = '' } = jobSet.metadata
  const { groupName = DEFAULT_GROUP } = replicatedJob
  const all = jobSet.spec.replicatedJobs ?? []
  const group = all.filter((other) => (other.groupName ?? DEFAULT_GROUP) === groupName)
  const coordinator = coordinatorEndpoint(jobSet)
  return {
    [JOBSET_NAME]: name,
    [JOBSET_UID]: uid,
    [REPLICATED_JOB_NAME]: replicatedJob.name,
    [REPLICATED_JOB_REPLICAS]: `${replicasOf(replicatedJob)}`,
    [RESTART_ATTEMPT]: `${jobSet.status?.restarts ?? 0}`,
    [GLOBAL_REPLICAS]: `${total(all)}`,
    [JOB_INDEX]: `${index}`,
    [JOB_GLOBAL_INDEX]: `${totalBefore(all, replicatedJob) + index}`,
    [JOB_KEY]: createHash('sha1')
      .update(`${namespace}/${jobName(name, replicatedJob.name, index)}`)
      .digest('hex'),
    [GROUP_NAME]: groupName,
    [GROUP_REPLICAS]: `${total(group)}`,
    [JOB_GROUP_INDEX]: `${totalBefore(group, replicatedJob) + index}`,
    ...(coordinator !== undefined && { [COORDINATOR]: coordinator }),
  }
}

/** Annotations of exclusive placement that a Job inherits, the replicated job's own before the JobSet's. */
export function exclusiveAnnotations(jobSet: JobSet, replicatedJob: ReplicatedJob): Record<string, string> {
  const result: Record<string, string> = {}
  for (const source of [jobSet.metadata.annotations, replicatedJob.template.metadata?.annotations]) {
    const topology = source?.[EXCLUSIVE_TOPOLOGY]
    if (topology === undefined) continue
    result[EXCLUSIVE_TOPOLOGY] = topology
    const strategy = source?.[NODE_SELECTOR_STRATEGY]
    if (strategy !== undefined) result[NODE_SELECTOR_STRATEGY] = strategy
  }
  return result
}

function total(jobs: readonly ReplicatedJob[]): number {
  return jobs.reduce((sum, job) => sum + replicasOf(job), 0)
}

function totalBefore(jobs: readonly ReplicatedJob[], end: ReplicatedJob): number {
  const at = jobs.findIndex(({ name }) => name === end.name)
  return total(jobs.slice(0, Math.max(at, 0)))
}
