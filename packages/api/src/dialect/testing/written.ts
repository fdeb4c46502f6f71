import { formatFieldPath } from '../../field-path.ts'
import { toCanonical } from '../to-canonical.ts'

/** Anything that somebody wrote. */
export type Fields = Record<string, unknown>

export const LABEL = 'trainer.kubeflow.org/trainjob-ancestor-step'
/** The annotations of what was written in the document's form. */
export const DOCUMENT: Readonly<Record<string, string>> = { 'trainjob.dev/form': 'document' }

export function job(spec: Fields, metadata: Fields = { name: 'a' }): Fields {
  return {
    apiVersion: 'trainer.kubeflow.org/v1alpha1',
    kind: 'TrainJob',
    metadata,
    spec: { runtimeRef: { name: 'r' }, ...spec },
  }
}

export function runtime(spec: Fields, metadata: Fields = { name: 'r' }): Fields {
  return { apiVersion: 'trainer.kubeflow.org/v1alpha1', kind: 'TrainingRuntime', metadata, spec }
}

/** A runtime with one job, in canonical form. */
export function canonicalRuntime(mlPolicy: Fields, more: Fields = {}): Fields {
  const pod = { containers: [{ name: 'node', image: 'i' }] }
  const template = { metadata: { labels: { [LABEL]: 'trainer' } }, spec: { template: { spec: pod } } }
  return runtime({ mlPolicy, template: { spec: { replicatedJobs: [{ name: 'node', template }] } }, ...more })
}

/** What a translation answers, with paths as texts. */
export interface Translated {
  readonly object: {
    readonly metadata: Fields & { readonly annotations?: Record<string, string> }
    readonly spec: Fields
  }
  readonly errors: readonly string[]
  readonly notes: readonly string[]
}

export function translated(object: Fields, stored?: Fields): Translated {
  const { errors, notes, object: canonical } = toCanonical(object, { stored: stored as never })
  return {
    object: canonical as unknown as Translated['object'],
    errors: errors.map(({ path, message }) => `${formatFieldPath(path)}: ${message}`),
    notes: notes.map(({ path }) => formatFieldPath(path)),
  }
}
