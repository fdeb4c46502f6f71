import { unforeseen } from '../failures.ts'
import type { FieldSchema } from './field-schema.ts'

/** The segment that names an item of a keyed list: `k:{"name":"FOO"}` with sorted keys, or `v:"x"`. */
export function segmentOf(item: unknown, schema: FieldSchema): string {
  if (schema.list === 'set') return `v:${JSON.stringify(item)}`
  const keys: Record<string, unknown> = {}
  for (const key of [...(schema.list ?? [])].sort()) {
    const value = (item as Record<string, unknown> | null)?.[key] ?? schema.keyDefaults?.[key]
    if (value !== undefined) keys[key] = value
  }
  return `k:${JSON.stringify(keys)}`
}

/** Items by their segments, in order. Of items that share a segment the first counts. */
export function itemsBySegment(list: readonly unknown[], schema: FieldSchema): ReadonlyMap<string, unknown> {
  const items = new Map<string, unknown>()
  for (const item of list) {
    const segment = segmentOf(item, schema)
    if (!items.has(segment)) items.set(segment, item)
  }
  return items
}

/** Throws `ApiFailure` 500, as the real server does, when two items of an applied list share their keys. */
export function checkDuplicates(list: readonly unknown[], schema: FieldSchema, path: string, object: string): void {
  const seen = new Set<string>()
  for (const item of list) {
    const segment = segmentOf(item, schema)
    if (seen.has(segment)) {
      throw unforeseen(
        `failed to create typed patch object (${object}): ${path}: duplicate entries for key ${readableSegment(segment)}`,
      )
    }
    seen.add(segment)
  }
}

/** `.env`, `[name="A"]`, `[="x"]`: a segment as messages show it. */
export function readableSegment(segment: string): string {
  if (segment.startsWith('f:')) return `.${segment.slice(2)}`
  if (segment.startsWith('v:')) return `[=${segment.slice(2)}]`
  const keys = Object.entries(JSON.parse(segment.slice(2)) as Record<string, unknown>)
  return `[${keys.map(([key, value]) => `${key}=${JSON.stringify(value)}`).join(',')}]`
}
