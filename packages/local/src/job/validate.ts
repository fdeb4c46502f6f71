import type { Job, JobSpec } from '@trainjob/api'
import type { IssueList } from '../issue-list.ts'
import { checkPodTemplate } from '../pod-template-issues.ts'
import { countIndexes, parseIndexRanges } from './index-ranges.ts'

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
  if (spec.completionMode === 'Indexed') validateIndexed(job, issues)
  else validateNonIndexed(spec, issues)
  validateRestartPolicy(spec, issues)
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
  if (successPolicy === undefined) return
  if (successPolicy.rules.length === 0) {
    issues.add('spec.successPolicy.rules', 'required', 'expected at least one rule, found none')
  }
  for (const [at, { succeededIndexes, succeededCount }] of successPolicy.rules.entries()) {
    const path = `spec.successPolicy.rules[${at}]`
    const possible =
      succeededIndexes === undefined ? completions : countIndexes(parseIndexRanges(succeededIndexes, completions))
    if (succeededIndexes === undefined && succeededCount === undefined) {
      issues.add(path, 'required', 'expected succeededIndexes or succeededCount, found neither')
    } else if (possible === 0) {
      issues.add(
        `${path}.succeededIndexes`,
        'invalid-value',
        `expected indexes below ${completions} like 0,2-4, found ${JSON.stringify(succeededIndexes)}`,
      )
    } else if (succeededCount !== undefined && succeededCount > possible) {
      issues.add(
        `${path}.succeededCount`,
        'invalid-value',
        `expected at most ${possible}, the number of indexes that count; found ${succeededCount}`,
      )
    }
  }
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

function validatePodFailurePolicy(spec: JobSpec, issues: IssueList): void {
  const template = spec.template?.spec
  const names = [...(template?.containers ?? []), ...(template?.initContainers ?? [])].map(({ name }) => name)
  for (const [at, rule] of (spec.podFailurePolicy?.rules ?? []).entries()) {
    const path = `spec.podFailurePolicy.rules[${at}]`
    if (!['FailJob', 'FailIndex', 'Ignore', 'Count'].includes(rule.action)) {
      issues.add(
        `${path}.action`,
        'not-supported',
        `expected FailJob, FailIndex, Ignore or Count, found ${JSON.stringify(rule.action)}`,
      )
    } else if (rule.action === 'FailIndex' && spec.backoffLimitPerIndex === undefined) {
      issues.add(`${path}.action`, 'invalid-value', 'FailIndex needs backoffLimitPerIndex; set that, or use FailJob')
    }
    const conditions = rule.onPodConditions?.length ?? 0
    if ((rule.onExitCodes === undefined) === (conditions === 0)) {
      issues.add(path, 'invalid-value', 'expected exactly one of onExitCodes and onPodConditions')
    }
    const { containerName, operator, values } = rule.onExitCodes ?? {}
    if (containerName !== undefined && !names.includes(containerName)) {
      issues.add(
        `${path}.onExitCodes.containerName`,
        'invalid-value',
        `expected one of ${names.join(', ')}; found ${containerName}`,
      )
    }
    if (rule.onExitCodes !== undefined && (values === undefined || values.length === 0)) {
      issues.add(`${path}.onExitCodes.values`, 'required', 'expected at least one exit code, found none')
    }
    if (operator === 'In' && values?.includes(0)) {
      issues.add(
        `${path}.onExitCodes.values`,
        'invalid-value',
        'expected exit codes of failures, found 0; it means success',
      )
    }
  }
}
