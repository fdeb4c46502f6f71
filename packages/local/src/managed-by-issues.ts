import { dnsSubdomainFault } from '@trainjob/api'
import type { IssueList } from './issue-list.ts'

const MAX_LENGTH = 63

/** A `managedBy` names a controller by a path below a domain. (Source: kubernetes, IsDomainPrefixedPath.) */
export function checkManagedBy(managedBy: string | undefined, issues: IssueList): void {
  if (managedBy === undefined) return
  const slash = managedBy.indexOf('/')
  const isPath = slash > 0 && dnsSubdomainFault(managedBy.slice(0, slash)) === undefined && managedBy.length > slash + 1
  if (!isPath) {
    issues.add(
      'spec.managedBy',
      'invalid-value',
      `expected a path with a domain like example.com/controller, found ${JSON.stringify(managedBy)}`,
    )
  } else if (managedBy.length > MAX_LENGTH) {
    issues.add('spec.managedBy', 'too-long', `expected at most ${MAX_LENGTH} characters, found ${managedBy.length}`)
  }
}
