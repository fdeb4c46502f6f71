import type { Job, JobSpec, PodTemplateSpec } from '@trainjob/api'
import type { IssueList } from '../issue-list.ts'
import { equal } from '../object/equal.ts'
import { trueCondition } from './conditions.ts'

const IMMUTABLE = [
  'selector',
  'completionMode',
  'podFailurePolicy',
  'backoffLimitPerIndex',
  'managedBy',
  'successPolicy',
] as const

/** What may not change in a stored Job. (Source: kubernetes 1.36, ValidateJobSpecUpdate.) */
export function validateJobUpdate(old: Job, job: Job, issues: IssueList): void {
  for (const name of IMMUTABLE) {
    if (!equal(old.spec[name], job.spec[name])) refuse(`spec.${name}`, issues)
  }
  validateCompletions(old.spec, job.spec, issues)
  if (!equal(frozenTemplate(old, job.spec.template), frozenTemplate(old, old.spec.template))) {
    const until =
      'only labels, annotations, node selector, tolerations, affinity, scheduling gates and resources may change'
    issues.add(
      mayChangeParts(old) ? 'spec.template.spec' : 'spec.template',
      'immutable',
      `the pod template cannot be changed: ${until}, and only while the Job is suspended and has no active pod`,
    )
  }
}

/** An Indexed Job may be resized, as long as all of its indexes run at once. */
function validateCompletions(
  old: JobSpec,
  { completions, completionMode, parallelism }: JobSpec,
  issues: IssueList,
): void {
  if (old.completions === completions) return
  if (completionMode !== 'Indexed') refuse('spec.completions', issues)
  else if (completions !== undefined && completions !== parallelism) {
    issues.add(
      'spec.completions',
      'invalid-value',
      `expected the same number as parallelism (${parallelism}), found ${completions}; they can only change together`,
    )
  }
}

/** A template without the parts that may change now. */
function frozenTemplate(old: Job, template: PodTemplateSpec): unknown {
  if (!mayChangeParts(old)) return template
  const {
    nodeSelector: _,
    tolerations: __,
    affinity: ___,
    schedulingGates: ____,
    ...rest
  } = template.spec ?? { containers: [] }
  const unsized = (containers: typeof rest.containers | undefined) =>
    containers?.map(({ resources: _resources, ...container }) => container)
  return { ...rest, containers: unsized(rest.containers), initContainers: unsized(rest.initContainers) }
}

function mayChangeParts({ spec, status }: Job): boolean {
  const halted = status?.startTime === undefined || trueCondition(status.conditions, 'Suspended') !== undefined
  return spec.suspend === true && halted && (status?.active ?? 0) === 0
}

function refuse(path: string, issues: IssueList): void {
  issues.add(path, 'immutable', 'this field cannot be changed once the Job exists; delete the Job and create it anew')
}
