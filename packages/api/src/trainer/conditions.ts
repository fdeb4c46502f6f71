import type { Condition } from '../kubernetes/meta.ts'
import { TRAINJOB_COMPLETE, TRAINJOB_FAILED } from './constants.ts'

/**
 * The condition of a type, or nothing. `status` may be any status with conditions, or missing.
 *
 * @example
 * const status = { conditions: [{ type: 'Complete', status: 'True' }] }
 * conditionOf(status, 'Complete') // => { type: 'Complete', status: 'True' }
 * conditionOf(undefined, 'Complete') // => undefined
 */
export function conditionOf<C extends { readonly type: string }>(
  status: { readonly conditions?: readonly C[] } | undefined,
  type: string,
): C | undefined {
  return status?.conditions?.find((condition) => condition.type === type)
}

/**
 * Whether the condition of a type is there and `True`.
 *
 * @example
 * isConditionTrue({ conditions: [{ type: 'Failed', status: 'False' }] }, 'Failed') // => false
 */
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
 * Source: k8s.io/apimachinery, pkg/api/meta/conditions.go.
 * @param now RFC 3339, for example `2026-01-31T12:00:00Z`.
 * @example
 * const suspended = { type: 'Suspended', status: 'True', reason: 'Suspended', message: 'TrainJob is suspended' } as const
 * const conditions = setCondition(undefined, suspended, '2026-01-31T12:00:00Z')
 * // => [{
 * //   type: 'Suspended', status: 'True', reason: 'Suspended', message: 'TrainJob is suspended',
 * //   lastTransitionTime: '2026-01-31T12:00:00Z',
 * // }]
 * setCondition(conditions, suspended, '2026-01-31T13:00:00Z') === conditions // => true
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

/**
 * Whether a TrainJob has ended, well or badly.
 *
 * @example
 * isFinished({ status: { conditions: [{ type: 'Complete', status: 'True' }] } }) // => true
 * isFinished({}) // => false
 */
export function isFinished(trainJob: {
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] }
}): boolean {
  return isConditionTrue(trainJob.status, TRAINJOB_COMPLETE) || isConditionTrue(trainJob.status, TRAINJOB_FAILED)
}
