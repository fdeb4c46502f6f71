import { type FieldSchema, fieldOf, isNamed } from './field-schema.ts'
import { childrenOf, difference, type FieldSet, intersection, isEmpty, isMember, node, union } from './field-set.ts'
import { fieldsOf } from './fields-of.ts'
import { removeFields } from './remove-fields.ts'

/**
 * The merged object without what this manager applied before (`last`), applies no more, and nobody owns now (`owned`,
 * its own new fields among them). A container under a name of the schema goes with the last owned field in it (source:
 * structured-merge-diff, merge/update.go).
 */
export function pruneApplied(
  merged: Record<string, unknown>,
  last: FieldSet,
  owned: FieldSet,
  schema: FieldSchema | undefined,
): Record<string, unknown> {
  const all = withContainers(fieldsOf(merged, schema), schema)
  const before = withContainers(last, schema)
  // what goes with the fields of before, then what of that somebody owns comes back, then what was nobody's
  const without = fieldsIn(remove(merged, before, schema), schema)
  const unowned = difference(all, union(without, withContainers(owned, schema)))
  const kept = fieldsIn(remove(merged, unowned, schema), schema)
  return remove(merged, intersection(difference(all, kept), before), schema)
}

function fieldsIn(object: object, schema: FieldSchema | undefined): FieldSet {
  return withContainers(fieldsOf(object, schema), schema)
}

function remove(
  object: Record<string, unknown>,
  gone: FieldSet,
  schema: FieldSchema | undefined,
): Record<string, unknown> {
  if (isEmpty(gone)) return object
  return (removeFields(object, gone, schema) ?? {}) as Record<string, unknown>
}

/** With the fields around all members, as far as their names are the schema's. */
function withContainers(set: FieldSet, schema: FieldSchema | undefined): FieldSet {
  const result: Record<string, FieldSet> = {}
  for (const segment in set) {
    if (segment === '.') continue
    const part = set[segment] as FieldSet
    const key = segment.slice(2)
    const named = segment.startsWith('f:') && isNamed(schema, key)
    const child = segment.startsWith('f:') ? fieldOf(schema, key) : schema?.items
    result[segment] = node(named || isMember(part), withContainers(childrenOf(part), child)) ?? part
  }
  return result
}
