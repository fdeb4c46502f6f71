import type { JobSetFailurePolicy } from '@trainjob/api'
import type { IssueList } from '../issue-list.ts'
import { GATED_ACTIONS } from './failure-policy.ts'

const ACTIONS: readonly string[] = ['FailJobSet', 'RestartJobSet', 'RestartJobSetAndIgnoreMaxRestarts']
const STRATEGIES: readonly string[] = ['Recreate', 'BlockingRecreate']
const REASONS: readonly string[] = [
  'BackoffLimitExceeded',
  'DeadlineExceeded',
  'FailedIndexes',
  'MaxFailedIndexesExceeded',
  'PodFailurePolicy',
]
const GATED = '; it is behind a feature gate of JobSet that is off'
const MAX_RULE_NAME = 128
const RULE_NAME = /^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$/

type Rule = NonNullable<JobSetFailurePolicy['rules']>[number]

/** @param jobs names of the replicated jobs */
export function validateFailurePolicy(
  policy: JobSetFailurePolicy | undefined,
  jobs: ReadonlySet<string>,
  issues: IssueList,
): void {
  if (policy === undefined) return
  const { restartStrategy = 'Recreate', maxRestarts = 0, rules = [] } = policy
  if (!STRATEGIES.includes(restartStrategy)) {
    const gate = restartStrategy === 'InPlaceRestart' ? GATED : ''
    const message = `expected ${STRATEGIES.join(' or ')}, found ${restartStrategy}${gate}`
    issues.add('spec.failurePolicy.restartStrategy', 'not-supported', message)
  }
  if (!Number.isInteger(maxRestarts) || maxRestarts < 0) {
    const message = `expected a whole number of 0 or more, found ${maxRestarts}`
    issues.add('spec.failurePolicy.maxRestarts', 'invalid-value', message)
  }
  const seen = new Set<string>()
  for (const [at, rule] of rules.entries()) {
    const path = `spec.failurePolicy.rules[${at}]`
    validateName(rule.name ?? '', `${path}.name`, seen, issues)
    validateFilters(rule, path, jobs, issues)
  }
}

/** @param seen names of the rules before this one, which is added */
function validateName(name: string, path: string, seen: Set<string>, issues: IssueList): void {
  if (name.length > MAX_RULE_NAME) {
    issues.add(path, 'too-long', `expected at most ${MAX_RULE_NAME} characters, found ${name.length}`)
  }
  if (!RULE_NAME.test(name)) {
    const form = "a letter, then letters, digits, '_', ',' or ':', with a letter, digit or '_' at the end"
    issues.add(path, 'invalid-value', `expected ${form}; found ${JSON.stringify(name)}`)
  }
  if (seen.has(name)) issues.add(path, 'duplicate-key', `expected a name of its own, found ${name} again`)
  seen.add(name)
}

function validateFilters(rule: Rule, path: string, jobs: ReadonlySet<string>, issues: IssueList): void {
  const { action, targetReplicatedJobs = [], onJobFailureReasons = [] } = rule
  if (!ACTIONS.includes(action)) {
    const gate = GATED_ACTIONS.includes(action) ? GATED : ''
    issues.add(`${path}.action`, 'not-supported', `expected ${ACTIONS.join(', ')}; found ${action}${gate}`)
  }
  for (const target of targetReplicatedJobs.filter((name) => !jobs.has(name))) {
    const message = `expected replicated jobs (${[...jobs].join(', ')}), found ${target}`
    issues.add(`${path}.targetReplicatedJobs`, 'invalid-value', message)
  }
  for (const reason of onJobFailureReasons.filter((name) => !REASONS.includes(name))) {
    const message = `expected reasons of failed Jobs (${REASONS.join(', ')}), found ${reason}`
    issues.add(`${path}.onJobFailureReasons`, 'not-supported', message)
  }
}
