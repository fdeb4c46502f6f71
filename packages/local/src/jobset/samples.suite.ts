import type { Job, JobSet, JobSetSpec, JobSetStatus, JobSpec, ReplicatedJob } from '@trainjob/api'
import { timestamp } from '../job/timestamp.ts'
import { applySchemaDefaults, applyWebhookDefaults } from './defaults.ts'
import { jobOfJobSet } from './job-of-jobset.ts'
import { type JobSetPass, reconcileJobSet } from './reconcile.ts'

/** What tests of the JobSet engine take as now. */
export const NOW: number = Date.parse('2026-05-01T12:00:00Z')

/** A replicated job of single-pod Jobs. */
export function replicated(
  name: string,
  more: Partial<ReplicatedJob> = {},
  spec: Partial<JobSpec> = {},
): ReplicatedJob {
  return {
    name,
    template: {
      spec: {
        completions: 1,
        parallelism: 1,
        template: { spec: { containers: [{ name: 'node', image: 'i' }] } },
        ...spec,
      },
    },
    ...more,
  }
}

/** A JobSet as it is stored: defaulted, with a uid. */
export function sampleJobSet(spec: Partial<JobSetSpec> = {}, status?: JobSetStatus): JobSet {
  const jobSet: JobSet = {
    apiVersion: 'jobset.x-k8s.io/v1alpha2',
    kind: 'JobSet',
    metadata: { name: 'mnist', namespace: 'default', uid: 'js-uid' },
    spec: { replicatedJobs: [replicated('node')], ...spec },
    ...(status !== undefined && { status }),
  }
  return applyWebhookDefaults(applySchemaDefaults(jobSet))
}

export interface SampleJob {
  readonly ready?: boolean
  readonly active?: boolean
  readonly end?: 'Complete' | 'Failed'
  readonly reason?: string
  readonly message?: string
  /** Milliseconds after `NOW`. */
  readonly endedAt?: number
  readonly attempt?: number
  readonly suspend?: boolean
  readonly startTime?: string
  readonly deleted?: boolean
}

/** The Job of one index of a JobSet, in some state. */
export function childJob(jobSet: JobSet, name: string, index = 0, state: SampleJob = {}): Job {
  const replicatedJob = jobSet.spec.replicatedJobs?.find((job) => job.name === name) as ReplicatedJob
  const { attempt = jobSet.status?.restarts ?? 0, end, reason = 'BackoffLimitExceeded', message = '' } = state
  const job = jobOfJobSet({ ...jobSet, status: { restarts: attempt } }, replicatedJob, index)
  const lastTransitionTime = timestamp(NOW + (state.endedAt ?? 0))
  return {
    ...job,
    metadata: {
      ...job.metadata,
      uid: job.metadata.name ?? '',
      ...(state.deleted && { deletionTimestamp: timestamp(NOW) }),
    },
    spec: { ...job.spec, suspend: state.suspend ?? job.spec.suspend ?? false },
    status: {
      ...(state.startTime !== undefined && { startTime: state.startTime }),
      ...(state.active && { active: 1 }),
      ...(state.ready && { ready: 1, active: 1 }),
      ...(end !== undefined && { conditions: [{ type: end, status: 'True', reason, message, lastTransitionTime }] }),
    },
  }
}

/** One pass at `NOW`, or so many milliseconds later. */
export function pass(jobSet: JobSet, jobs: readonly Job[] = [], afterMs = 0): JobSetPass {
  return reconcileJobSet({ jobSet, jobs, now: NOW + afterMs })
}

/** Names of Jobs, for comparing. */
export function names(jobs: readonly Job[]): string[] {
  return jobs.map(({ metadata }) => metadata.name ?? '')
}

/** Conditions as `Type=Status/Reason`. */
export function conditionTexts(status: JobSetStatus | undefined): string[] {
  return (status?.conditions ?? []).map(({ type, status: value, reason }) => `${type}=${value}/${reason}`)
}
