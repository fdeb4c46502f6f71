import { canonicalQuantity, isQuantity } from '@trainjob/api'
import type { FieldSchema, StructSchema } from './schema.ts'

type Fields = Readonly<Record<string, unknown>>

/**
 * The object as Kubernetes' Go types would write it: empty lists, empty maps and optional zeroes are gone, structs and
 * fields that are always written are there, quantities are in canonical form, nulls count as absent. Fields that the
 * schema does not know are kept as they are, and so are values of a wrong type.
 *
 * Parts that are canonical already are shared with `value`, which is never changed.
 */
export function canonical<T extends object>(value: T, schema: StructSchema): T {
  return canonicalStruct(value as Fields, schema, false) as T
}

/** The same, with the values that the API server gives absent fields of a runtime or a TrainJob. */
export function canonicalWithDefaults<T extends object>(value: T, schema: StructSchema): T {
  return canonicalStruct(value as Fields, schema, true) as T
}

function canonicalStruct(value: Fields, schema: StructSchema, defaults: boolean): Fields {
  const { fields, written } = schema
  let copy: Record<string, unknown> | undefined
  for (const key in value) {
    const before = value[key]
    const field = fields.get(key)
    const after = field === undefined ? before : canonicalField(before, field, defaults)
    if (copy === undefined) {
      if (after === before) continue
      copy = copyUntil(value, key)
    }
    if (after !== undefined) copy[key] = after
  }
  for (const field of written) {
    if ((copy ?? value)[field.name] !== undefined) continue
    copy ??= { ...value }
    copy[field.name] =
      field.shape === 'struct' ? canonicalStruct({}, field.struct as StructSchema, defaults) : field.absent
  }
  if (defaults) {
    for (const name in schema.defaults) {
      const current = (copy ?? value)[name]
      if (current !== undefined && current !== null) continue
      copy ??= { ...value }
      copy[name] = schema.defaults[name]
    }
  }
  return copy ?? value
}

/** The fields before `stop`, in order. */
function copyUntil(value: Fields, stop: string): Record<string, unknown> {
  const copy: Record<string, unknown> = {}
  for (const key in value) {
    if (key === stop) break
    copy[key] = value[key]
  }
  return copy
}

/** `undefined`: the field is left out (and may be written again from its default). */
function canonicalField(value: unknown, field: FieldSchema, defaults: boolean): unknown {
  switch (field.shape) {
    case 'value':
      return value === null || (field.dropsZero && (value === '' || value === 0 || value === false)) ? undefined : value
    case 'quantity':
      return value === null ? undefined : quantity(value)
    case 'struct':
      return isObject(value) ? canonicalStruct(value, field.struct as StructSchema, defaults) : (value ?? undefined)
    case 'list':
      return Array.isArray(value) ? canonicalList(value, field, defaults) : (value ?? undefined)
    case 'map':
      return isObject(value) ? canonicalMap(value, field, defaults) : (value ?? undefined)
  }
}

function canonicalList(
  list: readonly unknown[],
  field: FieldSchema,
  defaults: boolean,
): readonly unknown[] | undefined {
  if (list.length === 0) return undefined
  if (field.element === 'value') return list
  let copy: unknown[] | undefined
  for (let i = 0; i < list.length; i++) {
    const before = list[i]
    const after = canonicalElement(before, field, defaults)
    if (after === before) continue
    copy ??= list.slice()
    copy[i] = after
  }
  return copy ?? list
}

function canonicalMap(map: Fields, field: FieldSchema, defaults: boolean): Fields | undefined {
  let copy: Record<string, unknown> | undefined
  let empty = true
  for (const key in map) {
    empty = false
    if (field.element === 'value') break
    const before = map[key]
    const after = canonicalElement(before, field, defaults)
    if (after === before) continue
    copy ??= { ...map }
    copy[key] = after
  }
  return empty ? undefined : (copy ?? map)
}

function canonicalElement(value: unknown, field: FieldSchema, defaults: boolean): unknown {
  if (field.element === 'quantity') return quantity(value)
  return isObject(value) ? canonicalStruct(value, field.struct as StructSchema, defaults) : value
}

/** Texts that are canonical for sure: fewer than four digits cannot move up a suffix. */
const CANONICAL_QUANTITY = /^[1-9][0-9]{0,2}(?:[numkMGTPE]|[KMGT]i)?$/

/** What cannot be read as a quantity is kept: validation names it. */
function quantity(value: unknown): unknown {
  if (typeof value === 'string' && CANONICAL_QUANTITY.test(value)) return value
  return isQuantity(value) ? canonicalQuantity(value) : value
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
