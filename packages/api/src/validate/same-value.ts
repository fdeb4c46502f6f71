/** Lists that a server keys by `name`: their order means nothing. */
const KEYED_LISTS: ReadonlySet<string> = new Set([
  'env',
  'claims',
  'containers',
  'initContainers',
  'volumes',
  'volumeMounts',
  'imagePullSecrets',
  'dependsOn',
])

/**
 * Whether two values of the field called `field` mean the same to a server: equal, but for the order of keyed lists.
 * Quantities are compared as they are written.
 */
export function sameValue(a: unknown, b: unknown, field = ''): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a)) return Array.isArray(b) && sameList(a, b, KEYED_LISTS.has(field))
  if (Array.isArray(b)) return false
  const left = a as Readonly<Record<string, unknown>>
  const right = b as Readonly<Record<string, unknown>>
  const keys = Object.keys(left)
  return (
    keys.length === Object.keys(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && sameValue(left[key], right[key], key))
  )
}

function sameList(a: readonly unknown[], b: readonly unknown[], keyed: boolean): boolean {
  if (a.length !== b.length) return false
  if (!keyed) return a.every((item, index) => sameValue(item, b[index]))
  const byName = new Map(b.map((item) => [nameOf(item), item]))
  return byName.size === b.length && a.every((item) => sameValue(item, byName.get(nameOf(item))))
}

function nameOf(item: unknown): unknown {
  return typeof item === 'object' && item !== null ? (item as { name?: unknown }).name : item
}
