import type { Condition } from '../kubernetes/meta.ts'
import { TRAINJOB_COMPLETE, TRAINJOB_FAILED } from './constants.ts'

/** The condition of a type, or nothing. `status` may be any status with conditions, or missing. */
export function conditionOf<C extends { readonly type: string }>(
  status: { readonly conditions?: readonly C[] } | undefined,
  type: string,
): C | undefined {
  return status?.conditions?.find((condition) => condition.type === type)
}

/** Whether the condition of a type is there and `True`. */
export function isConditionTrue(
  status: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] } | undefined,
  type: string,
): boolean {
  return conditionOf(status, type)?.status === 'True'
}

/**
 * The conditions with one of them set, as metav1 does it: in its old place or at the end, and `lastTransitionTime`
 * moves only when `status` changes. The list that came in is not changed, and comes back itself when nothing changes.
 *
 * @param now RFC 3339, for example `2026-01-31T12:00:00Z`.
 * Source: k8s.io/apimachinery, pkg/api/meta/conditions.go.
 */
export function setCondition(
  conditions: Condition[] | undefined,
  condition: Omit<Condition, 'lastTransitionTime'>,
  now: string,
): Condition[] {
  const all = conditions ?? []
  const at = all.findIndex(({ type }) => type === condition.type)
  const old = all[at]
  if (old === undefined) return [...all, { ...condition, lastTransitionTime: now }]
  if (isSame(old, condition)) return all
  const lastTransitionTime = old.status === condition.status ? old.lastTransitionTime : now
  return all.with(at, { ...condition, lastTransitionTime })
}

function isSame(old: Condition, condition: Omit<Condition, 'lastTransitionTime'>): boolean {
  return (
    old.status === condition.status &&
    old.reason === condition.reason &&
    old.message === condition.message &&
    condition.observedGeneration === old.observedGeneration
  )
}

/** Whether a TrainJob has ended, well or badly. */
export function isFinished(trainJob: {
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] }
}): boolean {
  return isConditionTrue(trainJob.status, TRAINJOB_COMPLETE) || isConditionTrue(trainJob.status, TRAINJOB_FAILED)
}
