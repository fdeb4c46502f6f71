import { canonicalQuantity, isQuantity } from '@trainjob/api'
import type { FieldSchema, StructSchema } from './schema.ts'

type Fields = Readonly<Record<string, unknown>>

/**
 * The object as Kubernetes' Go types would write it: empty lists, empty maps and optional zeroes are gone, structs and
 * fields that are always written are there, quantities are in canonical form, nulls count as absent. Fields that the
 * schema does not know are kept as they are, and so are values of a wrong type.
 *
 * Parts that are canonical already are shared with `value`, which is never changed.
 *
 * @example
 * const pod: object = { tolerations: [], containers: [{ name: 'node', resources: { limits: { memory: '2048Mi' } } }] }
 * canonical(pod, structSchema('core.PodSpec'))
 * // => { containers: [{ name: 'node', resources: { limits: { memory: '2Gi' } } }] }
 */
export function canonical<T extends object>(value: T, schema: StructSchema): T {
  return canonicalStruct(value as Fields, schema, PLAIN) as T
}

/** The same, with the values that the API server gives absent fields of a runtime or a TrainJob. */
export function canonicalWithDefaults<T extends object>(value: T, schema: StructSchema): T {
  return canonicalStruct(value as Fields, schema, STORED) as T
}

/**
 * A patch as Go types would write it, with the defaults of the API server: what Go leaves out changes nothing, and what
 * it writes although it is absent deletes (as null).
 */
export function canonicalPatch(patch: object, schema: StructSchema): object {
  return canonicalStruct(patch as Fields, schema, PATCH)
}

interface Mode {
  readonly defaults: boolean
  readonly patch: boolean
}

const PLAIN: Mode = { defaults: false, patch: false }
const STORED: Mode = { defaults: true, patch: false }
const PATCH: Mode = { defaults: true, patch: true }

function canonicalStruct(value: Fields, schema: StructSchema, mode: Mode): Fields {
  const { fields, written } = schema
  let copy: Record<string, unknown> | undefined
  for (const key in value) {
    const before = value[key]
    const field = fields.get(key)
    const after = field === undefined ? before : canonicalField(before, field, mode)
    if (copy === undefined) {
      if (after === before) continue
      copy = copyUntil(value, key)
    }
    if (after !== undefined) copy[key] = after
  }
  for (const field of written) {
    if ((copy ?? value)[field.name] !== undefined) continue
    copy ??= { ...value }
    copy[field.name] = field.shape === 'struct' ? canonicalStruct({}, field.struct as StructSchema, mode) : field.absent
  }
  if (mode.defaults) copy = withDefaults(copy ?? value, schema) ?? copy
  if (mode.patch) copy = withNulls(copy ?? value, schema) ?? copy
  return copy ?? value
}

/** A copy with the defaults that are missing; nothing when none is. */
function withDefaults(value: Fields, { defaults }: StructSchema): Record<string, unknown> | undefined {
  let copy: Record<string, unknown> | undefined
  for (const name in defaults) {
    if (value[name] !== undefined && value[name] !== null) continue
    copy ??= { ...value }
    copy[name] = defaults[name]
  }
  return copy
}

/** A copy with null in the fields that a patch always says; nothing when none is missing. */
function withNulls(value: Fields, { always }: StructSchema): Record<string, unknown> | undefined {
  let copy: Record<string, unknown> | undefined
  for (const { name } of always) {
    if (value[name] !== undefined) continue
    copy ??= { ...value }
    copy[name] = null
  }
  return copy
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
function canonicalField(value: unknown, field: FieldSchema, mode: Mode): unknown {
  switch (field.shape) {
    case 'value':
      return value === null || (field.dropsZero && (value === '' || value === 0 || value === false)) ? undefined : value
    case 'quantity':
      return value === null ? undefined : quantity(value)
    case 'struct':
      return isObject(value) ? canonicalStruct(value, field.struct as StructSchema, mode) : (value ?? undefined)
    case 'list':
      return Array.isArray(value) ? canonicalList(value, field, mode) : (value ?? undefined)
    case 'map':
      return isObject(value) ? canonicalMap(value, field, mode) : (value ?? undefined)
  }
}

function canonicalList(list: readonly unknown[], field: FieldSchema, mode: Mode): readonly unknown[] | undefined {
  if (list.length === 0) return mode.patch && field.always ? list : undefined
  if (field.element === 'value') return list
  let copy: unknown[] | undefined
  for (let i = 0; i < list.length; i++) {
    const before = list[i]
    const after = canonicalElement(before, field, mode)
    if (after === before) continue
    copy ??= list.slice()
    copy[i] = after
  }
  return copy ?? list
}

function canonicalMap(map: Fields, field: FieldSchema, mode: Mode): Fields | undefined {
  let copy: Record<string, unknown> | undefined
  let empty = true
  for (const key in map) {
    empty = false
    if (field.element === 'value') break
    const before = map[key]
    const after = canonicalElement(before, field, mode)
    if (after === before) continue
    copy ??= { ...map }
    copy[key] = after
  }
  if (empty && !(mode.patch && field.always)) return undefined
  return copy ?? map
}

function canonicalElement(value: unknown, field: FieldSchema, mode: Mode): unknown {
  if (field.element === 'quantity') return quantity(value)
  return isObject(value) ? canonicalStruct(value, field.struct as StructSchema, mode) : value
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
