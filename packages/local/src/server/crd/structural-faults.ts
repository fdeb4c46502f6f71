import { forbiddenValue, invalidValue, requiredValue } from '../causes.ts'
import type { Cause } from '../failures.ts'
import { compilePattern } from './pattern.ts'
import { isObject, type StructuralSchema, valuesOf } from './structural-schema.ts'

const TYPES: ReadonlySet<string | undefined> = new Set(['object', 'array', 'string', 'integer', 'number', 'boolean'])
/** What a structural schema may not say, besides the keywords that this server does not know. */
const REFUSED = [
  '$ref',
  'definitions',
  'dependencies',
  'patternProperties',
  'additionalItems',
  'id',
  'deprecated',
] as const
/** What stands outside of junctors only: inside they restrict values, and say nothing about structure. */
const NOT_IN_JUNCTORS = ['type', 'description', 'default', 'additionalProperties', 'nullable'] as const

/**
 * Why a schema is not structural: every value has exactly one type, and junctors add nothing to it (source:
 * apiextensions-apiserver, pkg/apiserver/schema/validation.go).
 */
export function structuralFaults(schema: StructuralSchema, path: string): Cause[] {
  const causes: Cause[] = []
  if (schema.type !== 'object')
    causes.push(invalidValue(`${path}.type`, schema.type ?? '', 'must be object at the root'))
  walk(schema, path, causes)
  return causes
}

function walk(schema: StructuralSchema, path: string, causes: Cause[]): void {
  const free = schema['x-kubernetes-int-or-string'] === true || schema['x-kubernetes-preserve-unknown-fields'] === true
  if (schema.type === undefined || schema.type === '') {
    if (!free) causes.push(requiredValue(`${path}.type`, 'must not be empty for specified object fields'))
  } else if (!TYPES.has(schema.type)) {
    const supported = [...TYPES].map((type) => JSON.stringify(type)).join(', ')
    const message = `Unsupported value: ${JSON.stringify(schema.type)}: supported values: ${supported}`
    causes.push({ reason: 'FieldValueNotSupported', field: `${path}.type`, message })
  }
  for (const keyword of REFUSED) {
    if (schema[keyword] !== undefined) causes.push(forbiddenValue(`${path}.${keyword}`, `${keyword} is not supported`))
  }
  if (schema.uniqueItems === true) {
    causes.push(
      forbiddenValue(
        `${path}.uniqueItems`,
        'uniqueItems cannot be set to true since the runtime complexity becomes quadratic',
      ),
    )
  }
  if (schema.type === 'array' && schema.items === undefined) {
    causes.push(requiredValue(`${path}.items`, 'must be specified'))
  }
  if (schema.properties !== undefined && isObject(schema.additionalProperties)) {
    causes.push(
      forbiddenValue(`${path}.additionalProperties`, 'additionalProperties and properties are mutual exclusive'),
    )
  }
  checkPattern(schema, path, causes)
  checkListType(schema, path, causes)
  for (const [name, child] of Object.entries(schema.properties ?? {}))
    walk(child, `${path}.properties[${name}]`, causes)
  const values = valuesOf(schema)
  if (values !== undefined) walk(values, `${path}.additionalProperties`, causes)
  if (isObject(schema.items)) walk(schema.items as StructuralSchema, `${path}.items`, causes)
  for (const junctor of ['allOf', 'anyOf', 'oneOf'] as const) {
    for (const [index, part] of (schema[junctor] ?? []).entries()) {
      junctorFaults(part, schema, `${path}.${junctor}[${index}]`, causes)
    }
  }
  if (schema.not !== undefined) junctorFaults(schema.not, schema, `${path}.not`, causes)
}

function junctorFaults(part: StructuralSchema, outer: StructuralSchema, path: string, causes: Cause[]): void {
  const intOrString = outer['x-kubernetes-int-or-string'] === true
  for (const keyword of NOT_IN_JUNCTORS) {
    if (part[keyword] === undefined || (keyword === 'type' && intOrString)) continue
    causes.push(forbiddenValue(`${path}.${keyword}`, 'must be undefined to be structural'))
  }
  for (const [name, child] of Object.entries(part.properties ?? {})) {
    const known = outer.properties?.[name]
    const at = `${path}.properties[${name}]`
    if (known === undefined) {
      const twin = at.replace(/\.(allOf|anyOf|oneOf)\[\d+\]|\.not/, '')
      causes.push(requiredValue(twin, `because it is defined in ${at}`))
    } else junctorFaults(child, known, at, causes)
  }
  if (isObject(part.items) && outer.items !== undefined) {
    junctorFaults(part.items as StructuralSchema, outer.items, `${path}.items`, causes)
  }
  checkPattern(part, path, causes)
}

function checkPattern({ pattern }: StructuralSchema, path: string, causes: Cause[]): void {
  if (pattern === undefined) return
  try {
    compilePattern(pattern)
  } catch (error) {
    const text = `must be a valid regular expression, but isn't: ${(error as Error).message}`
    causes.push(invalidValue(`${path}.pattern`, pattern, text))
  }
}

function checkListType(schema: StructuralSchema, path: string, causes: Cause[]): void {
  const type = schema['x-kubernetes-list-type']
  const keys = schema['x-kubernetes-list-map-keys']
  if (type === undefined) return
  if (!['atomic', 'set', 'map'].includes(type)) {
    const message = `Unsupported value: ${JSON.stringify(type)}: supported values: "atomic", "map", "set"`
    causes.push({ reason: 'FieldValueNotSupported', field: `${path}.x-kubernetes-list-type`, message })
  }
  if (schema.type !== 'array') {
    causes.push(invalidValue(`${path}.type`, schema.type ?? '', 'must be array if x-kubernetes-list-type is specified'))
  }
  if (type !== 'map') return
  if (keys === undefined || keys.length === 0) {
    causes.push(
      requiredValue(`${path}.x-kubernetes-list-map-keys`, 'must not be empty if x-kubernetes-list-type is map'),
    )
  }
  for (const [index, key] of (keys ?? []).entries()) {
    const item = schema.items
    const at = `${path}.x-kubernetes-list-map-keys[${index}]`
    if (item?.properties?.[key] === undefined) {
      causes.push(invalidValue(at, key, "must be the name of an item's property"))
    } else if (item.required?.includes(key) !== true && item.properties[key].default === undefined) {
      causes.push(
        requiredValue(
          `${path}.items.properties[${key}].default`,
          'this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property',
        ),
      )
    }
  }
}
