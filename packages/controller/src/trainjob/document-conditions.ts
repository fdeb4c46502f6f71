import {
  type Condition,
  conditionOf,
  isConditionTrue,
  isDocumentForm,
  type JobSet,
  REASON_RUNTIME_NOT_SUPPORTED,
  setCondition,
  TRAINJOB_COMPLETE,
  TRAINJOB_FAILED,
  type TrainJob,
} from '@trainjob/api'
import type { NewCondition } from './conditions.ts'

const TYPES: ReadonlySet<string> = new Set(['Accepted', 'Started', 'Completed'])

const ACCEPTED: NewCondition = {
  type: 'Accepted',
  status: 'True',
  reason: 'RuntimeResolved',
  message: 'TrainJob is admitted and its runtime is resolved',
}

const STARTED: NewCondition = {
  type: 'Started',
  status: 'True',
  reason: 'PodsRunning',
  message: 'The first pods of the TrainJob run',
}

const COMPLETED: NewCondition = {
  type: 'Completed',
  status: 'True',
  reason: 'JobSetCompleted',
  message: 'TrainJob has completed',
}

/**
 * The conditions `Accepted`, `Started` and `Completed` of the document, ahead of upstream's, on jobs that were submitted
 * in its form. All others keep upstream's conditions only: other clients read a job as running while it has none.
 */
export function withDocumentConditions(
  trainJob: TrainJob,
  conditions: Condition[],
  jobSet: JobSet | undefined,
  time: string,
): Condition[] {
  if (!isDocumentForm(trainJob)) return conditions
  const failed = conditionOf({ conditions }, TRAINJOB_FAILED)
  let next = conditions
  if (failed?.status === 'True' && failed.reason === REASON_RUNTIME_NOT_SUPPORTED) {
    next = setCondition(next, notAccepted(REASON_RUNTIME_NOT_SUPPORTED, failed.message ?? ''), time)
  } else if (jobSet !== undefined || conditionOf({ conditions }, 'Accepted') === undefined) {
    next = setCondition(next, ACCEPTED, time)
  }
  const completed = isConditionTrue({ conditions }, TRAINJOB_COMPLETE)
  if (completed || hasStarted(jobSet)) next = setCondition(next, STARTED, time)
  if (completed) next = setCondition(next, COMPLETED, time)
  return next === conditions ? conditions : ahead(next)
}

/** The same for a job whose runtime is not there. */
export function withoutRuntime(conditions: Condition[] | undefined, message: string, time: string): Condition[] {
  return ahead(setCondition(conditions, notAccepted('RuntimeNotFound', message), time))
}

function notAccepted(reason: string, message: string): NewCondition {
  return { type: 'Accepted', status: 'False', reason, message }
}

function hasStarted(jobSet: JobSet | undefined): boolean {
  return (
    jobSet?.status?.replicatedJobsStatus?.some(({ ready, succeeded, failed }) => ready + succeeded + failed > 0) ??
    false
  )
}

function ahead(conditions: Condition[]): Condition[] {
  const [own, others] = [true, false].map((is) => conditions.filter(({ type }) => TYPES.has(type) === is))
  return [...(own ?? []), ...(others ?? [])]
}
