/**
 * Query parameters as text. What is `undefined` or `false` is left out, since it is every server's default; zero and
 * the empty string are values.
 */
export function queryOf(
  parameters: Readonly<Record<string, string | number | boolean | undefined>>,
): Record<string, string> {
  const query: Record<string, string> = {}
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined && value !== false) query[name] = String(value)
  }
  return query
}
