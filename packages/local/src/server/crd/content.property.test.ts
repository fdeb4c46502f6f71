import fc from 'fast-check'
import { expect, it } from 'vitest'
import { deepFreeze } from '../../object/deep-freeze.ts'
import { applyDefaults } from './apply-defaults.ts'
import { checkValue } from './check-value.ts'
import { pruneUnknown } from './prune.ts'
import { structuralFaults } from './structural-faults.ts'
import type { StructuralSchema } from './structural-schema.ts'

const name = fc.constantFrom('a', 'b', 'c', 'spec', 'status')
const scalar = fc.oneof(
  fc.constant(null),
  fc.boolean(),
  fc.integer({ min: -3, max: 3 }),
  fc.constantFrom('', 'x', 'yes'),
)

/** Values that often fit a schema and often do not. */
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    scalar,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(name, tie('value'), { maxKeys: 4 }),
  ),
}))
const object = fc.dictionary(name, value, { maxKeys: 4 })

const { schema } = fc.letrec<{ schema: StructuralSchema }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom<StructuralSchema>(
      { type: 'string' },
      { type: 'string', default: 'x', enum: ['x', 'yes'] },
      { type: 'integer', default: 1, minimum: 0 },
      { type: 'boolean', nullable: true },
      { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    ),
    fc.record({ type: fc.constant('array'), items: tie('schema') }),
    fc.record({ type: fc.constant('object'), additionalProperties: tie('schema') }),
    fc.record(
      {
        type: fc.constant('object'),
        properties: fc.dictionary(name, tie('schema'), { maxKeys: 4 }),
        default: fc.constant({}),
      },
      { requiredKeys: ['type', 'properties'] },
    ),
  ),
}))
const root = fc.record({ type: fc.constant('object'), properties: fc.dictionary(name, schema, { maxKeys: 4 }) })

it('the schemas of these tests are structural', () => {
  fc.assert(
    fc.property(root, (one) => {
      expect(structuralFaults(one, 'schema')).toEqual([])
    }),
  )
})

it('pruning happens once, changes nothing else, and shares what it leaves', () => {
  fc.assert(
    fc.property(root, object, (one, given) => {
      deepFreeze(given as never)
      const pruned = pruneUnknown(given, one)
      const again = pruneUnknown(pruned.value, one)
      expect(again).toEqual({ value: pruned.value, unknown: [] })
      expect(again.value).toBe(pruned.value)
      if (pruned.unknown.length === 0) expect(pruned.value).toBe(given)
      // whatever is said about the pruned value was said about the whole, too
      const fieldsOf = (content: unknown) => checkValue(content, one).map(({ reason, field }) => [reason, field])
      expect(fieldsOf(given)).toEqual(fieldsOf(pruned.value))
    }),
  )
})

it('defaulting happens once, removes nothing and makes no fault but in what is null', () => {
  fc.assert(
    fc.property(root, object, (one, given) => {
      deepFreeze(given as never)
      const filled = applyDefaults(given, one)
      expect(applyDefaults(filled, one)).toBe(filled)
      expect(pruneUnknown(filled, one).unknown).toEqual(pruneUnknown(given, one).unknown)
      const before = new Set(checkValue(given, one).map(({ field }) => field))
      for (const { field } of checkValue(filled, one)) expect(before).toContain(field)
      // what was there stays
      if (!JSON.stringify(given).includes('null')) expect(filled).toMatchObject(given)
    }),
  )
})

it('an update that changes nothing is not held against anybody', () => {
  fc.assert(
    fc.property(root, object, (one, given) => {
      expect(checkValue(JSON.parse(JSON.stringify(given)), one, given)).toEqual([])
    }),
  )
})
