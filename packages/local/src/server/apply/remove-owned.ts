import { type FieldSchema, fieldOf, isGranularMap, isKeyedList } from './field-schema.ts'
import { childrenOf, type FieldSet } from './field-set.ts'
import { segmentOf } from './list-keys.ts'

/**
 * The object without the fields of `last` that are not in `kept`: what a manager applied before, applies no more, and
 * nobody else owns. A container goes with its content once nobody owns anything in it.
 */
export function removeOwned(value: unknown, last: FieldSet, kept: FieldSet, schema: FieldSchema | undefined): unknown {
  if (isGranularMap(value, schema)) return removeFields(value, last, kept, schema)
  return isKeyedList(value, schema) ? removeItems(value, last, kept, schema as FieldSchema) : value
}

function removeFields(
  map: Record<string, unknown>,
  last: FieldSet,
  kept: FieldSet,
  schema: FieldSchema | undefined,
): Record<string, unknown> {
  let result: Record<string, unknown> | undefined
  for (const segment in last) {
    const key = segment.slice(2)
    if (!segment.startsWith('f:') || !Object.hasOwn(map, key)) continue
    const next = left(map[key], last[segment], kept[segment], fieldOf(schema, key))
    if (next === map[key]) continue
    result ??= { ...map }
    if (next === undefined) delete result[key]
    else result[key] = next
  }
  return result ?? map
}

function removeItems(
  list: readonly unknown[],
  last: FieldSet,
  kept: FieldSet,
  schema: FieldSchema,
): readonly unknown[] {
  const items: unknown[] = []
  let changed = false
  for (const item of list) {
    const segment = segmentOf(item, schema)
    const next = left(item, last[segment], kept[segment], schema.items)
    changed ||= next !== item
    if (next !== undefined) items.push(next)
  }
  return changed ? items : list
}

/** What is left of a part; `undefined` when it goes. */
function left(
  part: unknown,
  last: FieldSet | undefined,
  kept: FieldSet | undefined,
  schema: FieldSchema | undefined,
): unknown {
  if (last === undefined) return part
  return kept === undefined ? undefined : removeOwned(part, childrenOf(last), childrenOf(kept), schema)
}
