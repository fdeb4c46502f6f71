/** A rule in CEL that a value must satisfy (`x-kubernetes-validations`). */
export interface ValidationRule {
  readonly rule: string
  readonly message?: string
  readonly messageExpression?: string
  readonly reason?: string
  /** Relative path of the field to blame, as `.spec.replicas`. */
  readonly fieldPath?: string
  /** `oldSelf` is an optional value, so that the rule also holds for what is new. */
  readonly optionalOldSelf?: boolean
}

/** The schema of a value in a custom resource definition: OpenAPI v3 with Kubernetes' extensions. */
export interface StructuralSchema {
  readonly type?: string
  readonly format?: string
  readonly description?: string
  readonly nullable?: boolean
  readonly default?: unknown
  readonly enum?: readonly unknown[]
  readonly properties?: Readonly<Record<string, StructuralSchema>>
  readonly additionalProperties?: StructuralSchema | boolean
  readonly items?: StructuralSchema
  readonly required?: readonly string[]
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: boolean
  readonly exclusiveMaximum?: boolean
  readonly multipleOf?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly minItems?: number
  readonly maxItems?: number
  readonly minProperties?: number
  readonly maxProperties?: number
  readonly allOf?: readonly StructuralSchema[]
  readonly anyOf?: readonly StructuralSchema[]
  readonly oneOf?: readonly StructuralSchema[]
  readonly not?: StructuralSchema
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean
  readonly 'x-kubernetes-embedded-resource'?: boolean
  readonly 'x-kubernetes-int-or-string'?: boolean
  readonly 'x-kubernetes-list-type'?: 'atomic' | 'set' | 'map'
  readonly 'x-kubernetes-list-map-keys'?: readonly string[]
  readonly 'x-kubernetes-map-type'?: 'atomic' | 'granular'
  readonly 'x-kubernetes-validations'?: readonly ValidationRule[]
  readonly [keyword: string]: unknown
}

/** The schema of a map's values; `undefined` when there is none. */
export function valuesOf(schema: StructuralSchema): StructuralSchema | undefined {
  const { additionalProperties } = schema
  return typeof additionalProperties === 'object' ? additionalProperties : undefined
}

/** The schema of a property or map value. */
export function childOf(schema: StructuralSchema, name: string): StructuralSchema | undefined {
  const { properties } = schema
  return properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : valuesOf(schema)
}

/** What tells the items of a list apart, as a text; `undefined` when their order does. */
export function itemKey(schema: StructuralSchema, item: unknown): string | undefined {
  const type = schema['x-kubernetes-list-type']
  if (type === 'set') return JSON.stringify(item)
  const keys = schema['x-kubernetes-list-map-keys']
  if (type !== 'map' || keys === undefined || typeof item !== 'object' || item === null) return undefined
  const fields = item as Record<string, unknown>
  return JSON.stringify(
    Object.fromEntries(keys.filter((key) => Object.hasOwn(fields, key)).map((key) => [key, fields[key]])),
  )
}

/** A value that is a JSON object. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** `spec.items[0].name`. */
export function pathTo(path: string, name: string | number): string {
  if (typeof name === 'number') return `${path}[${name}]`
  return path === '' ? name : `${path}.${name}`
}

/** Visits a schema and all those of its fields, items and values, with their paths in a definition. */
export function eachSchema(
  schema: StructuralSchema,
  path: string,
  visit: (schema: StructuralSchema, path: string) => void,
): void {
  visit(schema, path)
  for (const [name, child] of Object.entries(schema.properties ?? {}))
    eachSchema(child, `${path}.properties[${name}]`, visit)
  if (isObject(schema.items)) eachSchema(schema.items as StructuralSchema, `${path}.items`, visit)
  const values = valuesOf(schema)
  if (values !== undefined) eachSchema(values, `${path}.additionalProperties`, visit)
}
