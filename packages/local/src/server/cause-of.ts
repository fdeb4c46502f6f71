import type { Issue } from '@trainjob/api'
import type { Cause } from './failures.ts'

/** Reasons of `Status` causes for the codes of findings; all others are `FieldValueInvalid`. */
const REASONS: Readonly<Record<string, string>> = {
  required: 'FieldValueRequired',
  'wrong-type': 'FieldValueTypeInvalid',
  'not-supported': 'FieldValueNotSupported',
  'duplicate-key': 'FieldValueDuplicate',
  'too-long': 'FieldValueTooLong',
  'too-many': 'FieldValueTooMany',
  'not-found': 'FieldValueNotFound',
  forbidden: 'FieldValueForbidden',
}

/** A finding as a cause in a `Status`. */
export function causeOf(issue: Issue): Cause {
  return { reason: REASONS[issue.code] ?? 'FieldValueInvalid', field: issue.path, message: issue.message }
}
