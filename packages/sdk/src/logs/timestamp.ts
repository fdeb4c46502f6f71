/** Splits the time that the node puts in front of a line when asked for timestamps. */
export function splitTimestamp(line: string): { readonly timestamp: string; readonly text: string } {
  const space = line.indexOf(' ')
  return space === -1 ? { timestamp: line, text: '' } : { timestamp: line.slice(0, space), text: line.slice(space + 1) }
}

/** Orders RFC 3339 times of one zone that differ in how many digits the second has. Negative when `a` is earlier. */
export function compareTimestamps(a: string, b: string): number {
  if (a === b) return 0
  const [wholeA, wholeB] = [a.slice(0, 19), b.slice(0, 19)]
  if (wholeA !== wholeB) return wholeA < wholeB ? -1 : 1
  const [fractionA, fractionB] = [fraction(a), fraction(b)]
  return fractionA === fractionB ? 0 : fractionA < fractionB ? -1 : 1
}

function fraction(time: string): string {
  return (/^\.(\d+)/.exec(time.slice(19))?.[1] ?? '').padEnd(9, '0')
}
