import fc from 'fast-check'
import type { StructuralSchema } from './schema-arbitrary.ts'

/** What values may hold besides what their schema asks for. */
export interface Oddities {
  /** Nulls anywhere, not only where the schema allows them. */
  readonly nulls: boolean
  /** Unknown fields and wrong types. */
  readonly faults: boolean
  /** Items that are there twice. */
  readonly doubles: boolean
}

const KEYS = ['x', 'y', 'z'] as const

/** Values of a schema. */
export function instanceOf(schema: StructuralSchema, odd: Oddities): fc.Arbitrary<unknown> {
  const usual = regular(schema, odd)
  const choices = [{ weight: 30, arbitrary: usual }]
  if (odd.nulls || schema.nullable === true) choices.push({ weight: 2, arbitrary: fc.constant(null) })
  if (odd.faults) choices.push({ weight: 1, arbitrary: fc.constantFrom<unknown>(1, 'x', true, [1], { q: 1 }) })
  return choices.length === 1 ? usual : fc.oneof(...choices)
}

function regular(schema: StructuralSchema, odd: Oddities): fc.Arbitrary<unknown> {
  const { properties, additionalProperties } = schema
  if (schema['x-kubernetes-int-or-string'] === true) return fc.constantFrom<unknown>(1, 2, '1')
  switch (schema.type) {
    case 'string':
      return schema.format === 'date-time' ? fc.constantFrom(...TIMES) : fc.constantFrom(...KEYS)
    case 'integer':
      return fc.constantFrom(0, 1, 2)
    case 'number':
      return fc.constantFrom(0, 1.5, 2)
    case 'boolean':
      return fc.boolean()
    case 'array':
      return listOf(schema, odd)
    case 'object':
      break
    default:
      return anything
  }
  if (properties !== undefined) {
    const known = some(properties, odd)
    const more = schema['x-kubernetes-preserve-unknown-fields'] === true || odd.faults
    if (!more) return known
    const unknown = fc.dictionary(fc.constantFrom('p', 'q'), anything, { maxKeys: 1 })
    return fc.oneof(
      { weight: schema['x-kubernetes-preserve-unknown-fields'] === true ? 1 : 20, arbitrary: known },
      { weight: 1, arbitrary: fc.tuple(known, unknown).map(([a, b]) => ({ ...a, ...b })) },
    )
  }
  if (typeof additionalProperties === 'object') {
    return fc.dictionary(fc.constantFrom(...KEYS), instanceOf(additionalProperties, odd), { maxKeys: 3 })
  }
  return fc.dictionary(fc.constantFrom(...KEYS), anything, { maxKeys: 2 })
}

const TIMES = ['2026-01-31T12:00:00Z', '2026-02-01T12:00:00Z']

/** What a map without a schema can hold. */
const anything: fc.Arbitrary<unknown> = fc.letrec<{ any: unknown }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 2, depthIdentifier: 'any' },
    { weight: 3, arbitrary: fc.constantFrom<unknown>('x', 'y', 1, true) },
    { weight: 2, arbitrary: fc.dictionary(fc.constantFrom('x', 'y'), tie('any'), { maxKeys: 2 }) },
    { weight: 1, arbitrary: fc.array(tie('any'), { maxLength: 2 }) },
  ),
})).any

function some(properties: Readonly<Record<string, StructuralSchema>>, odd: Oddities): fc.Arbitrary<object> {
  const fields = Object.entries(properties).map(([name, schema]) => [name, instanceOf(schema, odd)] as const)
  return fc.record(Object.fromEntries(fields), { requiredKeys: [] })
}

function listOf(schema: StructuralSchema, odd: Oddities): fc.Arbitrary<unknown> {
  const { items = {} } = schema
  const keys = schema['x-kubernetes-list-map-keys']
  const type = schema['x-kubernetes-list-type']
  if (type === 'set') {
    const item = instanceOf(items, odd)
    return mostly(fc.uniqueArray(item, { maxLength: 4 }), item, odd)
  }
  if (keys === undefined) return fc.array(instanceOf(items, odd), { maxLength: 2 })
  const item = itemOf(items, keys, odd)
  const distinct = fc.uniqueArray(item, { maxLength: 4, selector: (one) => keyOf(one, keys, items) })
  return mostly(distinct, item, odd)
}

function mostly(
  distinct: fc.Arbitrary<unknown>,
  item: fc.Arbitrary<unknown>,
  { doubles }: Oddities,
): fc.Arbitrary<unknown> {
  if (!doubles) return distinct
  return fc.oneof({ weight: 8, arbitrary: distinct }, { weight: 1, arbitrary: fc.array(item, { maxLength: 3 }) })
}

/** An item with its keys, but sometimes without those that have a default. */
function itemOf(schema: StructuralSchema, keys: readonly string[], odd: Oddities): fc.Arbitrary<object> {
  const properties = schema.properties ?? {}
  const [named, others]: [[string, fc.Arbitrary<unknown>][], [string, StructuralSchema][]] = [[], []]
  const needed: string[] = []
  for (const [name, child] of Object.entries(properties)) {
    if (!keys.includes(name)) {
      others.push([name, child])
      continue
    }
    named.push([name, regular(child, odd)])
    if (child.default === undefined) needed.push(name)
  }
  const requiredKeys = odd.faults ? [] : needed
  const key = fc.record(Object.fromEntries(named), { requiredKeys: needed })
  const incomplete = fc.record(Object.fromEntries(named), { requiredKeys })
  const either = odd.faults ? fc.oneof({ weight: 20, arbitrary: key }, { weight: 1, arbitrary: incomplete }) : key
  return fc.tuple(either, some(Object.fromEntries(others), odd)).map(([a, b]) => ({ ...a, ...b }))
}

function keyOf(item: object, keys: readonly string[], schema: StructuralSchema): string {
  const fields = item as Readonly<Record<string, unknown>>
  return JSON.stringify(keys.map((key) => fields[key] ?? schema.properties?.[key]?.default ?? null))
}
