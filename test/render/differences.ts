/** Where two JSON values differ; items of lists are called by their name or path, where they have one. */
export function differences(a: unknown, b: unknown, at = ''): readonly string[] {
  if (Object.is(a, b)) return []
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return [at]
  const left = entries(a)
  const right = entries(b)
  const keys = [...new Set([...left.keys(), ...right.keys()])]
  return keys.flatMap((key) => differences(left.get(key), right.get(key), `${at}${key}`))
}

function entries(value: object): ReadonlyMap<string, unknown> {
  if (!Array.isArray(value)) return new Map(Object.entries(value).map(([key, item]) => [`.${key}`, item]))
  return new Map(value.map((item: unknown, i) => [`[${nameOf(item) ?? i}]`, item]))
}

function nameOf(item: unknown): string | undefined {
  if (typeof item === 'string') return item
  const { mountPath, name, metadata, kind } = (item ?? {}) as Readonly<Record<string, unknown>>
  if (typeof mountPath === 'string') return mountPath
  if (typeof name === 'string') return name
  const { name: called } = (metadata ?? {}) as Readonly<Record<string, unknown>>
  return typeof called === 'string' ? `${String(kind)} ${called}` : undefined
}
