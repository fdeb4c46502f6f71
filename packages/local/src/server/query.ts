import { badRequest } from './failures.ts'

/** Parameters of a request. */
export type Query = Readonly<Record<string, string>>

const TRUE = new Set(['1', 't', 'T', 'true', 'TRUE', 'True'])

/** Reads a boolean as Go's `ParseBool` does: Python clients send `True`. Anything else is false. */
export function booleanOf(text: string | undefined): boolean {
  return text !== undefined && TRUE.has(text)
}

/** Reads an integer. Throws `ApiFailure` 400. */
export function integerOf(text: string | undefined): number | undefined {
  if (text === undefined || text === '') return undefined
  if (!/^[+-]?\d+$/.test(text)) throw badRequest(`strconv.ParseInt: parsing "${text}": invalid syntax`)
  return Number(text)
}
