import { type FieldSchema, type FieldType, FREE } from '../apply/field-schema.ts'
import { METADATA } from '../apply/pod-schema.ts'
import { type StructuralSchema, valuesOf } from './structural-schema.ts'

/** What server-side apply needs of a structural schema (source: kube-openapi, pkg/schemaconv). */
export function ownershipOf(schema: StructuralSchema, keepsUnknown: boolean = false): FieldSchema {
  const keeps = keepsUnknown || schema['x-kubernetes-preserve-unknown-fields'] === true
  const type = typeOf(schema)
  if (type === 'array') return listSchema(schema, keeps)
  if (type === 'object') return { ...mapSchema(schema, keeps), type }
  return type === undefined ? mapSchema(schema, keeps) : { type }
}

function typeOf({ type, format }: StructuralSchema): FieldType | undefined {
  switch (type) {
    case 'integer':
      return 'number'
    case 'string':
      return format === undefined || format === '' || format === 'byte' ? 'string' : 'scalar'
    case 'object':
    case 'array':
    case 'number':
    case 'boolean':
      return type
    default:
      return undefined
  }
}

function listSchema(schema: StructuralSchema, keeps: boolean): FieldSchema {
  const { items } = schema
  const type = schema['x-kubernetes-list-type']
  const keys = schema['x-kubernetes-list-map-keys']
  const defaults = keyDefaults(keys, items)
  return {
    type: 'array',
    ...(type === 'set' && { list: 'set' }),
    ...(type === 'map' && keys !== undefined && { list: keys }),
    ...(defaults !== undefined && { keyDefaults: defaults }),
    ...(items !== undefined && { items: ownershipOf(items, keeps) }),
  }
}

function mapSchema(schema: StructuralSchema, keeps: boolean): FieldSchema {
  const { properties = {}, additionalProperties } = schema
  const values = valuesOf(schema)
  const embedded = schema['x-kubernetes-embedded-resource'] === true
  const fields: Record<string, FieldSchema> = embedded ? { ...EMBEDDED } : {}
  for (const [name, child] of Object.entries(properties)) {
    if (!(embedded && name === 'metadata')) fields[name] = ownershipOf(child, keeps)
  }
  const open =
    additionalProperties === undefined ? keeps || Object.keys(fields).length === 0 : additionalProperties === true
  return {
    ...(schema['x-kubernetes-map-type'] === 'atomic' && { atomic: true }),
    ...(Object.keys(fields).length > 0 && { fields }),
    ...(values !== undefined ? { items: ownershipOf(values, keeps) } : open ? { items: FREE } : { closed: true }),
  }
}

const EMBEDDED: Readonly<Record<string, FieldSchema>> = {
  apiVersion: { type: 'string' },
  kind: { type: 'string' },
  metadata: METADATA,
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
