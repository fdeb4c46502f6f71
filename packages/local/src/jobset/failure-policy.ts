import type { FailurePolicyAction, Job, JobCondition, JobSet, JobSetFailurePolicy } from '@trainjob/api'
import { trueCondition } from '../job/conditions.ts'
import { replicatedJobOf } from './child-jobs.ts'
import { endRestart, type StatusDraft, setCondition } from './status-draft.ts'

type Rule = NonNullable<JobSetFailurePolicy['rules']>[number]

/** Actions behind a feature gate of JobSet that is off by default, here always; admission refuses them. */
export const GATED_ACTIONS: readonly FailurePolicyAction[] = ['RestartJob', 'RestartJobAndIgnoreMaxRestarts']

/**
 * Fails or restarts a JobSet of which Jobs have failed. Without a policy it fails at once. The first rule that matches
 * any failed Job decides; without a match it restarts, as long as `maxRestarts` allows. A restart is a higher
 * `status.restarts`: the next pass finds all Jobs to be of an earlier attempt and replaces them.
 */
export function applyFailurePolicy(draft: StatusDraft, jobSet: JobSet, failed: readonly Job[]): void {
  const policy = jobSet.spec.failurePolicy
  if (policy === undefined) {
    fail(draft, 'FailedJobs', withJob('jobset failed due to one or more job failures', firstFailed(failed)))
    return
  }
  const { rule, job } = matchRule(policy.rules ?? [], failed)
  const action = rule?.action ?? 'RestartJobSet'
  if (action === 'FailJobSet') {
    fail(draft, 'FailJobSetFailurePolicyAction', withJob('applying FailJobSet failure policy action', job))
    return
  }
  const counted = draft.status.restartsCountTowardsMax ?? 0
  const ignoresMax = action === 'RestartJobSetAndIgnoreMaxRestarts'
  if (!ignoresMax && counted >= (policy.maxRestarts ?? 0)) {
    fail(draft, 'ReachedMaxRestarts', withJob('jobset failed due to reaching max number of restarts', job))
    return
  }
  const message = withJob(`applying ${action} failure policy action`, job)
  draft.status = {
    ...draft.status,
    restarts: (draft.status.restarts ?? 0) + 1,
    ...(!ignoresMax && { restartsCountTowardsMax: counted + 1 }),
  }
  const reason = rule === undefined ? 'DefaultFailurePolicy' : `FailurePolicy_${rule.name}`
  setCondition(draft, { type: 'RestartingJobSet', status: 'True', reason, message }, 'Warning')
  draft.events.push({ type: 'Warning', reason: `${action}FailurePolicyAction`, message })
}

/** The first rule that matches a failed Job, with the one of its matches that failed first. */
function matchRule(rules: readonly Rule[], failed: readonly Job[]): { rule?: Rule; job: Job | undefined } {
  for (const rule of rules) {
    const matches = failed.filter((job) => ruleApplies(rule, job))
    if (matches.length > 0) return { rule, job: firstFailed(matches) }
  }
  return { job: firstFailed(failed) }
}

/** Every filter of a rule must let the Job pass; one that is empty lets everything pass. */
function ruleApplies(rule: Rule, job: Job): boolean {
  const condition = failure(job)
  const { onJobFailureReasons = [], onJobFailureMessagePatterns = [], targetReplicatedJobs = [] } = rule
  if (condition === undefined) return false
  if (onJobFailureReasons.length > 0 && !onJobFailureReasons.includes(condition.reason ?? '')) return false
  if (targetReplicatedJobs.length > 0 && !targetReplicatedJobs.includes(replicatedJobOf(job))) return false
  return (
    onJobFailureMessagePatterns.length === 0 ||
    onJobFailureMessagePatterns.some((pattern) => matches(pattern, condition.message ?? ''))
  )
}

/** A pattern that cannot be read matches nothing, as in JobSet. */
function matches(pattern: string, message: string): boolean {
  try {
    return new RegExp(pattern).test(message)
  } catch {
    return false
  }
}

function firstFailed(jobs: readonly Job[]): Job | undefined {
  let first: Job | undefined
  let earliest = Number.POSITIVE_INFINITY
  for (const job of jobs) {
    const at = Date.parse(failure(job)?.lastTransitionTime ?? '')
    if (!(first === undefined || at < earliest)) continue
    first = job
    earliest = at
  }
  return first
}

function failure(job: Job): JobCondition | undefined {
  return trueCondition(job.status?.conditions, 'Failed')
}

function withJob(message: string, job: Job | undefined): string {
  return `${message} (first failed job: ${job?.metadata.name})`
}

function fail(draft: StatusDraft, reason: string, message: string): void {
  setCondition(draft, { type: 'Failed', status: 'True', reason, message }, 'Warning')
  endRestart(draft, 'JobSetFailed', 'jobset failed')
  draft.status = { ...draft.status, terminalState: 'Failed' }
}
