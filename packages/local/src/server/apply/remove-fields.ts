import { type FieldSchema, fieldOf, isGranularMap, isKeyedList } from './field-schema.ts'
import { childrenOf, type FieldSet, isEmpty, isMember } from './field-set.ts'
import { segmentOf } from './list-keys.ts'

/**
 * The value without the given fields and items; what is left empty by that is null (source: structured-merge-diff,
 * typed/remove.go).
 */
export function removeFields(value: unknown, gone: FieldSet, schema: FieldSchema | undefined): unknown {
  if (isGranularMap(value, schema)) return removeFromMap(value, gone, schema)
  if (isKeyedList(value, schema)) return removeFromList(value, gone, schema as FieldSchema)
  return typeof value === 'object' ? null : value
}

function removeFromMap(
  map: Record<string, unknown>,
  gone: FieldSet,
  schema: FieldSchema | undefined,
): Record<string, unknown> | null {
  const result: Record<string, unknown> = { ...map }
  for (const segment in gone) {
    const key = segment.slice(2)
    if (!segment.startsWith('f:') || !Object.hasOwn(map, key)) continue
    const part = gone[segment] as FieldSet
    if (isMember(part)) delete result[key]
    else result[key] = removeFields(map[key], part, fieldOf(schema, key))
  }
  return isEmpty(result as FieldSet) ? null : result
}

function removeFromList(list: readonly unknown[], gone: FieldSet, schema: FieldSchema): readonly unknown[] | null {
  const items: unknown[] = []
  for (const item of list) {
    const part = gone[segmentOf(item, schema)]
    if (part === undefined) items.push(item)
    else if (!isMember(part)) items.push(removeFields(item, childrenOf(part), schema.items))
  }
  return items.length > 0 ? items : null
}
