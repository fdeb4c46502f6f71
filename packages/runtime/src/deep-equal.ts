/**
 * Whether two JSON values are the same, as `equality.Semantic.DeepEqual` sees them: absent, empty lists and empty maps
 * are one.
 */
export function deepEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (isEmpty(a) && isEmpty(b)) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) || Array.isArray(b)) {
    return Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((item, i) => deepEqual(item, b[i]))
  }
  const left = a as Record<string, unknown>
  const right = b as Record<string, unknown>
  for (const key in left) if (!deepEqual(left[key], right[key])) return false
  for (const key in right) if (!(key in left) && !deepEqual(undefined, right[key])) return false
  return true
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0)
}
