import type { JobSpec, PodFailurePolicy } from '@trainjob/api'
import type { IssueList } from '../issue-list.ts'

const ACTIONS: readonly string[] = ['FailJob', 'FailIndex', 'Ignore', 'Count']
const MAX_RULES = 20
const MAX_EXIT_CODES = 255

type Rule = PodFailurePolicy['rules'][number]
type ExitCodes = NonNullable<Rule['onExitCodes']>

/** What Kubernetes refuses in a `podFailurePolicy`. (Source: kubernetes, validatePodFailurePolicy.) */
export function validatePodFailurePolicy(spec: JobSpec, issues: IssueList): void {
  const template = spec.template?.spec
  const names = [...(template?.containers ?? []), ...(template?.initContainers ?? [])].map(({ name }) => name)
  const rules = spec.podFailurePolicy?.rules ?? []
  if (rules.length > MAX_RULES) {
    issues.add('spec.podFailurePolicy.rules', 'too-many', `expected at most ${MAX_RULES} rules, found ${rules.length}`)
  }
  for (const [at, rule] of rules.entries()) {
    const path = `spec.podFailurePolicy.rules[${at}]`
    validateAction(rule.action, spec, `${path}.action`, issues)
    const conditions = rule.onPodConditions?.length ?? 0
    if ((rule.onExitCodes === undefined) === (conditions === 0)) {
      issues.add(path, 'invalid-value', 'expected exactly one of onExitCodes and onPodConditions')
    }
    if (rule.onExitCodes !== undefined) validateExitCodes(rule.onExitCodes, names, `${path}.onExitCodes`, issues)
  }
}

function validateAction(action: string, spec: JobSpec, path: string, issues: IssueList): void {
  if (!ACTIONS.includes(action)) {
    const message = `expected FailJob, FailIndex, Ignore or Count, found ${JSON.stringify(action)}`
    issues.add(path, 'not-supported', message)
  } else if (action === 'FailIndex' && spec.backoffLimitPerIndex === undefined) {
    issues.add(path, 'invalid-value', 'FailIndex needs backoffLimitPerIndex; set that, or use FailJob')
  }
}

function validateExitCodes(codes: ExitCodes, containers: readonly string[], path: string, issues: IssueList): void {
  const { containerName, operator, values = [] } = codes
  if (operator !== 'In' && operator !== 'NotIn') {
    issues.add(`${path}.operator`, 'not-supported', `expected In or NotIn, found ${JSON.stringify(operator)}`)
  }
  if (containerName !== undefined && !containers.includes(containerName)) {
    const message = `expected one of ${containers.join(', ')}; found ${containerName}`
    issues.add(`${path}.containerName`, 'invalid-value', message)
  }
  if (values.length === 0) issues.add(`${path}.values`, 'required', 'expected at least one exit code, found none')
  if (values.length > MAX_EXIT_CODES) {
    const message = `expected at most ${MAX_EXIT_CODES} exit codes, found ${values.length}`
    issues.add(`${path}.values`, 'too-many', message)
  }
  const seen = new Set<number>()
  for (const [at, value] of values.entries()) {
    if (operator === 'In' && value === 0) {
      issues.add(`${path}.values[${at}]`, 'invalid-value', 'expected exit codes of failures, found 0; it means success')
    }
    if (seen.has(value)) issues.add(`${path}.values[${at}]`, 'duplicate', `expected ${value} once, found it twice`)
    seen.add(value)
  }
  if (values.some((value, at) => at > 0 && value < (values[at - 1] as number))) {
    issues.add(`${path}.values`, 'invalid-value', `expected exit codes in ascending order, found ${values.join(', ')}`)
  }
}
