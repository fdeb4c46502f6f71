import { equal } from '../../object/equal.ts'
import type { Cause } from '../failures.ts'
import { hasFormat } from './formats.ts'
import { compilePattern } from './pattern.ts'
import { childOf, isObject, itemKey, pathTo, type StructuralSchema } from './structural-schema.ts'

/**
 * Compares a value with its schema and says everything that is wrong, in the words of a real server. What an update
 * leaves as it was is not held against it (source: apiextensions-apiserver, pkg/apiserver/validation).
 *
 * @param old the value before an update
 */
export function checkValue(value: unknown, schema: StructuralSchema, old?: unknown, path: string = ''): Cause[] {
  const causes: Cause[] = []
  check(value, schema, old, path, causes)
  return causes
}

function check(value: unknown, schema: StructuralSchema, old: unknown, path: string, causes: Cause[]): void {
  if (old !== undefined && equal(value, old)) return
  if (value === null && schema.nullable === true) return
  const typed = hasType(value, schema)
  if (!typed) causes.push(wrongType(value, schema, path))
  if (schema.enum !== undefined && value !== null && !schema.enum.some((one) => equal(one, value))) {
    const supported = schema.enum.map((one) => JSON.stringify(one)).join(', ')
    const message = `Unsupported value: ${JSON.stringify(value)}: supported values: ${supported}`
    causes.push({ reason: 'FieldValueNotSupported', field: path, message })
  }
  if (!typed) return
  if (typeof value === 'string') checkText(value, schema, path, causes)
  else if (typeof value === 'number') checkNumber(value, schema, path, causes)
  else if (Array.isArray(value)) checkList(value, schema, old, path, causes)
  else if (isObject(value)) checkObject(value, schema, old, path, causes)
  checkJunctors(value, schema, path, causes)
}

function hasType(value: unknown, schema: StructuralSchema): boolean {
  if (schema['x-kubernetes-int-or-string'] === true) return typeof value === 'string' || Number.isInteger(value)
  switch (schema.type) {
    case undefined:
    case '':
      return true
    case 'object':
      return isObject(value)
    case 'array':
      return Array.isArray(value)
    case 'integer':
      return Number.isInteger(value)
    default:
      return typeof value === schema.type
  }
}

function wrongType(value: unknown, schema: StructuralSchema, path: string): Cause {
  const expected = schema['x-kubernetes-int-or-string'] === true ? 'integer,string' : schema.type
  const found = typeName(value)
  const message = `Invalid value: ${JSON.stringify(found)}: ${path} in body must be of type ${expected}: ${JSON.stringify(found)}`
  return { reason: 'FieldValueTypeInvalid', field: path, message }
}

function typeName(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : Number.isInteger(value) ? 'integer' : typeof value
}

function checkText(text: string, schema: StructuralSchema, path: string, causes: Cause[]): void {
  const { minLength, maxLength, pattern, format } = schema
  // characters count, not code units
  const length = minLength === undefined && maxLength === undefined ? 0 : [...text].length
  if (maxLength !== undefined && length > maxLength) {
    causes.push({
      reason: 'FieldValueTooLong',
      field: path,
      message: `Too long: may not be more than ${maxLength} bytes`,
    })
  }
  // the first of these faults is enough
  else if (minLength !== undefined && length < minLength) {
    causes.push(faulty(text, path, `should be at least ${minLength} chars long`))
  } else if (pattern !== undefined && !compiled(pattern).test(text)) {
    causes.push(faulty(text, path, `should match '${pattern}'`))
  }
  if (format !== undefined && !hasFormat(text, format)) {
    const fault = faulty(text, path, `must be of type ${format}: ${JSON.stringify(text)}`)
    causes.push({ ...fault, reason: 'FieldValueTypeInvalid' })
  }
}

const PATTERNS = new Map<string, RegExp>()
const MAX_PATTERNS = 1000

function compiled(pattern: string): RegExp {
  let found = PATTERNS.get(pattern)
  if (found === undefined) {
    found = compilePattern(pattern)
    if (PATTERNS.size >= MAX_PATTERNS) PATTERNS.clear()
    PATTERNS.set(pattern, found)
  }
  return found
}

function checkNumber(value: number, schema: StructuralSchema, path: string, causes: Cause[]): void {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf, format } = schema
  if (minimum !== undefined && (exclusiveMinimum === true ? value <= minimum : value < minimum)) {
    const relation = exclusiveMinimum === true ? 'greater than' : 'greater than or equal to'
    causes.push(faulty(value, path, `should be ${relation} ${minimum}`))
  }
  if (maximum !== undefined && (exclusiveMaximum === true ? value >= maximum : value > maximum)) {
    const relation = exclusiveMaximum === true ? 'less than' : 'less than or equal to'
    causes.push(faulty(value, path, `should be ${relation} ${maximum}`))
  }
  if (multipleOf !== undefined && !Number.isInteger(value / multipleOf)) {
    causes.push(faulty(value, path, `should be a multiple of ${multipleOf}`))
  }
  if (format === 'int32' && (value > 2 ** 31 - 1 || value < -(2 ** 31))) {
    causes.push(faulty(value, path, `must be of type int32: ${JSON.stringify('integer')}`))
  }
}

