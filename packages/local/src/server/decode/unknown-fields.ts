import type { WriteParameters } from '../api-call.ts'
import { badRequest } from '../failures.ts'
import type { ServedResource } from '../served-resource.ts'

/** Says which fields were dropped, as the request's `fieldValidation` wants it. Throws `ApiFailure` 400 for `Strict`. */
export function reportUnknownFields(
  { kind, version }: ServedResource,
  paths: readonly string[],
  { fieldValidation, warnings }: WriteParameters,
): void {
  if (paths.length === 0 || fieldValidation === 'Ignore') return
  const texts = paths.map((path) => `unknown field "${path}"`)
  if (fieldValidation === 'Strict') {
    throw badRequest(
      `${kind} in version "${version}" cannot be handled as a ${kind}: strict decoding error: ${texts.join(', ')}`,
    )
  }
  for (const text of texts) warnings.add(text)
}
