/** The value without the properties that are `null`; parts that have none, or stand in `trusted`, are shared. */
export function withoutNulls(value: unknown, trusted?: unknown): unknown {
  if (value === trusted || typeof value !== 'object' || value === null) return value
  const known = (typeof trusted === 'object' && trusted !== null ? trusted : {}) as Record<string, unknown>
  return Array.isArray(value) ? withoutNullsInList(value, known) : withoutNullProperties(value, known)
}

function withoutNullsInList(list: readonly unknown[], known: Record<string, unknown>): unknown {
  let result: unknown[] | undefined
  for (let index = 0; index < list.length; index++) {
    const kept = withoutNulls(list[index], known[index])
    if (kept === list[index]) continue
    result ??= [...list]
    result[index] = kept
  }
  return result ?? list
}

function withoutNullProperties(object: object, known: Record<string, unknown>): unknown {
  let result: Record<string, unknown> | undefined
  for (const key in object) {
    const child = (object as Record<string, unknown>)[key]
    const kept = child === null ? undefined : withoutNulls(child, Object.hasOwn(known, key) ? known[key] : undefined)
    if (kept === child) continue
    result ??= { ...object }
    if (kept === undefined) delete result[key]
    else result[key] = kept
  }
  return result ?? object
}
