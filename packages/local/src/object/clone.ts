/**
 * A copy of a tree of plain JSON that shares nothing with it. Properties that are `undefined` are left out, as they
 * are in JSON text. (Several times faster than `structuredClone` and a round trip through text.)
 */
export function clone<T>(value: T): T {
  return copy(value) as T
}

function copy(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const items: unknown[] = new Array(value.length)
    for (let index = 0; index < value.length; index++) items[index] = copy(value[index]) ?? null
    return items
  }
  const result: Record<string, unknown> = {}
  for (const key in value) {
    const child = (value as Record<string, unknown>)[key]
    if (child === undefined) continue
    const copied = copy(child)
    // assigning __proto__ would set the prototype instead of a property
    if (key === '__proto__')
      Object.defineProperty(result, key, { value: copied, enumerable: true, writable: true, configurable: true })
    else result[key] = copied
  }
  return result
}
