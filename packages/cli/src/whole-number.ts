import { CliError } from './cli-error.ts'

/** Reads the value of a flag that takes a whole number, 0 or more. Throws `CliError` `usage`. */
export function wholeNumber(flag: string, text: string, least = 0): number {
  const value = Number(text)
  if (/^\d+$/.test(text) && Number.isSafeInteger(value) && value >= least) return value
  throw new CliError('usage', `${flag} wants a whole number, ${least} or more; found "${text}".`)
}
