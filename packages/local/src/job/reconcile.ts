import type { Job, JobStatus, Pod } from '@trainjob/api'
import { equal } from '../object/equal.ts'
import type { PassEvent } from '../pass-event.ts'
import { failedIndexes, podsAwaitingReplacement } from './backoff-limit-per-index.ts'
import { type Outcome, terminalCondition, withCondition } from './conditions.ts'
import { type CountedEnds, countEnds, type SeenEnds, seenEnds } from './ended-pods.ts'
import { formatIndexRanges } from './index-ranges.ts'
import { JOB_CONTROLLER_NAME } from './labels.ts'
import { chooseOutcome, completionOutcome } from './outcome.ts'
import { type PodPlan, planPods } from './pod-plan.ts'
import { isActive, isReady, isTerminating, isTracked } from './pod-state.ts'
import { type Backoff, type FailureRun, failureRunOf, nextFailureRun } from './replacement-delay.ts'
import { suspension } from './suspension.ts'
import { timestamp } from './timestamp.ts'
import { timeToLive } from './ttl.ts'

export interface JobPassInput {
  readonly job: Job
  /** Every pod that the Job controls. */
  readonly pods: readonly Pod[]
  /** Milliseconds since the epoch. */
  readonly now: number
  /** Numbers in [0, 1), for pod names. */
  readonly random: () => number
  readonly backoff: Backoff
  /** What the pass before answered; without it, it is read from the pods. */
  readonly failureRun?: FailureRun
}

/**
 * What one look at a Job decides. To be carried out in the order of the fields: a pod's finalizer may go only after the
 * status that counts the pod has been written.
 */
export interface JobPass {
  readonly create: readonly Pod[]
  /** Killed because the Job ends; they keep their finalizer until they are counted. */
  readonly delete: readonly Pod[]
  /** Let go because they are not wanted: first the finalizer is removed, then the pod is deleted, so it never counts. */
  readonly discard: readonly Pod[]
  /** The whole new status; absent when nothing changed. */
  readonly status?: JobStatus
  /** Their finalizer is removed. */
  readonly finalize: readonly Pod[]
  /** The time to live is over. */
  readonly deleteJob?: true
  /** To be handed to the next pass once the status is written; absent when the Job has ended. */
  readonly failureRun?: FailureRun
  readonly events: readonly PassEvent[]
  /** Look again after so many milliseconds even if nothing happens. */
  readonly requeueAfterMs?: number
}

const NOTHING: JobPass = { create: [], delete: [], discard: [], finalize: [], events: [] }

/** One pass over a Job: pure, of linear cost in its pods. */
export function reconcileJob(input: JobPassInput): JobPass {
  const { job, pods, now } = input
  if ((job.spec.managedBy ?? JOB_CONTROLLER_NAME) !== JOB_CONTROLLER_NAME) return NOTHING
  if (terminalCondition(job) !== undefined) return afterwards(job, pods, now)

  const startTime = job.status?.startTime ?? (job.spec.suspend === true ? undefined : timestamp(now))
  const ends = seenEnds(job, pods)
  const failureRun = failureRunOfPass(input, ends.unseen)
  const perIndex = job.spec.backoffLimitPerIndex !== undefined
  const lost = perIndex ? failedIndexes(job, pods) : undefined
  const awaiting =
    lost === undefined ? new Map<number, Pod>() : podsAwaitingReplacement(job, pods, ends.succeededIndexes, lost)

  const choice = chooseOutcome(job, pods, ends, lost, startTime, now)
  let { outcome } = choice
  const active = pods.filter(isActive)
  const killed = outcome === undefined ? [] : active
  const leaving = job.metadata.deletionTimestamp !== undefined
  const plan: PodPlan =
    outcome !== undefined || leaving
      ? { create: [], discard: [] }
      : planPods({ ...input, ...ends, failedIndexes: lost ?? [], awaiting, failureRun })
  const stillActive = active.length - killed.length - plan.discard.length + plan.create.length
  outcome ??= completionOutcome(job, ends.succeeded, stillActive)

  const suspended =
    outcome !== undefined || leaving
      ? { conditions: job.status?.conditions, startTime }
      : suspension(job, startTime, now)
  const counted = countEnds(job, pods, outcome, new Set(awaiting.values()))
  const gone = new Set([...killed, ...plan.discard])
  const terminating = pods.filter(isTerminating).length + gone.size
  const status: JobStatus = {
    ...(suspended.conditions !== undefined && { conditions: suspended.conditions }),
    ...(suspended.startTime !== undefined && { startTime: suspended.startTime }),
    ...(stillActive > 0 && { active: stillActive }),
    ready: active.filter((pod) => isReady(pod) && !gone.has(pod)).length,
    terminating,
    ...counts(job, counted, ends.succeeded),
    ...(ends.succeededIndexes.length > 0 && { completedIndexes: formatIndexRanges(ends.succeededIndexes) }),
    ...(lost !== undefined && { failedIndexes: formatIndexRanges(lost) }),
    uncountedTerminatedPods: uncountedText(counted),
  }
  const events = 'event' in suspended && suspended.event !== undefined ? [suspended.event] : []
  if (outcome !== undefined) {
    const settled = counted.uncounted.succeeded.length + counted.uncounted.failed.length === 0
    events.push(...conclude(status, outcome, settled && terminating === 0 && stillActive === 0, now))
  }
  const wake = outcome === undefined ? earliest(choice.inMs, plan.requeueAfterMs) : undefined
  return {
    create: plan.create,
    delete: killed,
    discard: plan.discard,
    ...(!saysTheSame(status, job.status) && { status }),
    finalize: counted.finalize,
    failureRun,
    events,
    ...(wake !== undefined && { requeueAfterMs: wake }),
  }
}

