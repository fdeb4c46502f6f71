import type { JobSet, ReplicatedJob } from '@trainjob/api'

/** Number of Jobs; 1 when left out, as the CRD defaults it. */
export function replicasOf(replicatedJob: ReplicatedJob): number {
  return replicatedJob.replicas ?? 1
}

export function jobName(jobSet: string, replicatedJob: string, index: number): string {
  return `${jobSet}-${replicatedJob}-${index}`
}

/** Host name of a pod; its object name has five random characters more. */
export function podHostname(jobSet: string, replicatedJob: string, jobIndex: number, podIndex: number): string {
  return `${jobName(jobSet, replicatedJob, jobIndex)}-${podIndex}`
}

/** Name of the headless Service, and subdomain of the pods. */
export function subdomainOf(jobSet: JobSet): string {
  return jobSet.spec.network?.subdomain || (jobSet.metadata.name ?? '')
}

/** Where the coordinator's pod is reached; `undefined` when none is named. */
export function coordinatorEndpoint(jobSet: JobSet): string | undefined {
  const { coordinator } = jobSet.spec
  if (coordinator === undefined) return undefined
  const { replicatedJob, jobIndex = 0, podIndex = 0 } = coordinator
  return `${podHostname(jobSet.metadata.name ?? '', replicatedJob, jobIndex, podIndex)}.${subdomainOf(jobSet)}`
}
