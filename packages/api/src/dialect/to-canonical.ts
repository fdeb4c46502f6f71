import type { KubernetesObject } from '../kubernetes/meta.ts'
import { TRAINER_API_VERSION, TRAINER_GROUP } from '../trainer/types.ts'
import type { Fault } from '../validate/check-schema.ts'
import { Draft } from './draft.ts'
import { followLastApplied } from './follow-last-applied.ts'
import { translateRuntime } from './runtime.ts'
import { translateTrainJob } from './train-job.ts'
import type { Move } from './written-path.ts'

/** What the translator may know besides the object. */
export interface DialectContext {
  /** What an update replaces: then a field of the document counts more than its canonical twin, which a client kept. */
  readonly stored?: KubernetesObject | undefined
}

/** An object in canonical form, and what became of what was written. */
export interface Translation<T> {
  /** The object that was given, when there was nothing to translate. */
  readonly object: T
  /** One for each thing that was translated; paths as they were written. */
  readonly notes: readonly Fault[]
  readonly warnings: readonly Fault[]
  /** What cannot be translated without guessing; it stands in the object as it was written. */
  readonly errors: readonly Fault[]
  /** Which field stands elsewhere now, in the order it was done. */
  readonly moves: readonly Move[]
}

/**
 * Translates a TrainJob or runtime from the form of the reference document, or of an earlier release of upstream, into
 * `trainer.kubeflow.org/v1alpha1` as of v2.3.0. Everything behind this door knows that form only. Objects of other kinds
 * and canonical ones come back as they are; the argument is never changed.
 *
 * Whatever the canonical form has no field for goes to annotations `trainjob.dev/…`.
 *
 * @example
 * const { object, notes } = toCanonical({
 *   apiVersion: 'trainer.kubeflow.org/v1alpha1',
 *   kind: 'TrainJob',
 *   metadata: { name: 'mnist' },
 *   spec: { runtimeRef: { name: 'r' }, trainer: { resources: { limits: { cpu: 2 } } } },
 * })
 * object.spec.trainer // => { resourcesPerNode: { limits: { cpu: 2 } } }
 * notes[0]?.message // => 'trainer.resources is trainer.resourcesPerNode'
 */
export function toCanonical<T extends object>(object: T, { stored }: DialectContext = {}): Translation<T> {
  const { kind, apiVersion } = object as { readonly kind?: unknown; readonly apiVersion?: unknown }
  if (typeof apiVersion !== 'string' || !isTrainers(apiVersion)) return unchanged(object)
  const translate = typeof kind === 'string' && Object.hasOwn(TRANSLATORS, kind) ? TRANSLATORS[kind] : undefined
  if (translate === undefined) return unchanged(object)
  const draft = new Draft(object as Readonly<Record<string, unknown>>)
  if (apiVersion.endsWith('/v2alpha1')) {
    draft.set(['apiVersion'], TRAINER_API_VERSION)
    draft.note(['apiVersion'], `${apiVersion} is called ${TRAINER_API_VERSION} since its release`)
  }
  translate(draft, stored)
  if (stored !== undefined) followLastApplied(draft, object, stored, (one) => toCanonical(one).object)
  const { value, notes, warnings, errors, moves } = draft
  return { object: value as T, notes, warnings, errors, moves }
}

/** Before its release the group was that of the operator before it. */
function isTrainers(apiVersion: string): boolean {
  return apiVersion.startsWith(`${TRAINER_GROUP}/`) || apiVersion === 'kubeflow.org/v2alpha1'
}

const TRANSLATORS: Readonly<Record<string, (draft: Draft, stored: unknown) => void>> = {
  TrainJob: translateTrainJob,
  TrainingRuntime: translateRuntime,
  ClusterTrainingRuntime: translateRuntime,
}

const NONE: readonly never[] = []

function unchanged<T>(object: T): Translation<T> {
  return { object, notes: NONE, warnings: NONE, errors: NONE, moves: NONE }
}
