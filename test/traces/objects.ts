import type { Job, JobSet, JobSetSpec, JobSpec, PodTemplateSpec, ReplicatedJob } from '@trainjob/api'

/** A Job of that name; one pod at a time and never a restart in place, unless `spec` says otherwise. */
export function job(name: string, spec: Partial<JobSpec> = {}): Job {
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name },
    spec: { template: template('Never'), ...spec },
  }
}

/** An Indexed Job of so many pods, all at once. */
export function indexed(name: string, completions: number, spec: Partial<JobSpec> = {}): Job {
  return job(name, { completionMode: 'Indexed', completions, parallelism: completions, ...spec })
}

/** A pod template of one container. */
export function template(restartPolicy: 'Never' | 'OnFailure', more: Partial<PodTemplateSpec> = {}): PodTemplateSpec {
  return { spec: { restartPolicy, containers: [{ name: 'main', image: 'image' }] }, ...more }
}

export function jobSet(name: string, replicatedJobs: ReplicatedJob[], spec: Partial<JobSetSpec> = {}): JobSet {
  return {
    apiVersion: 'jobset.x-k8s.io/v1alpha2',
    kind: 'JobSet',
    metadata: { name },
    spec: { replicatedJobs, ...spec },
  }
}

/** A replicated job of one Job with one pod, which ends with its first failure, unless `spec` says otherwise. */
export function replicated(
  name: string,
  more: Partial<ReplicatedJob> = {},
  spec: Partial<JobSpec> = {},
): ReplicatedJob {
  const ofJob = { completions: 1, parallelism: 1, backoffLimit: 0, template: template('Never'), ...spec }
  return { name, template: { spec: ofJob }, ...more }
}
