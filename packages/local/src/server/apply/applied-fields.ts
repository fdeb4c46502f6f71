import type { FieldSchema } from './field-schema.ts'
import { fieldOf, isGranularMap, isKeyedList } from './field-schema.ts'
import { type FieldSet, LEAF } from './field-set.ts'
import { checkDuplicates, segmentOf } from './list-keys.ts'

/**
 * The fields that an applied configuration owns: its leaves and the items of its keyed lists, not the containers around
 * them. Throws `ApiFailure` when a keyed list holds an item twice; `object` names the configuration then.
 */
export function appliedFields(config: object, schema: FieldSchema | undefined, object: string): FieldSet {
  return fieldsOfMap(config as Record<string, unknown>, schema, '', object)
}

function fieldsOfMap(
  map: Record<string, unknown>,
  schema: FieldSchema | undefined,
  path: string,
  object: string,
): FieldSet {
  const set: Record<string, FieldSet> = {}
  for (const key of Object.keys(map)) {
    const value = map[key]
    const child = fieldOf(schema, key)
    const at = `${path}.${key}`
    if (isGranularMap(value, child)) {
      const fields = fieldsOfMap(value, child, at, object)
      set[`f:${key}`] = fields
    } else if (isKeyedList(value, child)) {
      const fields = fieldsOfList(value, child as FieldSchema, at, object)
      // an empty list owns nothing
      if (value.length > 0) set[`f:${key}`] = fields
    } else set[`f:${key}`] = LEAF
  }
  return set
}

function fieldsOfList(list: readonly unknown[], schema: FieldSchema, path: string, object: string): FieldSet {
  checkDuplicates(list, schema, path, object)
  const set: Record<string, FieldSet> = {}
  for (const item of list) {
    const segment = segmentOf(item, schema)
    set[segment] = isGranularMap(item, schema.items)
      ? { '.': LEAF, ...fieldsOfMap(item, schema.items, path, object) }
      : LEAF
  }
  return set
}
