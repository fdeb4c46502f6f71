import type { WriteParameters } from '../api-call.ts'
import { badRequest } from '../failures.ts'
import { pathWithOtherNames } from '../other-names.ts'
import type { ServedResource } from '../served-resource.ts'

/** Nobody is told of more (source: sigs.k8s.io/json). */
const MOST_TOLD = 100

/**
 * Says which fields were dropped, and which came twice, as the request's `fieldValidation` wants it. Throws `ApiFailure`
 * for `Strict`.
 */
export function reportUnknownFields(
  { kind, version, fieldNames }: ServedResource,
  paths: readonly string[],
  { fieldValidation, warnings, duplicates, refusal }: WriteParameters,
): void {
  if ((paths.length === 0 && duplicates === undefined) || fieldValidation === 'Ignore') return
  const given = fieldNames === undefined ? paths : paths.map((path) => pathWithOtherNames(path, fieldNames))
  const unknown = given.slice(0, MOST_TOLD).map((path) => `unknown field "${path}"`)
  if (fieldValidation === 'Strict') {
    const texts = duplicates === undefined ? unknown : [duplicates.strict, ...unknown]
    const text = `strict decoding error: ${texts.join(', ')}`
    throw refusal?.(text) ?? badRequest(`${kind} in version "${version}" cannot be handled as a ${kind}: ${text}`)
  }
  for (const text of [...(duplicates?.warnings ?? []), ...unknown]) warnings.add(text)
}
