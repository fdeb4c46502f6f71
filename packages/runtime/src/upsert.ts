/**
 * Puts each item in the place of the first one in `list` with the same key, or at the end. Changes `list`, not the items.
 * Source: kubeflow/trainer v2.3.0, pkg/apply/apply.go.
 */
export function upsert<T>(list: T[], items: readonly T[], keyOf: (item: T) => unknown): void {
  if (list.length * items.length > 256) {
    upsertMany(list, items, keyOf)
    return
  }
  for (const item of items) {
    const key = keyOf(item)
    let at = 0
    while (at < list.length && keyOf(list[at] as T) !== key) at++
    list[at] = item
  }
}

/** The same in linear time. */
function upsertMany<T>(list: T[], items: readonly T[], keyOf: (item: T) => unknown): void {
  const positions = new Map<unknown, number>()
  for (let i = list.length - 1; i >= 0; i--) positions.set(keyOf(list[i] as T), i)
  for (const item of items) {
    const key = keyOf(item)
    const at = positions.get(key) ?? list.length
    positions.set(key, at)
    list[at] = item
  }
}
