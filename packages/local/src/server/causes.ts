import type { Cause } from './failures.ts'

/** What is wrong with single fields, in the words of a Kubernetes API server. */

export function invalidValue(field: string, value: unknown, text: string): Cause {
  return { reason: 'FieldValueInvalid', field, message: `Invalid value: ${JSON.stringify(value)}: ${text}` }
}

export function requiredValue(field: string, text?: string): Cause {
  const message = text === undefined ? 'Required value' : `Required value: ${text}`
  return { reason: 'FieldValueRequired', field, message }
}

export function forbiddenValue(field: string, text: string): Cause {
  return { reason: 'FieldValueForbidden', field, message: `Forbidden: ${text}` }
}

export function duplicateValue(field: string, value: unknown): Cause {
  return { reason: 'FieldValueDuplicate', field, message: `Duplicate value: ${JSON.stringify(value)}` }
}

export function unsupportedValue(field: string, value: unknown, supported: readonly string[]): Cause {
  const texts = supported.map((one) => JSON.stringify(one)).join(', ')
  const message = `Unsupported value: ${JSON.stringify(value)}: supported values: ${texts}`
  return { reason: 'FieldValueNotSupported', field, message }
}

export function tooMany(field: string, count: number, limit: number): Cause {
  return { reason: 'FieldValueTooMany', field, message: `Too many: ${count}: must have at most ${limit} items` }
}
