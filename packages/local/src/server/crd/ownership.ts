import type { FieldSchema } from '../apply/field-schema.ts'
import { type StructuralSchema, valuesOf } from './structural-schema.ts'

/** What server-side apply needs of a structural schema. */
export function ownershipOf(schema: StructuralSchema): FieldSchema {
  const { properties, items } = schema
  const type = schema['x-kubernetes-list-type']
  const keys = schema['x-kubernetes-list-map-keys']
  const values = valuesOf(schema)
  const defaults = keyDefaults(keys, items)
  const fields =
    properties === undefined
      ? undefined
      : Object.fromEntries(Object.entries(properties).map(([name, child]) => [name, ownershipOf(child)]))
  const children = schema.type === 'array' ? items : values
  return {
    ...(schema['x-kubernetes-map-type'] === 'atomic' && { atomic: true }),
    ...(type === 'set' && { list: 'set' }),
    ...(type === 'map' && keys !== undefined && { list: keys }),
    ...(defaults !== undefined && { keyDefaults: defaults }),
    ...(fields !== undefined && { fields }),
    ...(children !== undefined && { items: ownershipOf(children) }),
  }
}

function keyDefaults(
  keys: readonly string[] | undefined,
  items: StructuralSchema | undefined,
): Readonly<Record<string, unknown>> | undefined {
  const found = (keys ?? []).flatMap((key) => {
    const value = items?.properties?.[key]?.default
    return value === undefined ? [] : [[key, value] as const]
  })
  return found.length === 0 ? undefined : Object.fromEntries(found)
}
