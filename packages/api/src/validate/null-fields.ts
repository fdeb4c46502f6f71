/**
 * The same value without fields that are null: a server drops them before it looks any further, so that `env:` with
 * nothing after it is no fault. Items of lists stay. What has no such field is not copied.
 */
export function withoutNullFields<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return pruneList(value) as T
  return pruneObject(value as Record<string, unknown>) as T
}

function pruneList(items: readonly unknown[]): readonly unknown[] {
  let copy: unknown[] | undefined
  items.forEach((item, index) => {
    const pruned = withoutNullFields(item)
    if (pruned === item) return
    copy ??= [...items]
    copy[index] = pruned
  })
  return copy ?? items
}

function pruneObject(object: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  let copy: Record<string, unknown> | undefined
  for (const key of Object.keys(object)) {
    const field = object[key]
    const pruned = withoutNullFields(field)
    if (field !== null && pruned === field) continue
    copy ??= { ...object }
    if (field === null) delete copy[key]
    else copy[key] = pruned
  }
  return copy ?? object
}
