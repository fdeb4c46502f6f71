import type { JsonSchema } from '@trainjob/api/schema'
import fc from 'fast-check'

/**
 * Values of a structural schema: most fields of the right type, some at the limits and beyond, few enough that many
 * objects are valid. Lists with keys sometimes have the same item twice.
 */
export function instanceOf(schema: JsonSchema): fc.Arbitrary<unknown> {
  const { properties, items, additionalProperties } = schema
  if (schema['x-kubernetes-int-or-string'] === true) return schema.pattern === undefined ? portOrName : amount
  if (schema.enum !== undefined) return mostly(fc.constantFrom(...schema.enum), fc.constantFrom('', 'Any', 'other'))
  if (properties !== undefined) return objectOf(schema, properties)
  if (additionalProperties !== undefined) {
    return fc.dictionary(fc.constantFrom('a', 'b', 'x/y'), instanceOf(additionalProperties), { maxKeys: 2 })
  }
  switch (schema.type) {
    case 'array':
      return listOf(schema, items as JsonSchema)
    case 'object':
      return fc.constantFrom({}, {}, { more: 1 })
    case 'boolean':
      return fc.boolean()
    case 'integer':
      return mostly(numberOf(schema), fc.constantFrom(-1, 0, 2 ** 31, 2 ** 53, 1.5))
    default:
      return mostly(textOf(schema), fc.constantFrom('', 'x'.repeat(Number(schema.maxLength ?? 64) + 1)))
  }
}

function mostly(usual: fc.Arbitrary<unknown>, odd: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 60, arbitrary: usual }, { weight: 1, arbitrary: odd })
}

const amount = mostly(fc.constantFrom('1', '500m', 2, '1.5Gi', '1e3', '0'), fc.constantFrom('1gb', '', 1.5, true))
const portOrName = mostly(fc.constantFrom(80, 'http', ''), fc.constantFrom(1.5, false))

/** Some of the fields; the required ones are hardly ever left out. */
function objectOf(schema: JsonSchema, properties: Readonly<Record<string, JsonSchema>>): fc.Arbitrary<unknown> {
  const names = Object.keys(properties)
  const required = schema.required ?? []
  const some = fc.subarray(names, { maxLength: Math.min(3, names.length) })
  return fc
    .tuple(some, fc.integer({ min: 0, max: 80 }))
    .chain(([chosen, leftOut]) =>
      fc.record(
        Object.fromEntries(
          [...new Set([...chosen, ...required.filter((_, index) => index !== leftOut)])].map((name) => [
            name,
            instanceOf(properties[name] as JsonSchema),
          ]),
        ),
      ),
    )
}

function listOf(schema: JsonSchema, items: JsonSchema): fc.Arbitrary<unknown> {
  const size = Number(schema.minItems ?? 0)
  const keys = schema['x-kubernetes-list-map-keys'] as readonly string[] | undefined
  const any = fc.array(instanceOf(items), { minLength: size, maxLength: Math.max(2, size) })
  const distinct =
    keys === undefined
      ? fc.uniqueArray(instanceOf(items), { minLength: size, maxLength: Math.max(2, size), selector: textOfItem })
      : fc.uniqueArray(instanceOf(items), { maxLength: 2, selector: (item) => textOfItem(keysOf(item, keys)) })
  const tooMany =
    schema.maxItems === undefined ? any : instanceOf(items).map((one) => times(one, Number(schema.maxItems)))
  return mostly(distinct, fc.oneof(any, tooMany))
}

/** One more than there may be, told apart by a name. */
function times(item: unknown, limit: number): unknown[] {
  return Array.from({ length: limit + 1 }, (_, index) => {
    return typeof item === 'object' && item !== null ? { ...item, name: `n${index}` } : item
  })
}

function keysOf(item: unknown, keys: readonly string[]): unknown {
  const fields = item as Readonly<Record<string, unknown>>
  return keys.map((key) => (typeof item === 'object' && item !== null ? fields[key] : item))
}

function textOfItem(item: unknown): string {
  return JSON.stringify(item) ?? ''
}

function numberOf({ minimum, maximum }: JsonSchema): fc.Arbitrary<number> {
  const low = Number(minimum ?? 0)
  return fc.constantFrom(low, low + 1, Number(maximum ?? 5))
}

const TIMES = ['2026-01-31T12:00:00Z', '2026-01-31T12:00:00.5+01:00']

function textOf({ format, maxLength }: JsonSchema): fc.Arbitrary<string> {
  if (format === 'date-time') return mostly(fc.constantFrom(...TIMES), fc.constantFrom('today')) as fc.Arbitrary<string>
  const limit = Number(maxLength ?? 0)
  const longest = limit > 0 && limit < 5000 ? ['x'.repeat(limit)] : []
  return fc.constantFrom('a', 'b', 'c', 'node', 's3://bucket/x', ...longest)
}
