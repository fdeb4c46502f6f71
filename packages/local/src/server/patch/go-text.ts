/** A JSON value as Go's `%+v` writes it, which is how a refused strategic merge patch is shown. */
export function goText(value: unknown): string {
  if (value === null || value === undefined) return '<nil>'
  if (Array.isArray(value)) return `[${value.map(goText).join(' ')}]`
  if (typeof value !== 'object') return String(value)
  const fields = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
  return `map[${fields.map(([name, field]) => `${name}:${goText(field)}`).join(' ')}]`
}
