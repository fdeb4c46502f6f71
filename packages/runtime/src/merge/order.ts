/**
 * The order of a merged list: items that the patch names stand in the patch's order, the others in their old order, and
 * the two are interleaved by the old order as far as it says something. `first` and `old` are keys; `keyOf` reads an
 * item's key (the item itself by default).
 *
 * Source: k8s.io/apimachinery, pkg/util/strategicpatch (mergeSortedSlice).
 */
export function orderList<T>(
  items: readonly T[],
  first: readonly unknown[],
  old: readonly unknown[],
  keyOf: (item: T) => unknown = (item) => item,
): T[] {
  const named = ranks(first)
  const before = ranks(old)
  const patched = items.filter((item) => named.has(keyOf(item)))
  const others = items.filter((item) => !named.has(keyOf(item)))
  patched.sort((a, b) => rank(named, a) - rank(named, b))
  others.sort((a, b) => rank(before, a) - rank(before, b))

  const merged: T[] = []
  let at = 0
  for (const item of patched) {
    const position = before.get(keyOf(item))
    if (position !== undefined) {
      while (at < others.length && rank(before, others[at] as T) < position) merged.push(others[at++] as T)
    }
    merged.push(item)
  }
  while (at < others.length) merged.push(others[at++] as T)
  return merged

  function rank(positions: ReadonlyMap<unknown, number>, item: T): number {
    return positions.get(keyOf(item)) ?? Number.MAX_SAFE_INTEGER
  }
}

/** The first position of each key. */
function ranks(keys: readonly unknown[]): ReadonlyMap<unknown, number> {
  const positions = new Map<unknown, number>()
  for (let i = 0; i < keys.length; i++) if (!positions.has(keys[i])) positions.set(keys[i], i)
  return positions
}
