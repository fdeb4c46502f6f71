import {
  type Condition,
  conditionOf,
  isConditionTrue,
  isFinished,
  type JobSet,
  MANAGED_BY_TRAINER,
  REASON_DEADLINE_EXCEEDED,
  setCondition,
  TRAINER_GROUP,
  TRAINJOB_COMPLETE,
  TRAINJOB_FAILED,
  TRAINJOB_SUSPENDED,
  type TrainJob,
  type TrainJobStatus,
} from '@trainjob/api'
import { isElastic } from '@trainjob/runtime'
import { DEADLINE_EXCEEDED, RESUMED, runtimeNotSupported, SUSPENDED } from './conditions.ts'
import { timeToDeadline } from './deadline.ts'
import { withDocumentConditions } from './document-conditions.ts'
import { jobsStatus } from './jobs-status.ts'
import { isControlledBy } from './ownership.ts'

export interface Situation {
  readonly trainJob: TrainJob
  /** The JobSet of the job's name, whoever owns it. */
  readonly jobSet?: JobSet | undefined
  /** Milliseconds since the epoch. */
  readonly now: number
  readonly compat?: 'upstream' | undefined
  /** Something that was rendered beside the JobSet has changed or is gone. */
  readonly disturbed?: boolean
}

export interface Decision {
  /** The rendered objects must be applied: one is missing, or the JobSet or the job is suspended. */
  readonly build: boolean
  /** The job runs and is elastic: its annotation, else `numNodes`, says how many nodes it is to have now. */
  readonly scale?: true
  /** Why nothing can be built although it must: somebody else's JobSet stands in the place of the job's. */
  readonly blockedBy?: JobSet
  /** The JobSet must go: the job is past its deadline. Asked for until it is gone. */
  readonly deleteJobSet: boolean
  /** As it must be written; the job's own object when it stands already. */
  readonly status: TrainJobStatus | undefined
  readonly requeueAfterMs?: number
}

/**
 * What a TrainJob needs now. Pure: whatever fails while it is carried out, asking again leads on.
 *
 * A finished job stays as it is: its JobSet may go by time to live or by hand and is not built again, whether the job
 * is Complete or Failed (kubeflow/trainer#2981, #3737). What `compat: 'upstream'` does otherwise stands in
 * docs/deviations.md.
 */
export function decide({ trainJob, jobSet, now, compat, disturbed = false }: Situation): Decision {
  if (isForeign(trainJob) || trainJob.metadata.deletionTimestamp !== undefined) {
    return { build: false, deleteJobSet: false, status: trainJob.status }
  }
  const like = compat === 'upstream'
  const own = jobSet !== undefined && (like || isControlledBy(jobSet, trainJob)) ? jobSet : undefined
  const revived = like && isRevivable(trainJob)
  const time = rfc3339(now)
  const before = trainJob.status?.conditions ?? []
  if (isFinished(trainJob) && !revived) {
    return {
      build: false,
      deleteJobSet: !like && failedByDeadline(trainJob) && isStanding(own),
      status: withStatus(trainJob, like ? withLateOutcome(trainJob, own, before, time) : before, own, time),
    }
  }

  let conditions = withSuspended(
    trainJob,
    revived ? before.filter((one) => one.type !== TRAINJOB_FAILED) : before,
    time,
  )
  conditions = withUnsupported(trainJob, withOutcome(own, conditions), time)
  const left = isFinished({ status: { conditions } }) ? undefined : timeToDeadline(trainJob, conditions, now)
  const over = left !== undefined && left <= 0
  if (over) conditions = setCondition(conditions, DEADLINE_EXCEEDED, time)

  const stands = own !== undefined && isRunning(trainJob, own) && !disturbed
  const goesOn = !isFinished({ status: { conditions } })
  const must = goesOn && !stands
  const blocked = must && own === undefined && jobSet !== undefined
  return {
    // a JobSet that is going must be gone before its successor can be built
    build: must && !blocked && (own === undefined || isStanding(own)),
    ...(blocked && { blockedBy: jobSet }),
    ...(stands && goesOn && !like && isStanding(own) && isElastic(own) && { scale: true }),
    deleteJobSet: over && isStanding(own),
    status: withStatus(trainJob, conditions, own, time),
    ...(left !== undefined && !over && { requeueAfterMs: left }),
  }
}

