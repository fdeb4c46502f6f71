import { isObject, type StructuralSchema, valuesOf } from './structural-schema.ts'

/**
 * Fills in the defaults of a structural schema, also in values that are defaults themselves. A `null` where none is
 * allowed counts as absent, or stays with `keepNulls` where there is no default; parts that need no change are shared
 * (source: apiextensions-apiserver, pkg/apiserver/schema/defaulting).
 */
export function applyDefaults(value: unknown, schema: StructuralSchema, keepNulls: boolean = false): unknown {
  if (Array.isArray(value)) return defaultItems(value, schema, keepNulls)
  if (!isObject(value)) return value
  const values = valuesOf(schema)
  return values === undefined
    ? defaultFields(value, schema.properties ?? NONE, keepNulls)
    : defaultValues(value, values, keepNulls)
}

type Fields = Readonly<Record<string, unknown>>

function defaultFields(
  object: Fields,
  properties: Readonly<Record<string, StructuralSchema>>,
  keepNulls: boolean,
): Fields {
  let result: Record<string, unknown> | undefined
  for (const [name, child] of Object.entries(properties)) {
    const given = Object.hasOwn(object, name) ? object[name] : undefined
    const absent = given === undefined || (given === null && child.nullable !== true)
    const filled = applyDefaults(absent ? child.default : given, child, keepNulls)
    if (filled === given || (keepNulls && filled === undefined)) continue
    result ??= { ...object }
    if (filled === undefined) delete result[name]
    else result[name] = filled
  }
  return result ?? object
}

function defaultValues(map: Fields, values: StructuralSchema, keepNulls: boolean): Fields {
  let result: Record<string, unknown> | undefined
  for (const [name, given] of Object.entries(map)) {
    const absent = given === null && values.nullable !== true
    const filled = applyDefaults(absent ? values.default : given, values, keepNulls)
    if (filled === given || (keepNulls && filled === undefined)) continue
    result ??= { ...map }
    if (filled === undefined) delete result[name]
    else result[name] = filled
  }
  return result ?? map
}

const NONE: Readonly<Record<string, StructuralSchema>> = {}

function defaultItems(list: readonly unknown[], { items }: StructuralSchema, keepNulls: boolean): unknown {
  if (items === undefined) return list
  let result: unknown[] | undefined
  for (const [index, item] of list.entries()) {
    const absent = item === null && items.nullable !== true
    const filled = applyDefaults(absent ? (items.default ?? null) : item, items, keepNulls)
    if (filled === item) continue
    result ??= [...list]
    result[index] = filled
  }
  return result ?? list
}
