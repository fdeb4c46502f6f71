import type { Job, JobSpec } from '@trainjob/api'
import type { IssueList } from '../issue-list.ts'
import { checkManagedBy } from '../managed-by-issues.ts'
import { checkPodTemplate } from '../pod-template-issues.ts'
import { validatePodFailurePolicy } from './validate-pod-failure-policy.ts'
import { validateSelector } from './validate-selector.ts'
import { validateSuccessPolicy } from './validate-success-policy.ts'

const MAX_INDEXED_PARALLELISM = 100_000
const MAX_HOSTNAME = 63
const NUMBERS = [
  'parallelism',
  'completions',
  'activeDeadlineSeconds',
  'backoffLimit',
  'ttlSecondsAfterFinished',
  'backoffLimitPerIndex',
  'maxFailedIndexes',
] as const

/** What Kubernetes refuses in a Job that the engine would otherwise stumble over. (Source: kubernetes, apis/batch/validation.) */
export function validateJob(job: Job, issues: IssueList): void {
  const { spec } = job
  for (const name of NUMBERS) {
    const value = spec[name]
    if (value !== undefined && !(Number.isInteger(value) && value >= 0)) {
      issues.add(
        `spec.${name}`,
        'invalid-value',
        `expected a whole number of 0 or more, found ${JSON.stringify(value)}`,
      )
    }
  }
  checkManagedBy(spec.managedBy, issues)
  if (spec.completionMode === 'Indexed') validateIndexed(job, issues)
  else validateNonIndexed(spec, issues)
  validateRestartPolicy(spec, issues)
  validateSelector(job, issues)
  validatePodFailurePolicy(spec, issues)
  checkPodTemplate(spec.template, 'spec.template', issues)
}

function validateIndexed({ metadata, spec }: Job, issues: IssueList): void {
  const { completions, parallelism = 1, maxFailedIndexes, successPolicy } = spec
  if (completions === undefined) {
    issues.add(
      'spec.completions',
      'required',
      'expected a number of completions, found none; completionMode Indexed needs it',
    )
    return
  }
  const hostname = `${metadata.name ?? ''}-${Math.max(0, completions - 1)}`
  if (hostname.length > MAX_HOSTNAME) {
    const fits = MAX_HOSTNAME - (hostname.length - (metadata.name ?? '').length)
    issues.add(
      'metadata.name',
      'name-too-long',
      `the host name of the last pod, ${hostname}, has ${hostname.length} characters, and ${MAX_HOSTNAME} are allowed; the longest name that fits has ${fits}`,
    )
  }
  if (parallelism > MAX_INDEXED_PARALLELISM) {
    issues.add(
      'spec.parallelism',
      'invalid-value',
      `expected at most ${MAX_INDEXED_PARALLELISM} with completionMode Indexed, found ${parallelism}`,
    )
  }
  if (maxFailedIndexes !== undefined) {
    if (spec.backoffLimitPerIndex === undefined) {
      issues.add(
        'spec.backoffLimitPerIndex',
        'required',
        'expected a value because maxFailedIndexes is set, found none',
      )
    }
    if (maxFailedIndexes > completions) {
      issues.add(
        'spec.maxFailedIndexes',
        'invalid-value',
        `expected at most the ${completions} completions, found ${maxFailedIndexes}`,
      )
    }
  }
  validateSuccessPolicy(successPolicy, completions, issues)
}

function validateNonIndexed(spec: JobSpec, issues: IssueList): void {
  if (spec.completionMode !== undefined && spec.completionMode !== 'NonIndexed') {
    issues.add(
      'spec.completionMode',
      'not-supported',
      `expected NonIndexed or Indexed, found ${JSON.stringify(spec.completionMode)}`,
    )
    return
  }
  for (const name of ['backoffLimitPerIndex', 'maxFailedIndexes', 'successPolicy'] as const) {
    if (spec[name] === undefined) continue
    issues.add(`spec.${name}`, 'invalid-value', `it needs completionMode Indexed; set that, or leave ${name} out`)
  }
}

function validateRestartPolicy(spec: JobSpec, issues: IssueList): void {
  const path = 'spec.template.spec.restartPolicy'
  const policy = spec.template?.spec?.restartPolicy
  if (policy === undefined || policy === 'Always') {
    issues.add(
      path,
      'required',
      `expected OnFailure or Never, found ${policy ?? 'nothing'}; pods of a Job come to an end`,
    )
  } else if (policy !== 'OnFailure' && policy !== 'Never') {
    issues.add(path, 'not-supported', `expected OnFailure or Never, found ${JSON.stringify(policy)}`)
  } else if (spec.podFailurePolicy !== undefined && policy !== 'Never') {
    issues.add(path, 'invalid-value', `expected Never because podFailurePolicy is set, found ${policy}`)
  }
  const { podReplacementPolicy: replacement } = spec
  const allowed = spec.podFailurePolicy === undefined ? ['Failed', 'TerminatingOrFailed'] : ['Failed']
  if (replacement !== undefined && !allowed.includes(replacement)) {
    issues.add(
      'spec.podReplacementPolicy',
      'not-supported',
      `expected ${allowed.join(' or ')}, found ${JSON.stringify(replacement)}`,
    )
  }
}
