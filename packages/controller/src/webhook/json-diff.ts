import { isDeepStrictEqual } from 'node:util'

/** An operation of RFC 6902 of the three that a difference needs. */
export type DiffOperation =
  | { readonly op: 'add' | 'replace'; readonly path: string; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: string }

/**
 * What makes `after` of `before`: field by field, lists as a whole, because fewer and larger operations are read faster
 * than many small ones. Nothing when both are equal.
 */
export function jsonDiff(before: object, after: object, path = ''): readonly DiffOperation[] {
  const old = before as Readonly<Record<string, unknown>>
  const now = after as Readonly<Record<string, unknown>>
  const operations: DiffOperation[] = []
  for (const key of Object.keys(old)) {
    if (now[key] === undefined) operations.push({ op: 'remove', path: below(path, key) })
  }
  for (const [key, value] of Object.entries(now)) {
    if (value === undefined || value === old[key]) continue
    const at = below(path, key)
    if (old[key] === undefined) operations.push({ op: 'add', path: at, value })
    else if (isMap(value) && isMap(old[key])) operations.push(...jsonDiff(old[key], value, at))
    else if (!isDeepStrictEqual(value, old[key])) operations.push({ op: 'replace', path: at, value })
  }
  return operations
}

function below(path: string, key: string): string {
  return `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`
}

function isMap(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
