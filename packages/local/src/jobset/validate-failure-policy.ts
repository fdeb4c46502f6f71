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
const MAX_RULE_NAME = 128
const RULE_NAME = /^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$/

/** @param jobs names of the replicated jobs */
export function validateFailurePolicy(
  policy: JobSetFailurePolicy | undefined,
  jobs: ReadonlySet<string>,
  issues: IssueList,
): void {
  if (policy === undefined) return
  const { restartStrategy = 'Recreate', maxRestarts = 0, rules = [] } = policy
  if (!STRATEGIES.includes(restartStrategy)) {
    const gate = restartStrategy === 'InPlaceRestart' ? '; it is behind a feature gate of JobSet that is off' : ''
    issues.add(
      'spec.failurePolicy.restartStrategy',
      'not-supported',
      `expected ${STRATEGIES.join(' or ')}, found ${restartStrategy}${gate}`,
    )
  }
  if (!Number.isInteger(maxRestarts) || maxRestarts < 0) {
    issues.add(
      'spec.failurePolicy.maxRestarts',
      'invalid-value',
      `expected a whole number of 0 or more, found ${maxRestarts}`,
    )
  }
  const seen = new Set<string>()
  for (const [at, rule] of rules.entries()) {
    const path = `spec.failurePolicy.rules[${at}]`
    const { name = '', action, targetReplicatedJobs = [], onJobFailureReasons = [] } = rule
    if (name.length > MAX_RULE_NAME) {
      issues.add(`${path}.name`, 'too-long', `expected at most ${MAX_RULE_NAME} characters, found ${name.length}`)
    }
    if (!RULE_NAME.test(name)) {
      issues.add(
        `${path}.name`,
        'invalid-value',
        `expected a letter, then letters, digits, '_', ',' or ':', with a letter, digit or '_' at the end; found ${JSON.stringify(name)}`,
      )
    }
    if (seen.has(name)) issues.add(`${path}.name`, 'duplicate-key', `expected a name of its own, found ${name} again`)
    seen.add(name)
    if (!ACTIONS.includes(action)) {
      const gate = GATED_ACTIONS.includes(action) ? '; it is behind a feature gate of JobSet that is off' : ''
      issues.add(`${path}.action`, 'not-supported', `expected ${ACTIONS.join(', ')}; found ${action}${gate}`)
    }
    for (const target of targetReplicatedJobs) {
      if (jobs.has(target)) continue
      issues.add(
        `${path}.targetReplicatedJobs`,
        'invalid-value',
        `expected replicated jobs (${[...jobs].join(', ')}), found ${target}`,
      )
    }
    for (const reason of onJobFailureReasons) {
      if (REASONS.includes(reason)) continue
      issues.add(
        `${path}.onJobFailureReasons`,
        'not-supported',
        `expected reasons of failed Jobs (${REASONS.join(', ')}), found ${reason}`,
      )
    }
  }
}
