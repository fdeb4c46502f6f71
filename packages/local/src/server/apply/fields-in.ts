import { type FieldSchema, fieldOf, isGranularMap, isKeyedList } from './field-schema.ts'
import { childrenOf, type FieldSet, isMember, LEAF, node } from './field-set.ts'
import { itemsBySegment } from './list-keys.ts'

/** The members of a set that an object has. */
export function fieldsIn(set: FieldSet, object: unknown, schema: FieldSchema | undefined): FieldSet {
  return partsIn(set, object, schema) ?? LEAF
}

function partsIn(set: FieldSet, value: unknown, schema: FieldSchema | undefined): FieldSet | undefined {
  const items = isKeyedList(value, schema) ? itemsBySegment(value, schema as FieldSchema) : undefined
  const kept: Record<string, FieldSet> = {}
  for (const segment in set) {
    if (segment === '.') continue
    const part = set[segment] as FieldSet
    const key = segment.slice(2)
    let child: FieldSet | undefined
    if (items?.has(segment)) child = nodeIn(part, items.get(segment)?.[0], schema?.items)
    else if (isGranularMap(value, schema) && Object.hasOwn(value, key)) {
      child = nodeIn(part, value[key], fieldOf(schema, key))
    }
    if (child !== undefined) kept[segment] = child
  }
  return node(false, kept)
}

function nodeIn(part: FieldSet, value: unknown, schema: FieldSchema | undefined): FieldSet | undefined {
  return node(isMember(part), partsIn(childrenOf(part), value, schema) ?? LEAF)
}
