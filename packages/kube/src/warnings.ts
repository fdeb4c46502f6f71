/**
 * The texts of a `Warning` header; several headers arrive joined by commas (RFC 7234 §5.5).
 *
 * @example
 * parseWarnings('299 - "unknown field \\"spec.bogus\\""') // => ['unknown field "spec.bogus"']
 */
export function parseWarnings(header: string): string[] {
  const texts: string[] = []
  // code, agent, quoted text; a quoted date may follow and is skipped with whatever stands before the next comma
  const pattern = /\b\d{3} \S+ "((?:[^"\\]|\\.)*)"(?: "[^"]*")?/g
  for (const match of header.matchAll(pattern)) texts.push((match[1] ?? '').replace(/\\(.)/g, '$1'))
  return texts
}
