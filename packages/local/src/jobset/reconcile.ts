import type { Job, JobSet, JobSetStatus, ReplicatedJob, ReplicatedJobStatus, Service } from '@trainjob/api'
import { equal } from '../object/equal.ts'
import type { PassEvent } from '../pass-event.ts'
import { type ChildJobs, replicatedJobOf, sortChildJobs } from './child-jobs.ts'
import { dependenciesMet } from './depends-on.ts'
import { applyFailurePolicy } from './failure-policy.ts'
import { headlessService } from './headless-service.ts'
import { jobOfJobSet } from './job-of-jobset.ts'
import { JOBSET_CONTROLLER_NAME } from './labels.ts'
import { jobName, replicasOf } from './names.ts'
import { allJobsReady, replicatedJobsStatus } from './replicated-job-status.ts'
import { allReplicasStarted, setStartupCompleted, setStartupInProgress, startsInOrder } from './startup-policy.ts'
import { endRestart, isFinished, type StatusDraft } from './status-draft.ts'
import { complete, successPolicyMet } from './success-policy.ts'
import { isSuspended, resumedJob, setResumed, setSuspended, suspendedJob } from './suspension.ts'
import { timeToLive } from './ttl.ts'
import { claimsOfJobSet, type PersistentVolumeClaim } from './volume-claims.ts'

export interface JobSetPassInput {
  readonly jobSet: JobSet
  /** Every Job that the JobSet controls. */
  readonly jobs: readonly Job[]
  /** Milliseconds since the epoch. */
  readonly now: number
}

/** A Job to be resumed. */
interface Resume {
  readonly job: Job
  /** Its start time must be removed first: Kubernetes refuses a new template for a Job that has started. */
  readonly clearStartTime: boolean
  /** The Job as it is to be written. */
  readonly resumed: Job
}

/** What one look at a JobSet decides, to be carried out in the order of the fields. */
export interface JobSetPass {
  /** In the foreground: a Job is gone only when its pods are. */
  readonly delete: readonly Job[]
  /** To be created if no Service of that name exists, whoever made it. */
  readonly service?: Service
  /** To be created unless they exist. */
  readonly claims: readonly PersistentVolumeClaim[]
  readonly create: readonly Job[]
  /** Jobs as they are to be written. */
  readonly suspend: readonly Job[]
  readonly resume: readonly Resume[]
  /** The whole new status; absent when nothing changed. */
  readonly status?: JobSetStatus
  readonly deleteJobSet?: true
  readonly events: readonly PassEvent[]
  /** Look again after so many milliseconds even if nothing happens. */
  readonly requeueAfterMs?: number
}

const NOTHING: JobSetPass = { delete: [], claims: [], create: [], suspend: [], resume: [], events: [] }

/** One pass over a JobSet: pure, of linear cost in its Jobs. (Source: jobset v0.12, JobSetReconciler.reconcile.) */
export function reconcileJobSet({ jobSet, jobs, now }: JobSetPassInput): JobSetPass {
  if (jobSet.metadata.deletionTimestamp !== undefined) return NOTHING
  if ((jobSet.spec.managedBy ?? JOBSET_CONTROLLER_NAME) !== JOBSET_CONTROLLER_NAME) return NOTHING

  const children = sortChildJobs(jobSet, jobs)
  const statuses = replicatedJobsStatus(jobSet, children)
  const draft: StatusDraft = { status: { ...jobSet.status, replicatedJobsStatus: statuses }, events: [], now }
  const finish = (pass: Partial<JobSetPass>): JobSetPass => ({
    ...NOTHING,
    ...pass,
    ...(!equal(withoutEmpty(draft.status), withoutEmpty(jobSet.status ?? {})) && {
      status: withCounters(draft.status),
    }),
    events: draft.events,
  })

  if (isFinished(jobSet)) {
    const left = timeToLive(jobSet, now)
    return finish({
      delete: children.active.filter(isStaying),
      ...(left !== undefined && (left <= 0 ? { deleteJobSet: true } : { requeueAfterMs: left })),
    })
  }

  const previous = { delete: children.previous.filter(isStaying) }
  if (!isSuspended(jobSet) && allJobsReady(jobSet, statuses)) endRestart(draft, 'JobsReady', 'all jobs are ready')
  if (children.failed.length > 0) {
    applyFailurePolicy(draft, jobSet, children.failed)
    return finish(previous)
  }
  if (children.successful.length > 0 && successPolicyMet(jobSet, children.successful)) {
    complete(draft)
    return finish(previous)
  }

  const service = headlessService(jobSet)
  const create = missingJobs(draft, jobSet, jobs, children, statuses)
  const suspended = isSuspended(jobSet)
  if (suspended) setSuspended(draft)
  return finish({
    ...previous,
    ...(service !== undefined && { service }),
    claims: claimsOfJobSet(jobSet),
    create,
    suspend: suspended ? children.active.filter(({ spec }) => spec.suspend !== true).map(suspendedJob) : [],
    resume: suspended ? [] : jobsToResume(draft, jobSet, children, statuses),
  })
}

