import { badRequest } from './failures.ts'

/** Parameters of a request. */
export type Query = Readonly<Record<string, string>>

/** Reads a boolean as Kubernetes does: whatever is there and is neither `0` nor `false` is true. */
export function booleanOf(text: string | undefined): boolean {
  return text !== undefined && text !== '0' && text.toLowerCase() !== 'false'
}

/** Reads an integer. Throws `ApiFailure` 400. */
export function integerOf(text: string | undefined): number | undefined {
  if (text === undefined || text === '') return undefined
  if (!/^[+-]?\d+$/.test(text)) throw badRequest(`strconv.ParseInt: parsing "${text}": invalid syntax`)
  return Number(text)
}