function isForeign(trainJob: TrainJob): boolean {
  return (trainJob.spec.managedBy ?? MANAGED_BY_TRAINER) !== MANAGED_BY_TRAINER
}

/** A running JobSet is left alone: its pods must not change under it. */
function isRunning(trainJob: TrainJob, jobSet: JobSet): boolean {
  return trainJob.spec.suspend !== true && jobSet.spec.suspend !== true
}

function isStanding(jobSet: JobSet | undefined): boolean {
  return jobSet !== undefined && jobSet.metadata.deletionTimestamp === undefined
}

function failedByDeadline(trainJob: TrainJob): boolean {
  return conditionOf(trainJob.status, TRAINJOB_FAILED)?.reason === REASON_DEADLINE_EXCEEDED
}

function isRevivable(trainJob: TrainJob): boolean {
  const failed = conditionOf(trainJob.status, TRAINJOB_FAILED)
  return (
    failed !== undefined &&
    failed.reason !== REASON_DEADLINE_EXCEEDED &&
    !isConditionTrue(trainJob.status, TRAINJOB_COMPLETE)
  )
}

function withSuspended(trainJob: TrainJob, conditions: Condition[], time: string): Condition[] {
  if (trainJob.spec.suspend === true) return setCondition(conditions, SUSPENDED, time)
  return isConditionTrue({ conditions }, TRAINJOB_SUSPENDED) ? setCondition(conditions, RESUMED, time) : conditions
}

/** Takes over the JobSet's end, under the TrainJob's name for it and with the JobSet's time. */
function withOutcome(jobSet: JobSet | undefined, conditions: Condition[]): Condition[] {
  let next = conditions
  for (const { lastTransitionTime, ...condition } of jobSet?.status?.conditions ?? []) {
    if (condition.status !== 'True') continue
    if (condition.type === 'Completed') {
      next = setCondition(next, { ...condition, type: TRAINJOB_COMPLETE }, lastTransitionTime)
    }
    if (condition.type === 'Failed') next = setCondition(next, condition, lastTransitionTime)
  }
  return next
}

/** Upstream goes on taking over what happens to a finished job, but for a deadline, which stands. */
function withLateOutcome(
  trainJob: TrainJob,
  jobSet: JobSet | undefined,
  before: Condition[],
  time: string,
): Condition[] {
  const conditions = withOutcome(jobSet, withSuspended(trainJob, before, time))
  if (!failedByDeadline(trainJob)) return conditions
  return conditions.map((one) => before.find(({ type }) => type === one.type && type === TRAINJOB_FAILED) ?? one)
}

function withUnsupported(trainJob: TrainJob, conditions: Condition[], time: string): Condition[] {
  const { kind = 'ClusterTrainingRuntime', apiGroup = TRAINER_GROUP } = trainJob.spec.runtimeRef
  const known = apiGroup === TRAINER_GROUP && (kind === 'ClusterTrainingRuntime' || kind === 'TrainingRuntime')
  return known ? conditions : setCondition(conditions, runtimeNotSupported(`${kind}.${apiGroup}`), time)
}

/** The job's status with these conditions and the JobSet's counts: the same object when it says all that already. */
function withStatus(
  trainJob: TrainJob,
  own: Condition[],
  jobSet: JobSet | undefined,
  time: string,
): TrainJobStatus | undefined {
  const conditions = withDocumentConditions(trainJob, own, jobSet, time)
  const before = trainJob.status
  const counts = jobSet === undefined ? before?.jobsStatus : jobsStatus(jobSet, before?.jobsStatus)
  const none = conditions.length === 0
  // no list and an empty one say the same
  const after = !none ? conditions : before?.conditions?.length === 0 ? before.conditions : undefined
  if (after === before?.conditions && counts === before?.jobsStatus) return before
  const { conditions: _, jobsStatus: __, ...rest } = before ?? {}
  return { ...rest, ...(after && { conditions: after }), ...(counts && { jobsStatus: counts }) }
}

/** Seconds, as Kubernetes writes times. */
export function rfc3339(now: number): string {
  return new Date(now).toISOString().replace(/\.\d+Z$/, 'Z')
}
