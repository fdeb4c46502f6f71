import type { JsonSchema } from '@trainjob/api/schema'
import type { FieldSchema } from '../apply/field-schema.ts'

/** A schema that also says how lists and maps are owned: `x-kubernetes-list-type` and its kin. */
export function withOwnership(schema: JsonSchema, ownership: FieldSchema | undefined): JsonSchema {
  const { atomic, list, fields, items } = ownership ?? NOTHING
  let result: Record<string, unknown> = { ...schema }
  if (schema.type === 'array' || schema.items !== undefined) {
    if (list === 'set') result['x-kubernetes-list-type'] = 'set'
    else if (list !== undefined)
      result = { ...result, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': list }
    else result['x-kubernetes-list-type'] = 'atomic'
    if (schema.items !== undefined) result.items = withOwnership(schema.items, items)
    return result
  }
  if (atomic === true) result['x-kubernetes-map-type'] = 'atomic'
  if (schema.properties !== undefined) {
    result.properties = Object.fromEntries(
      Object.entries(schema.properties).map(([name, child]) => [name, withOwnership(child, fields?.[name])]),
    )
  }
  return result
}

const NOTHING: FieldSchema = {}
