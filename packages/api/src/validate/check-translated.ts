import { type Translation, toCanonical } from '../dialect/to-canonical.ts'
import type { FieldPath } from '../field-path.ts'
import type { Findings } from '../issue.ts'
import type { Faults } from './check-schema.ts'
import { findingsOf } from './findings.ts'
import { checkObject } from './validate-object.ts'

/** Faults of a translated object: `canonical` with its own paths, `written` with those of the text. */
export interface TranslatedFaults {
  readonly canonical: Faults
  readonly written: Faults
}

/** Checks an object after its translation. What could not be translated is not said a second time. */
export function checkTranslated(
  object: unknown,
  { notes, warnings, errors }: Omit<Translation<unknown>, 'object'>,
): TranslatedFaults {
  const found = checkObject(object)
  const rest = found.errors.filter(({ path, code }) => !errors.some((error) => isSaid(path, code, error.path)))
  return {
    canonical: rest.length === found.errors.length ? found : { errors: rest, warnings: found.warnings },
    written: { errors, warnings: [...warnings, ...notes] },
  }
}

/** An unknown field is one whose content could not be translated. */
function isSaid(path: FieldPath, code: string, translated: FieldPath): boolean {
  return startsWith(path, translated) || (code === 'unknown-field' && startsWith(translated, path))
}

function startsWith(path: readonly (string | number)[], prefix: readonly (string | number)[]): boolean {
  return prefix.every((part, depth) => part === path[depth])
}

/**
 * Checks a TrainJob or runtime in whatever form it is written: what can be translated counts as translated, what cannot
 * is an error that says what to write.
 *
 * @example
 * const { errors } = validateWritten({
 *   apiVersion: 'trainer.kubeflow.org/v1alpha1',
 *   kind: 'TrainJob',
 *   metadata: { name: 'mnist' },
 *   spec: { runtimeRef: { name: 'r' }, trainer: { resources: {} }, podGroupPolicy: { volcano: {} } },
 * })
 * errors.map(({ path, code }) => [path, code]) // => [['spec.podGroupPolicy', 'untranslatable']]
 */
export function validateWritten(object: object): Findings {
  const { object: canonical, ...translation } = toCanonical(object)
  const faults = checkTranslated(canonical, { ...translation, notes: [] })
  const [own, written] = [findingsOf(faults.canonical, canonical), findingsOf(faults.written, canonical)]
  return { errors: [...written.errors, ...own.errors], warnings: [...written.warnings, ...own.warnings] }
}
