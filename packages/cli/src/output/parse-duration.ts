import { CliError } from '../cli-error.ts'

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Reads `90s`, `1h30m`, `500ms`, or a bare number of seconds into milliseconds. Throws `CliError` `usage`. */
export function parseDuration(text: string, flag: string): number {
  const wrong = new CliError('usage', `${flag} wants a duration like 30s, 5m or 1h30m; found "${text}".`)
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000
  if (!/^(\d+(\.\d+)?(ms|[smhd]))+$/.test(text)) throw wrong
  let total = 0
  for (const [, amount, unit] of text.matchAll(/(\d+(?:\.\d+)?)(ms|[smhd])/g)) {
    total += Number(amount) * (UNITS[unit as string] as number)
  }
  return total
}
