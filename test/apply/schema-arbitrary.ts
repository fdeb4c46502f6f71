import fc from 'fast-check'
import type { StructuralSchema } from '../../packages/local/src/server/crd/structural-schema.ts'

/** Names of fields: few, so that writes meet. */
const NAMES = ['a', 'b', 'c'] as const

const scalar: fc.Arbitrary<StructuralSchema> = fc.constantFrom<StructuralSchema>(
  { type: 'string' },
  { type: 'string' },
  { type: 'integer' },
  { type: 'number' },
  { type: 'boolean' },
  { type: 'string', nullable: true },
  { type: 'string', format: 'date-time' },
  { 'x-kubernetes-int-or-string': true },
)

/** Keys of the items of a list: one or two, the second sometimes with a default. */
const keyed = (values: fc.Arbitrary<StructuralSchema>): fc.Arbitrary<StructuralSchema> =>
  fc
    .record({
      keys: fc.constantFrom(['k'], ['k'], ['k', 'l'], ['l', 'k']),
      second: fc.constantFrom<StructuralSchema>(
        { type: 'string' },
        { type: 'string', default: 'x' },
        { type: 'integer', default: 1 },
        { type: 'boolean', default: true },
      ),
      value: values,
      atomic: fc.constantFrom(false, false, false, true),
    })
    .map(({ keys, second, value, atomic }) => ({
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': keys,
      items: {
        type: 'object',
        required: keys.length === 1 || second.default === undefined ? keys : ['k'],
        ...(atomic && { 'x-kubernetes-map-type': 'atomic' }),
        properties: { k: { type: 'string' }, l: second, a: value, b: { type: 'string' } },
      },
    }))

const { value } = fc.letrec<{ value: StructuralSchema; struct: StructuralSchema }>((tie) => ({
  struct: fc
    .record({
      fields: fc.subarray([...NAMES], { minLength: 1 }),
      schemas: fc.tuple(tie('value'), tie('value'), tie('value')),
      extra: fc.constantFrom<StructuralSchema>(
        {},
        {},
        {},
        { 'x-kubernetes-map-type': 'atomic' },
        { 'x-kubernetes-map-type': 'granular' },
        { 'x-kubernetes-preserve-unknown-fields': true },
        { nullable: true },
      ),
    })
    .map(
      ({ fields, schemas, extra }): StructuralSchema => ({
        type: 'object',
        properties: Object.fromEntries(fields.map((name, index) => [name, schemas[index] as StructuralSchema])),
        ...extra,
      }),
    ),
  value: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'value' },
    { weight: 4, arbitrary: scalar },
    { weight: 2, arbitrary: tie('struct') },
    { weight: 3, arbitrary: keyed(tie('value')) },
    {
      weight: 2,
      arbitrary: fc.tuple(tie('value'), fc.constantFrom(false, false, true)).map(
        ([values, atomic]): StructuralSchema => ({
          type: 'object',
          additionalProperties: values,
          ...(atomic && { 'x-kubernetes-map-type': 'atomic' }),
        }),
      ),
    },
    {
      weight: 2,
      arbitrary: fc
        .constantFrom('string', 'integer')
        .map((type): StructuralSchema => ({ type: 'array', 'x-kubernetes-list-type': 'set', items: { type } })),
    },
    {
      weight: 1,
      arbitrary: fc.tuple(tie('value'), fc.constantFrom(true, false)).map(
        ([items, said]): StructuralSchema => ({
          type: 'array',
          items,
          ...(said && { 'x-kubernetes-list-type': 'atomic' }),
        }),
      ),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom<StructuralSchema>(
        { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        { type: 'object' },
        { 'x-kubernetes-preserve-unknown-fields': true },
      ),
    },
  ),
}))

/** Schemas of custom resources with every way in which fields can be owned. */
export const customSchema: fc.Arbitrary<StructuralSchema> = fc
  .record({ spec: fc.tuple(value, value, value), status: fc.tuple(value, value) })
  .map(({ spec: [a, b, c], status: [x, y] }) => ({
    type: 'object',
    properties: {
      spec: { type: 'object', properties: { a, b, c } },
      status: { type: 'object', properties: { a: x, b: y } },
    },
  }))

export type { StructuralSchema }
