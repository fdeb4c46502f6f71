import type { JobSpec } from '@trainjob/api'
import type { IssueList } from '../issue-list.ts'
import { countIndexes, indexRangesFault, parseIndexRanges } from './index-ranges.ts'

const MAX_RULES = 20

/** What Kubernetes refuses in the `successPolicy` of an Indexed Job. (Source: kubernetes, validateSuccessPolicy.) */
export function validateSuccessPolicy(policy: JobSpec['successPolicy'], completions: number, issues: IssueList): void {
  if (policy === undefined) return
  const { rules } = policy
  if (rules.length === 0) issues.add('spec.successPolicy.rules', 'required', 'expected at least one rule, found none')
  if (rules.length > MAX_RULES) {
    issues.add('spec.successPolicy.rules', 'too-many', `expected at most ${MAX_RULES} rules, found ${rules.length}`)
  }
  for (const [at, { succeededIndexes, succeededCount }] of rules.entries()) {
    const path = `spec.successPolicy.rules[${at}]`
    if (succeededIndexes === undefined && succeededCount === undefined) {
      issues.add(path, 'required', 'expected succeededIndexes or succeededCount, found neither')
      continue
    }
    const fault = succeededIndexes === undefined ? undefined : indexRangesFault(succeededIndexes, completions)
    if (fault !== undefined) {
      const found = JSON.stringify(succeededIndexes)
      issues.add(
        `${path}.succeededIndexes`,
        'invalid-value',
        `expected indexes below ${completions} in ascending order, like 0,2-4; found ${found}: ${fault}`,
      )
      continue
    }
    const possible =
      succeededIndexes === undefined ? completions : countIndexes(parseIndexRanges(succeededIndexes, completions))
    if (succeededCount !== undefined && succeededCount > possible) {
      issues.add(
        `${path}.succeededCount`,
        'invalid-value',
        `expected at most ${possible}, the number of indexes that count; found ${succeededCount}`,
      )
    }
  }
}
