import type { Issue, KubernetesObject } from '@trainjob/api'

/** Collects what is wrong with one object. */
export interface IssueList {
  readonly issues: readonly Issue[]
  /**
   * @param path like `spec.replicatedJobs[0].name`
   * @param code one that says which kind of fault it is: `required`, `invalid-value`, `not-supported`, `immutable`, …
   */
  add(path: string, code: string, message: string): void
}

export function issueList({ kind, metadata }: KubernetesObject): IssueList {
  const issues: Issue[] = []
  const object = { kind, namespace: metadata.namespace ?? '', name: metadata.name ?? metadata.generateName ?? '' }
  return { issues, add: (path, code, message) => void issues.push({ path, code, message, object }) }
}
