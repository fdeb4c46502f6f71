import { type FieldSchema, fieldOf, isGranularMap, isKeyedList, isMap, isNamed } from './field-schema.ts'
import { type FieldSet, isEmpty, LEAF, node } from './field-set.ts'
import { segmentOf } from './list-keys.ts'

/**
 * The fields of an object that whoever applies it owns: leaves, items of keyed lists, entries under names that are not
 * the schema's, and what is empty; not the other containers.
 */
export function fieldsOf(object: object, schema: FieldSchema | undefined): FieldSet {
  return fieldsOfMap(object as Record<string, unknown>, schema)
}

function fieldsOfMap(map: Record<string, unknown>, schema: FieldSchema | undefined): FieldSet {
  const set: Record<string, FieldSet> = {}
  for (const key in map) {
    const value = map[key]
    const child = fieldOf(schema, key)
    let field: FieldSet | undefined = LEAF
    if (isGranularMap(value, child)) {
      const fields = fieldsOfMap(value, child)
      field = node(!isNamed(schema, key) || isEmptyMap(value), fields)
    } else if (isKeyedList(value, child)) {
      field = node(!isNamed(schema, key), fieldsOfList(value, child as FieldSchema))
    }
    if (field !== undefined) set[`f:${key}`] = field
  }
  return set
}

function fieldsOfList(list: readonly unknown[], schema: FieldSchema): FieldSet {
  const set: Record<string, FieldSet> = {}
  for (const item of list) {
    const segment = segmentOf(item, schema)
    // of an item that is there twice nobody owns a part
    if (Object.hasOwn(set, segment)) set[segment] = LEAF
    else set[segment] = isGranularMap(item, schema.items) ? (node(true, fieldsOfMap(item, schema.items)) ?? LEAF) : LEAF
  }
  return set
}

function isEmptyMap(value: unknown): boolean {
  return isMap(value) && isEmpty(value as FieldSet)
}