function checkList(
  list: readonly unknown[],
  schema: StructuralSchema,
  old: unknown,
  path: string,
  causes: Cause[],
): void {
  const { minItems, maxItems, items } = schema
  if (maxItems !== undefined && list.length > maxItems) {
    const message = `Too many: ${list.length}: must have at most ${maxItems} items`
    causes.push({ reason: 'FieldValueTooMany', field: path, message })
  }
  if (minItems !== undefined && list.length < minItems) {
    causes.push(faulty(list.length, path, `should have at least ${minItems} items`))
  }
  const before = itemsByKey(schema, old)
  const seen = new Set<string>()
  for (const [index, item] of list.entries()) {
    const key = itemKey(schema, item)
    if (key !== undefined && seen.has(key)) {
      const message = `Duplicate value: ${key}`
      causes.push({ reason: 'FieldValueDuplicate', field: pathTo(path, index), message })
    }
    if (key !== undefined) seen.add(key)
    if (items === undefined) continue
    check(item, items, key === undefined ? undefined : before?.get(key), pathTo(path, index), causes)
  }
}

/** Items of a list before an update, by what tells them apart; `undefined` when nothing does. */
export function itemsByKey(schema: StructuralSchema, old: unknown): ReadonlyMap<string, unknown> | undefined {
  if (!Array.isArray(old) || schema['x-kubernetes-list-type'] !== 'map') return undefined
  return new Map(old.map((item) => [itemKey(schema, item) ?? '', item]))
}

function checkObject(
  object: Readonly<Record<string, unknown>>,
  schema: StructuralSchema,
  old: unknown,
  path: string,
  causes: Cause[],
): void {
  const { minProperties, maxProperties, required } = schema
  const count = minProperties === undefined && maxProperties === undefined ? 0 : Object.keys(object).length
  if (maxProperties !== undefined && count > maxProperties) {
    const message = `Too many: ${count}: must have at most ${maxProperties} items`
    causes.push({ reason: 'FieldValueTooMany', field: path, message })
  }
  if (minProperties !== undefined && count < minProperties) {
    causes.push(faulty(count, path, `should have at least ${minProperties} properties`))
  }
  for (const name of required ?? []) {
    if (Object.hasOwn(object, name)) continue
    causes.push({ reason: 'FieldValueRequired', field: pathTo(path, name), message: 'Required value' })
  }
  const before = isObject(old) ? old : undefined
  for (const [name, child] of Object.entries(object)) {
    const known = childOf(schema, name)
    // metadata is the server's business
    if (known === undefined || (path === '' && name === 'metadata')) continue
    const was = before !== undefined && Object.hasOwn(before, name) ? before[name] : undefined
    check(child, known, was, pathTo(path, name), causes)
  }
}

function checkJunctors(value: unknown, schema: StructuralSchema, path: string, causes: Cause[]): void {
  const { allOf, anyOf, oneOf, not } = schema
  if (allOf === undefined && anyOf === undefined && oneOf === undefined && not === undefined) return
  const faultsOf = (part: StructuralSchema): Cause[] => checkValue(value, part, undefined, path)
  const say = (text: string, closest: readonly Cause[] = []): void => {
    const message = `Invalid value: "": ${JSON.stringify(path)} must ${text}`
    causes.push({ reason: 'FieldValueInvalid', field: '<nil>', message }, ...closest)
  }
  for (const part of allOf ?? []) check(value, part, undefined, path, causes)
  if (anyOf !== undefined && schema['x-kubernetes-int-or-string'] !== true) {
    const faults = anyOf.map(faultsOf)
    if (faults.every(({ length }) => length > 0)) say('validate at least one schema (anyOf)', faults[0])
  }
  if (oneOf !== undefined) {
    const faults = oneOf.map(faultsOf)
    const valid = faults.filter(({ length }) => length === 0).length
    const rule = 'validate one and only one schema (oneOf).'
    if (valid === 0) say(`${rule} Found none valid`, faults[0])
    else if (valid > 1) say(`${rule} Found ${valid} valid alternatives`)
  }
  if (not !== undefined && faultsOf(not).length === 0) say('not validate the schema (not)')
}

function faulty(value: unknown, path: string, text: string): Cause {
  const message = `Invalid value: ${JSON.stringify(value)}: ${path} in body ${text}`
  return { reason: 'FieldValueInvalid', field: path, message }
}
