import type { ApiCall } from './api-call.ts'
import { forbiddenValue, requiredValue, unsupportedValue } from './causes.ts'
import { type Cause, invalidOptions } from './failures.ts'

/** What a field manager's name may weigh. */
const MOST_BYTES = 128

const APPLY = 'application/apply-patch+yaml'

/**
 * Checks what a write says in its query. Throws `ApiFailure` 422 (source: apimachinery,
 * apis/meta/v1/validation/validation.go).
 */
export function checkWriteOptions({ query, headers, method }: Pick<ApiCall, 'query' | 'headers' | 'method'>): void {
  const { fieldManager = '', dryRun, fieldValidation, force } = query
  const causes: Cause[] = []
  if (method === 'PATCH' && headers['content-type']?.startsWith(APPLY) === true) {
    if (fieldManager === '') {
      causes.push(requiredValue('fieldManager', 'is required for apply patch'))
    }
  } else if (method === 'PATCH' && force !== undefined) {
    causes.push(forbiddenValue('force', 'may not be specified for non-apply patch'))
  }
  causes.push(...nameFaults(fieldManager))
  if (dryRun !== undefined && dryRun !== '' && dryRun !== 'All') {
    causes.push(unsupportedValue('dryRun', [dryRun], ['All']))
  }
  if (fieldValidation !== undefined && !VALIDATIONS.includes(fieldValidation)) {
    causes.push(unsupportedValue('fieldValidation', fieldValidation, VALIDATIONS))
  }
  if (causes.length > 0) throw invalidOptions(OPTIONS[method] ?? 'UpdateOptions', causes)
}

const VALIDATIONS = ['', 'Ignore', 'Strict', 'Warn']
const OPTIONS: Readonly<Record<string, string>> = { POST: 'CreateOptions', PUT: 'UpdateOptions', PATCH: 'PatchOptions' }

function cause(reason: string, field: string, message: string): Cause {
  return { reason, field, message }
}

function nameFaults(name: string): Cause[] {
  const faults: Cause[] = []
  if (Buffer.byteLength(name) > MOST_BYTES) {
    faults.push(cause('FieldValueTooLong', 'fieldManager', `Too long: may not be more than ${MOST_BYTES} bytes`))
  }
  let position = 0
  for (const character of name) {
    if (!PRINTABLE.test(character)) {
      const code = character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')
      const message = `Invalid value: ${quoted(name)}: invalid character U+${code} (at position ${position})`
      faults.push(cause('FieldValueInvalid', 'fieldManager', message))
    }
    position += Buffer.byteLength(character)
  }
  return faults
}

/** As Go's `unicode.IsPrint`. */
const PRINTABLE = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u

/** A text as Go's `%q` writes it. */
function quoted(text: string): string {
  return JSON.stringify(text).replaceAll(/\\u00([0-1][0-9a-f])/g, (_, code: string) => ESCAPES[code] ?? `\\x${code}`)
}

const ESCAPES: Readonly<Record<string, string>> = { '07': '\\a', '0b': '\\v' }

/** Who owns what a write sets: its field manager, else what the user agent calls itself. */
export function managerOf({ query, headers }: Pick<ApiCall, 'query' | 'headers'>): string {
  if (query.fieldManager) return query.fieldManager
  let name = ''
  for (const character of headers['user-agent']?.split('/', 1)[0] ?? '') {
    if (!PRINTABLE.test(character)) continue
    if (Buffer.byteLength(name + character) > MOST_BYTES) break
    name += character
  }
  return name || 'unknown'
}
