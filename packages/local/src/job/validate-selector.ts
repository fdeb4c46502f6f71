import type { Job } from '@trainjob/api'
import type { IssueList } from '../issue-list.ts'
import { type LabelSelector, matchesLabels } from '../server/selectors/label-selector.ts'
import { jobLabels } from './pod-of-job.ts'

/** A Job's selector must match its pods. (Source: kubernetes, ValidateJobSpec.) */
export function validateSelector({ spec }: Job, issues: IssueList): void {
  const { selector, template } = spec
  const labels = template?.metadata?.labels ?? {}
  if (selector === undefined) {
    issues.add('spec.selector', 'required', 'expected a selector because manualSelector is set, found none')
  }
  if (selector === undefined || !matchesLabels(selector as LabelSelector, labels)) {
    const message = `expected labels that the selector matches, found ${JSON.stringify(labels)}`
    issues.add('spec.template.metadata.labels', 'invalid-value', message)
  }
}

/**
 * Unless the author of a new Job chose its selector (`manualSelector`), its pods must have the labels that are
 * generated, and the selector may ask for nothing else. (Source: kubernetes, validateGeneratedSelector.)
 */
export function validateGeneratedSelector(job: Job, issues: IssueList): void {
  const { selector, manualSelector, template } = job.spec
  if (manualSelector === true || selector === undefined) return
  const labels = template?.metadata?.labels ?? {}
  const generated = jobLabels(job)
  for (const [key, value] of Object.entries(generated)) {
    if (labels[key] === value) continue
    const message = `expected ${value}, which is generated, found ${labels[key]}; leave the label out`
    issues.add(`spec.template.metadata.labels[${key}]`, 'invalid-value', message)
  }
  if (matchesLabels(selector as LabelSelector, generated)) return
  issues.add('spec.selector', 'invalid-value', 'the selector is generated; leave it out, or set manualSelector')
}
