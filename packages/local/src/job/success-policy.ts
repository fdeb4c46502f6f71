import type { Job } from '@trainjob/api'
import type { Outcome } from './conditions.ts'
import { countCommonIndexes, countIndexes, type IndexRanges, parseIndexRanges } from './index-ranges.ts'

/**
 * Ends an Indexed Job early, once one rule of its `successPolicy` is met: all of `succeededIndexes`, or
 * `succeededCount` of them, or `succeededCount` of any. (Source: kubernetes success_policy.go.)
 */
export function successPolicyOutcome(job: Job, succeeded: IndexRanges): Outcome | undefined {
  const rules = job.spec.successPolicy?.rules
  if (rules === undefined || succeeded.length === 0) return undefined
  const met = rules.findIndex(({ succeededIndexes, succeededCount }) => {
    if (succeededIndexes === undefined) {
      return succeededCount !== undefined && countIndexes(succeeded) >= succeededCount
    }
    const wanted = parseIndexRanges(succeededIndexes, job.spec.completions ?? 0)
    const found = countCommonIndexes(wanted, succeeded)
    return wanted.length > 0 && found >= Math.min(succeededCount ?? Number.POSITIVE_INFINITY, countIndexes(wanted))
  })
  if (met < 0) return undefined
  return { type: 'SuccessCriteriaMet', reason: 'SuccessPolicy', message: `Matched rules at index ${met}` }
}
