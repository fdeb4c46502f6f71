import type { z } from 'zod'
import { type JsonSchema, jsonSchemaOf, type MutableJsonSchema } from '../schema/json-schema.ts'
import { type ServerRules, serverRules } from '../schema/server-rules.ts'

/** How a schema is to be written. */
export interface StructuralOptions {
  /** Keep what only the dialect has, until a webhook has translated it. */
  readonly dialect?: boolean
}

/** Carries the rules from a zod schema to the node that is made of it. */
const RULES = 'x-rules'

/**
 * A structural schema, as CustomResourceDefinitions want it, with defaults, keys of lists, limits and rules.
 *
 * Source: kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions.
 *
 * @example
 * structuralSchemaOf(trainJob).properties?.spec?.required
 * // => ['runtimeRef']
 */
export function structuralSchemaOf(schema: z.ZodType, { dialect = false }: StructuralOptions = {}): JsonSchema {
  const generated = jsonSchemaOf(schema, (node, zodSchema) => {
    const rules = serverRules.get(zodSchema)
    if (rules !== undefined) node[RULES] = rules
  })
  return structural(generated, dialect)
}

function structural(node: JsonSchema, dialect: boolean): JsonSchema {
  const { [RULES]: attached, properties, required, items, additionalProperties, ...rest } = node
  const rules = (attached ?? {}) as ServerRules
  if (rules.schema !== undefined) return { ...rules.schema, ...described(rules) }
  const result: MutableJsonSchema = { ...described(rules), ...rest, ...ofList(rules), ...ofObject(rules) }
  // as JavaScript escapes what Go need not
  if (typeof rest.pattern === 'string') result.pattern = rest.pattern.replaceAll('\\/', '/')
  const fields = fieldsOf(properties ?? {}, rules, dialect)
  if (Object.keys(fields).length > 0) result.properties = fields
  const strict = required?.filter((name) => !rules.requiredByCheck?.includes(name)) ?? []
  if (strict.length > 0) result.required = strict
  if (items !== undefined) result.items = structural(items, dialect)
  if (additionalProperties !== undefined) result.additionalProperties = structural(additionalProperties, dialect)
  return result
}

function described({ description, checks }: ServerRules): JsonSchema {
  return { ...(description !== undefined && { description }), ...(checks && { 'x-kubernetes-validations': checks }) }
}

function ofList({ minItems, maxItems, listKeys, set }: ServerRules): JsonSchema {
  return {
    ...(minItems !== undefined && { minItems }),
    ...(maxItems !== undefined && { maxItems }),
    ...(listKeys && { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': listKeys }),
    ...(set === true && { 'x-kubernetes-list-type': 'set' }),
  }
}

function ofObject({ minProperties, atomic }: ServerRules): JsonSchema {
  return { ...(minProperties !== undefined && { minProperties }), ...(atomic && { 'x-kubernetes-map-type': 'atomic' }) }
}

type Fields = Readonly<Record<string, JsonSchema>>

function fieldsOf(properties: Fields, rules: ServerRules, dialect: boolean): Fields {
  const defaults = { ...rules.defaults, ...(dialect && rules.dialect?.defaults) }
  const undefaulted = dialect ? (rules.dialect?.undefaulted ?? []) : []
  const fields: Record<string, JsonSchema> = {}
  for (const [name, property] of Object.entries(properties)) {
    const field = structural(property, dialect)
    const description = rules.fields?.[name]
    fields[name] = {
      ...(description !== undefined && { description }),
      ...field,
      ...(defaults[name] !== undefined && !undefaulted.includes(name) && { default: defaults[name] }),
      ...(rules.immutable?.includes(name) && { 'x-kubernetes-validations': [...checksOf(field), IMMUTABLE] }),
    }
  }
  if (dialect) for (const name of foreignFields(properties, rules)) fields[name] ??= ANYTHING
  return fields
}

const IMMUTABLE = { rule: 'self == oldSelf', message: 'field is immutable; delete the object and create it anew' }

function checksOf(field: JsonSchema): readonly unknown[] {
  return (field['x-kubernetes-validations'] as readonly unknown[] | undefined) ?? []
}

/** The server neither removes nor looks at it. */
const ANYTHING: JsonSchema = { 'x-kubernetes-preserve-unknown-fields': true }

function foreignFields(properties: Fields, { dialect }: ServerRules): readonly string[] {
  const { fields = [], lifts } = dialect ?? {}
  if (lifts === undefined) return fields
  const below = lifts.reduce<JsonSchema | undefined>((node, name) => node?.properties?.[name], { properties })
  return [...fields, ...Object.keys(below?.properties ?? {})]
}
