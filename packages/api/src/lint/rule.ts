import type { AnyTrainingRuntime, TrainJob } from '../trainer/types.ts'

/** What a rule looks at: a job with its runtime, as far as it is known, or a runtime alone. Both in canonical form. */
export type LintSubject =
  | { readonly trainJob: TrainJob; readonly runtime: AnyTrainingRuntime | undefined }
  | { readonly trainJob: undefined; readonly runtime: AnyTrainingRuntime }

/** What a rule found, in the job when there is one, else in the runtime. */
export interface LintFinding {
  /** Like `spec.trainer.command`. */
  readonly path: string
  /** What was found. */
  readonly message: string
}

/** One piece of advice: something that a server accepts and that is often not what was meant. */
export interface LintRule {
  /** Stable, kebab-case. */
  readonly code: string
  /** Why it matters. */
  readonly explanation: string
  /** What to do. */
  readonly fix: string
  /** Where upstream says or discusses it. */
  readonly link: string
  find(subject: LintSubject): readonly LintFinding[]
}

/** A rule about a TrainJob, whose runtime may not be known. */
export function jobRule(
  rule: Omit<LintRule, 'find'>,
  find: (trainJob: TrainJob, runtime: AnyTrainingRuntime | undefined) => readonly LintFinding[],
): LintRule {
  return { ...rule, find: ({ trainJob, runtime }) => (trainJob === undefined ? [] : find(trainJob, runtime)) }
}

/** A rule about a runtime alone. */
export function runtimeRule(
  rule: Omit<LintRule, 'find'>,
  find: (runtime: AnyTrainingRuntime) => readonly LintFinding[],
): LintRule {
  return { ...rule, find: ({ trainJob, runtime }) => (trainJob === undefined ? find(runtime) : []) }
}