/** A start time alone is no reason to write: it is only missing from a Job that JobSet resumed when it was all but over. */
function saysTheSame(status: JobStatus, old: JobStatus | undefined): boolean {
  const { startTime } = status
  return equal(status, startTime !== undefined && old?.startTime === undefined ? { ...old, startTime } : old)
}

function failureRunOfPass({ job, pods, failureRun }: JobPassInput, unseen: SeenEnds['unseen']): FailureRun {
  const left = new Set([...unseen.succeeded, ...unseen.failed])
  const before = failureRun ?? failureRunOf(job, left.size === 0 ? pods : pods.filter((pod) => !left.has(pod)))
  return nextFailureRun(before, unseen.succeeded, unseen.failed)
}

/** An ended Job only lets go of what is left of its pods, and of itself when its time is over. */
function afterwards(job: Job, pods: readonly Pod[], now: number): JobPass {
  const left = job.metadata.deletionTimestamp === undefined ? timeToLive(job, now) : undefined
  return {
    ...NOTHING,
    finalize: pods.filter(isTracked),
    ...(left !== undefined && (left <= 0 ? { deleteJob: true } : { requeueAfterMs: left })),
  }
}

function counts(job: Job, counted: CountedEnds, seen: number): Pick<JobStatus, 'succeeded' | 'failed'> {
  const succeeded = job.spec.completionMode === 'Indexed' ? seen : counted.succeeded
  return { ...(succeeded > 0 && { succeeded }), ...(counted.failed > 0 && { failed: counted.failed }) }
}

function uncountedText({ uncounted }: CountedEnds): { succeeded?: string[]; failed?: string[] } {
  return {
    ...(uncounted.succeeded.length > 0 && { succeeded: [...uncounted.succeeded] }),
    ...(uncounted.failed.length > 0 && { failed: [...uncounted.failed] }),
  }
}

/** Writes the interim condition, and the final one as soon as no pod is left; answers the events for it. */
function conclude(status: JobStatus, outcome: Outcome, nothingLeft: boolean, now: number): PassEvent[] {
  const { type, reason, message } = outcome
  const set = (condition: string): void => {
    const conditions = withCondition(status.conditions, { type: condition, status: 'True', reason, message }, now)
    if (conditions !== undefined) status.conditions = conditions
  }
  set(type)
  if (!nothingLeft) return []
  if (type === 'FailureTarget') {
    set('Failed')
    return [{ type: 'Warning', reason, message }]
  }
  set('Complete')
  status.completionTime = timestamp(now)
  return [{ type: 'Normal', reason: 'Completed', message: 'Job completed' }]
}

function earliest(...delays: readonly (number | undefined)[]): number | undefined {
  const known = delays.filter((delay) => delay !== undefined)
  return known.length === 0 ? undefined : Math.min(...known)
}
