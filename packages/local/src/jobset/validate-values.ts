import type { JobSetSpec } from '@trainjob/api'
import type { IssueList } from '../issue-list.ts'

/** Values that the CRD itself refuses, in a new JobSet and in a changed one. */
export function validateValues(spec: JobSetSpec, issues: IssueList): void {
  const { ttlSecondsAfterFinished: seconds, successPolicy, startupPolicy } = spec
  if (seconds !== undefined && !(Number.isInteger(seconds) && seconds >= 0)) {
    const message = `expected a whole number of 0 or more, found ${JSON.stringify(seconds)}`
    issues.add('spec.ttlSecondsAfterFinished', 'invalid-value', message)
  }
  oneOf(successPolicy?.operator, ['All', 'Any'], 'spec.successPolicy.operator', issues)
  oneOf(startupPolicy?.startupPolicyOrder, ['AnyOrder', 'InOrder'], 'spec.startupPolicy.startupPolicyOrder', issues)
  for (const [at, { retentionPolicy }] of (spec.volumeClaimPolicies ?? []).entries()) {
    const path = `spec.volumeClaimPolicies[${at}].retentionPolicy.whenDeleted`
    oneOf(retentionPolicy?.whenDeleted, ['Delete', 'Retain'], path, issues)
  }
}

function oneOf(value: string | undefined, allowed: readonly string[], path: string, issues: IssueList): void {
  if (value === undefined || allowed.includes(value)) return
  issues.add(path, 'not-supported', `expected ${allowed.join(' or ')}, found ${JSON.stringify(value)}`)
}
