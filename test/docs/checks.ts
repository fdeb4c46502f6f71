import { expect } from 'vitest'

const printed: string[] = []

/** Stands in for the global one in examples: tests stay quiet, and `// prints` sees what was written. */
export const console: Pick<Console, 'log' | 'error'> = {
  log: (...values) => void printed.push(values.map(String).join(' ')),
  error: () => {},
}

/** `// => value` */
export function $equals(actual: unknown, expected: unknown): void {
  expect(actual).toEqual(expected)
}

/** `// => { field: value, … }` */
export function $matches(actual: unknown, expected: unknown): void {
  expect(actual).toMatchObject(expected as object)
}

/** `// throws text` */
export async function $throws(statement: () => Promise<void>, text: string): Promise<void> {
  const error = await statement().then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error, `nothing was thrown; expected ${text}`).toBeInstanceOf(Error)
  const { name, message, code } = error as Error & { code?: unknown }
  if (code !== text) expect(`${name}: ${message}`).toContain(text)
}

/** `// prints text`; the texts of several calls are joined by a comma. */
export async function $prints(statement: () => Promise<void>, text: string): Promise<void> {
  printed.length = 0
  await statement()
  expect(printed.join(', ')).toBe(text)
}
