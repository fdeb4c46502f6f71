import type { ContainerStatus, Job, Pod, PodFailurePolicy } from '@trainjob/api'
import type { Outcome } from './conditions.ts'
import { isFailed } from './pod-state.ts'

type Rule = PodFailurePolicy['rules'][number]

/** What the policy says about one failed pod. */
export interface PodFailureVerdict {
  /** `Count` also where no rule matches. */
  readonly action: Rule['action']
  /** What matched, in words; only for `FailJob`. */
  readonly message?: string
}

/** The first rule that matches decides. (Source: kubernetes pod_failure_policy.go.) */
export function judgeFailedPod(policy: PodFailurePolicy | undefined, pod: Pod): PodFailureVerdict {
  for (const [index, rule] of (policy?.rules ?? []).entries()) {
    const match = rule.onExitCodes === undefined ? matchConditions(rule, pod) : matchExitCodes(rule, pod)
    if (match === undefined) continue
    if (rule.action !== 'FailJob') return { action: rule.action }
    return { action: 'FailJob', message: `${match} matching FailJob rule at index ${index}` }
  }
  return { action: 'Count' }
}

/** Whether a failed pod counts towards the back-off limits. */
export function countsAsFailure(job: Job, pod: Pod): boolean {
  return judgeFailedPod(job.spec.podFailurePolicy, pod).action !== 'Ignore'
}

/** Fails the Job when a failed pod matches a `FailJob` rule. */
export function podFailurePolicyOutcome(job: Job, pods: readonly Pod[]): Outcome | undefined {
  if (job.spec.podFailurePolicy === undefined) return undefined
  for (const pod of pods) {
    if (!isFailed(pod, job)) continue
    const { message } = judgeFailedPod(job.spec.podFailurePolicy, pod)
    if (message !== undefined) return { type: 'FailureTarget', reason: 'PodFailurePolicy', message }
  }
  return undefined
}

function matchExitCodes({ onExitCodes }: Rule, pod: Pod): string | undefined {
  if (onExitCodes === undefined) return undefined
  const { containerName, operator, values } = onExitCodes
  const matches = ({ name, state }: ContainerStatus): boolean => {
    const code = state?.terminated?.exitCode ?? 0
    if (code === 0 || (containerName !== undefined && containerName !== name)) return false
    return values.includes(code) === (operator === 'In')
  }
  const found = pod.status?.containerStatuses?.find(matches) ?? pod.status?.initContainerStatuses?.find(matches)
  if (found === undefined) return undefined
  const code = found.state?.terminated?.exitCode
  return `Container ${found.name} for pod ${nameOf(pod)} failed with exit code ${code}`
}

function matchConditions({ onPodConditions }: Rule, pod: Pod): string | undefined {
  const found = pod.status?.conditions?.find((condition) =>
    onPodConditions?.some(({ type, status = 'True' }) => type === condition.type && status === condition.status),
  )
  return found && `Pod ${nameOf(pod)} has condition ${found.type}`
}

function nameOf({ metadata }: Pod): string {
  return `${metadata.namespace}/${metadata.name}`
}
