import type { Issue } from '../issue.ts'
import { identityOf } from '../validate/findings.ts'
import { GANG_RULES } from './gang-rules.ts'
import type { LintRule, LintSubject } from './rule.ts'
import { RUNTIME_RULES } from './runtime-rules.ts'
import { TRAIN_JOB_RULES } from './train-job-rules.ts'

/** Every rule. */
export const LINT_RULES: readonly LintRule[] = [...TRAIN_JOB_RULES, ...GANG_RULES, ...RUNTIME_RULES]

/**
 * Advice about a TrainJob and its runtime, or about a runtime alone, in canonical form: what a server accepts, and what
 * often turns out not to be meant.
 *
 * @example
 * const trainJob: TrainJob = {
 *   apiVersion: 'trainer.kubeflow.org/v1alpha1',
 *   kind: 'TrainJob',
 *   metadata: { name: 'mnist' },
 *   spec: { runtimeRef: { name: 'r' }, trainer: {}, managedBy: 'kueue.x-k8s.io/multikueue' },
 * }
 * lint({ trainJob, runtime: undefined }).map(({ code }) => code) // => ['multikueue-without-queue']
 */
export function lint(subject: LintSubject): readonly Issue[] {
  const object = identityOf(subject.trainJob ?? subject.runtime)
  return LINT_RULES.flatMap((rule) =>
    rule.find(subject).map(({ path, message }) => ({
      path,
      code: rule.code,
      message: `${message}. ${rule.explanation} To do: ${rule.fix}. See ${rule.link}`,
      object,
    })),
  )
}