/**
 * Jobs to create. A Job is missing only when none of its name is left, of an earlier attempt neither: each is created
 * anew as soon as the old one is really gone, or (`BlockingRecreate`) as soon as all old ones are.
 */
function missingJobs(
  draft: StatusDraft,
  jobSet: JobSet,
  jobs: readonly Job[],
  children: ChildJobs,
  statuses: readonly ReplicatedJobStatus[],
): Job[] {
  const blocked = children.previous.length > 0 && jobSet.spec.failurePolicy?.restartStrategy === 'BlockingRecreate'
  const names = new Set(jobs.map(({ metadata }) => metadata.name))
  const inOrder = startsInOrder(jobSet) && !isSuspended(jobSet)
  const missing: Job[] = []
  for (const [at, replicatedJob] of (jobSet.spec.replicatedJobs ?? []).entries()) {
    if (!dependenciesMet(jobSet, replicatedJob, statuses)) continue
    if (inOrder && allReplicasStarted(replicatedJob, statuses[at] as ReplicatedJobStatus)) continue
    for (let index = 0; !blocked && index < replicasOf(replicatedJob); index++) {
      const name = jobName(jobSet.metadata.name ?? '', replicatedJob.name, index)
      if (!names.has(name)) missing.push(jobOfJobSet(jobSet, replicatedJob, index))
    }
    if (inOrder) {
      setStartupInProgress(draft)
      return missing
    }
  }
  if (inOrder) setStartupCompleted(draft)
  return missing
}

/** Suspended Jobs whose turn it is; says that the JobSet is resumed once no replicated job has to wait for another. */
function jobsToResume(
  draft: StatusDraft,
  jobSet: JobSet,
  { active }: ChildJobs,
  statuses: readonly ReplicatedJobStatus[],
): Resume[] {
  const inOrder = startsInOrder(jobSet)
  const resume: Resume[] = []
  for (const [at, replicatedJob] of (jobSet.spec.replicatedJobs ?? []).entries()) {
    if (!dependenciesMet(jobSet, replicatedJob, statuses)) continue
    if (inOrder && allReplicasStarted(replicatedJob, statuses[at] as ReplicatedJobStatus)) continue
    resume.push(...suspendedJobsOf(replicatedJob, active))
    if (inOrder) {
      setStartupInProgress(draft)
      return resume
    }
  }
  setResumed(draft)
  return resume
}

function suspendedJobsOf(replicatedJob: ReplicatedJob, active: readonly Job[]): Resume[] {
  return active
    .filter((job) => replicatedJobOf(job) === replicatedJob.name && job.spec.suspend === true)
    .map((job) => ({
      job,
      clearStartTime: job.status?.startTime !== undefined,
      resumed: resumedJob(job, replicatedJob),
    }))
}

function isStaying({ metadata }: Job): boolean {
  return metadata.deletionTimestamp === undefined
}

/** `restarts` is always written, as JobSet does. */
function withCounters(status: JobSetStatus): JobSetStatus {
  return { restarts: 0, ...status }
}

/** For comparing: the order of the counters means nothing, and a counter of zero may be left out. */
function withoutEmpty(status: JobSetStatus): JobSetStatus {
  const { restarts = 0, restartsCountTowardsMax = 0, replicatedJobsStatus: counters = [], ...rest } = status
  const sorted = [...counters].sort((a, b) => (a.name < b.name ? -1 : 1))
  return { ...rest, restarts, restartsCountTowardsMax, replicatedJobsStatus: sorted }
}
