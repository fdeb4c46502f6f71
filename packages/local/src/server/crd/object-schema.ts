import type { FieldSchema } from '../apply/field-schema.ts'
import type { Cause } from '../failures.ts'
import { applyDefaults } from './apply-defaults.ts'
import { checkValue } from './check-value.ts'
import { ownershipOf } from './ownership.ts'
import { type Pruned, pruneUnknown } from './prune.ts'
import { isObject, type StructuralSchema } from './structural-schema.ts'

/** What the server does with the content of objects, where a definition says so. */
export interface ObjectSchema {
  /** The object without unknown fields, and which those were. */
  prune(object: unknown): Pruned
  /** The object with the values of fields that say nothing; `null` says nothing unless nulls are kept. */
  fill(object: unknown, keepNulls?: boolean): unknown
  /** Everything that is wrong with an object; what an update left as it was is not held against it. */
  check(object: unknown, old?: unknown): Promise<readonly Cause[]> | readonly Cause[]
  /** How its fields can be owned. */
  ownership(): FieldSchema
}

/** Rules are compiled when the first object is checked: CEL is loaded for those who use it. */
export function createObjectSchema(schema: StructuralSchema): ObjectSchema {
  const ruled = hasRules(schema)
  let rules: Promise<{ check(object: unknown, old?: unknown): Cause[] }> | undefined
  let ownership: FieldSchema | undefined
  return {
    prune: (object) => pruneUnknown(object, schema),
    fill: (object, keepNulls) => applyDefaults(object, schema, keepNulls),
    check(object, old) {
      const causes = checkValue(object, schema, old)
      if (!ruled) return causes
      if (causes.some(({ reason }) => BLOCKING.has(reason))) return [...causes, UNCHECKED]
      rules ??= import('./cel/rules.ts').then(({ compileRules }) => compileRules(schema))
      return rules.then(({ check }) => [...causes, ...check(object, old)])
    },
    ownership() {
      ownership ??= ownershipOf(schema)
      return ownership
    },
  }
}

/** With such a fault rules are not asked: they may take for granted that types are right and sizes bounded. */
const BLOCKING: ReadonlySet<string> = new Set([
  'FieldValueTypeInvalid',
  'FieldValueRequired',
  'FieldValueNotSupported',
  'FieldValueTooLong',
  'FieldValueTooMany',
])

/** Says so. */
const UNCHECKED: Cause = {
  reason: 'FieldValueInvalid',
  field: '<nil>',
  message:
    'Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
}

/** Whether any value of a schema has rules. */
export function hasRules(schema: StructuralSchema): boolean {
  if ((schema['x-kubernetes-validations'] ?? []).length > 0) return true
  const children = [...Object.values(schema.properties ?? {}), schema.items, schema.additionalProperties]
  return children.some((child) => isObject(child) && hasRules(child as StructuralSchema))
}
