/** Fields whose values differ from one cluster to the next, whatever is asked. */
const VOLATILE: ReadonlySet<string> = new Set([
  'uid',
  'resourceVersion',
  'creationTimestamp',
  'deletionTimestamp',
  'lastTransitionTime',
  'time',
  'caBundle',
  // whoever asks is known by other names
  'userInfo',
])

/** A JSON value without what differs from one cluster to the next. */
export function normalAnswer(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(normalAnswer)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !VOLATILE.has(name))
      .map(([name, child]) => [name, name === 'managedFields' ? byManager(child) : normalAnswer(child)]),
  )
}

/** Managers come in the order of their times, which are whole seconds. */
function byManager(managers: unknown): unknown {
  const entries = normalAnswer(managers) as { manager?: string }[]
  return Array.isArray(entries) ? entries.toSorted((a, b) => (`${a.manager}` < `${b.manager}` ? -1 : 1)) : entries
}
