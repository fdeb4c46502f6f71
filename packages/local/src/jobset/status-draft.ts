import type { Condition, JobSet, JobSetStatus } from '@trainjob/api'
import { timestamp } from '../job/timestamp.ts'
import type { PassEvent } from '../pass-event.ts'

/** The status that a pass is about to write, and the events that go with it. Belongs to one pass, which changes it. */
export interface StatusDraft {
  status: JobSetStatus
  readonly events: PassEvent[]
  readonly now: number
}

/** Conditions of which at most one is true. */
const EXCLUSIVE: Readonly<Record<string, string>> = {
  StartupPolicyInProgress: 'StartupPolicyCompleted',
  StartupPolicyCompleted: 'StartupPolicyInProgress',
}

export function isFinished({ status }: Pick<JobSet, 'status'>): boolean {
  return isTrue(status, 'Completed') || isTrue(status, 'Failed')
}

export function isTrue(status: JobSetStatus | undefined, type: string): boolean {
  return status?.conditions?.some((condition) => condition.type === type && condition.status === 'True') ?? false
}

/**
 * Sets a condition and records an event of the same reason. Nothing happens when the condition says so already, nor
 * when it would be false without having been there. The time of transition changes only with the status.
 *
 * @param eventType of the event
 */
export function setCondition(
  draft: StatusDraft,
  condition: Omit<Condition, 'lastTransitionTime'>,
  eventType: PassEvent['type'] = 'Normal',
): void {
  const before = draft.status.conditions ?? []
  const old = before.find(({ type }) => type === condition.type)
  if (old === undefined ? condition.status === 'False' : saysTheSame(old, condition)) return
  const lastTransitionTime = old?.status === condition.status ? old.lastTransitionTime : timestamp(draft.now)
  const set: Condition = { ...condition, lastTransitionTime }
  const opposite = condition.status === 'True' ? EXCLUSIVE[condition.type] : undefined
  const conditions = before.map((other): Condition => {
    if (other === old) return set
    return other.type === opposite && other.status === 'True' ? { ...other, status: 'False' } : other
  })
  if (old === undefined) conditions.push(set)
  draft.status = { ...draft.status, conditions }
  draft.events.push({ type: eventType, reason: condition.reason, message: condition.message })
}

/** Says that a restart is over, if one was going on. */
export function endRestart(draft: StatusDraft, reason: string, message: string): void {
  setCondition(draft, { type: 'RestartingJobSet', status: 'False', reason, message })
}

function saysTheSame(a: Condition, b: Omit<Condition, 'lastTransitionTime'>): boolean {
  return a.status === b.status && a.reason === b.reason && a.message === b.message
}
