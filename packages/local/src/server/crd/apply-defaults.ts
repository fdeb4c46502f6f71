import { isObject, type StructuralSchema, valuesOf } from './structural-schema.ts'

/**
 * Fills in the defaults of a structural schema, also in values that are defaults themselves. A `null` where none is
 * allowed counts as absent; parts that need no change are shared (source:
 * apiextensions-apiserver, pkg/apiserver/schema/defaulting).
 */
export function applyDefaults(value: unknown, schema: StructuralSchema): unknown {
  if (Array.isArray(value)) return defaultItems(value, schema)
  if (!isObject(value)) return value
  const values = valuesOf(schema)
  return values === undefined ? defaultFields(value, schema.properties ?? NONE) : defaultValues(value, values)
}

type Fields = Readonly<Record<string, unknown>>

function defaultFields(object: Fields, properties: Readonly<Record<string, StructuralSchema>>): Fields {
  let result: Record<string, unknown> | undefined
  for (const [name, child] of Object.entries(properties)) {
    const given = Object.hasOwn(object, name) ? object[name] : undefined
    const absent = given === undefined || (given === null && child.nullable !== true)
    const filled = absent ? applyDefaults(child.default, child) : applyDefaults(given, child)
    if (filled === given) continue
    result ??= { ...object }
    if (filled === undefined) delete result[name]
    else result[name] = filled
  }
  return result ?? object
}

function defaultValues(map: Fields, values: StructuralSchema): Fields {
  let result: Record<string, unknown> | undefined
  for (const [name, given] of Object.entries(map)) {
    const filled = applyDefaults(given === null && values.nullable !== true ? values.default : given, values)
    if (filled === given) continue
    result ??= { ...map }
    if (filled === undefined) delete result[name]
    else result[name] = filled
  }
  return result ?? map
}

const NONE: Readonly<Record<string, StructuralSchema>> = {}

function defaultItems(list: readonly unknown[], { items }: StructuralSchema): unknown {
  if (items === undefined) return list
  let result: unknown[] | undefined
  for (const [index, item] of list.entries()) {
    const filled = applyDefaults(item === null && items.nullable !== true ? (items.default ?? null) : item, items)
    if (filled === item) continue
    result ??= [...list]
    result[index] = filled
  }
  return result ?? list
}
