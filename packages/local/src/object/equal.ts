/** Whether two trees of plain JSON are the same. Order of properties does not count; shared parts cost nothing. */
export function equal(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a)) {
    if (!Array.isArray(b) || a.length !== b.length) return false
    for (let index = 0; index < a.length; index++) if (!equal(a[index], b[index])) return false
    return true
  }
  if (Array.isArray(b)) return false
  let count = 0
  for (const key in a) {
    if (!Object.hasOwn(b, key)) return false
    if (!equal((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key])) return false
    count++
  }
  for (const _ in b) count--
  return count === 0
}
