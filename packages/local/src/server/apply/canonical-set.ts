import { childrenOf, type FieldSet, isMember, LEAF, node } from './field-set.ts'
import { keyText } from './list-keys.ts'

/** A set that a client wrote, in the form in which sets are kept; what cannot be read is left out. */
export function canonicalSet(set: FieldSet): FieldSet {
  return partsOf(set) ?? LEAF
}

function partsOf(set: FieldSet): FieldSet | undefined {
  const parts: Record<string, FieldSet> = {}
  for (const [segment, part] of Object.entries(set)) {
    const name = canonicalSegment(segment)
    if (name === undefined || typeof part !== 'object' || part === null) continue
    const kept = node(isMember(part), partsOf(childrenOf(part)) ?? LEAF)
    if (kept !== undefined) parts[name] = kept
  }
  return node(false, parts)
}

/** With sorted keys and without spaces. */
function canonicalSegment(segment: string): string | undefined {
  const [kind, text] = [segment.slice(0, 2), segment.slice(2)]
  if (kind === 'f:' || kind === 'i:') return segment
  if (kind !== 'k:' && kind !== 'v:') return undefined
  try {
    const value: unknown = JSON.parse(text)
    if (kind === 'v:') return `v:${keyText(value)}`
    const keys = Object.entries(value as object).sort(([a], [b]) => (a < b ? -1 : 1))
    return `k:{${keys.map(([name, key]) => `${keyText(name)}:${keyText(key)}`).join(',')}}`
  } catch {
    return undefined
  }
}
