import type { JsonSchema } from '@trainjob/api/schema'
import { type StructSchema, structSchema } from '@trainjob/runtime'
import { scalarTypeOf } from '../decode/scalar-types.ts'

type Field = StructSchema['fields'] extends ReadonlyMap<string, infer F> ? F : never

/** Schemas of Go's structs, each once, under the names that Kubernetes publishes them with. */
export class StructSchemas {
  readonly #components: Record<string, JsonSchema>
  readonly #known: ReadonlyMap<string, JsonSchema>

  /** `components` is filled; `known` says more about fields (`core.PodSpec.hostNetwork`) than the type table does. */
  constructor(components: Record<string, JsonSchema>, known: ReadonlyMap<string, JsonSchema>) {
    this.#components = components
    this.#known = known
  }

  /** Refers to a struct's schema, which is made when it is first referred to. */
  ref(struct: StructSchema): JsonSchema {
    const name = componentName(struct.name)
    if (!Object.hasOwn(this.#components, name)) {
      // marks the place first: a struct may contain itself
      this.#components[name] = { type: 'object' }
      this.#components[name] = this.object(struct)
    }
    return { allOf: [{ $ref: `#/components/schemas/${name}` }] }
  }

  /** A struct's schema itself. */
  object(struct: StructSchema): JsonSchema {
    const properties: Record<string, JsonSchema> = {}
    for (const [name, field] of struct.fields) properties[name] = this.#field(struct, field)
    return { type: 'object', properties }
  }

  #field(struct: StructSchema, field: Field): JsonSchema {
    if (field.shape === 'list') {
      const { mergeKey } = field
      const merge =
        mergeKey === undefined
          ? {}
          : {
              'x-kubernetes-patch-strategy': 'merge',
              ...(mergeKey !== '' && { 'x-kubernetes-patch-merge-key': mergeKey }),
            }
      return { type: 'array', items: this.#element(struct, field), ...merge }
    }
    if (field.shape === 'map') return { type: 'object', additionalProperties: this.#element(struct, field) }
    return this.#element(struct, field)
  }

  #element(struct: StructSchema, field: Field): JsonSchema {
    if (field.struct !== undefined) return this.ref(field.struct)
    if (field.element === 'quantity') return QUANTITY
    const known = this.#known.get(`${struct.name}.${field.name}`)
    if (known !== undefined) return known
    if (field.shape !== 'value') return { type: 'string' }
    const type = scalarTypeOf(struct.name, field.name) ?? typeOfZero(field.absent) ?? typeByName(field.name)
    // kubectl explains no field of which nothing is said
    return type === undefined ? ANYTHING : { type }
  }
}

const ANYTHING: JsonSchema = { 'x-kubernetes-preserve-unknown-fields': true }

const QUANTITY: JsonSchema = { type: 'string', description: 'An amount: 500m, 2, 16Gi.' }

function typeOfZero(zero: unknown): string | undefined {
  if (zero === '') return 'string'
  if (zero === 0) return 'integer'
  return zero === false ? 'boolean' : undefined
}

const TEXT = /^(kind|apiVersion|name|namespace|uid|resourceVersion|generateName|selfLink|type|reason|message|phase)$/i

function typeByName(name: string): string | undefined {
  return TEXT.test(name) || /(Timestamp|Time|Name|IP|Version|Policy|Mode|Class)$/.test(name) ? 'string' : undefined
}

const PACKAGES: Readonly<Record<string, string>> = {
  core: 'io.k8s.api.core.v1',
  batch: 'io.k8s.api.batch.v1',
  meta: 'io.k8s.apimachinery.pkg.apis.meta.v1',
  jobset: 'io.x-k8s.jobset.v1alpha2',
}

function componentName(struct: string): string {
  const [group = '', name = ''] = struct.split('.', 2)
  return `${PACKAGES[group] ?? group}.${name}`
}

/** Types that a schema knows of the fields of a struct and of all structs in it, by `struct.field`. */
export function typesFrom(schema: JsonSchema, struct: string): Map<string, JsonSchema> {
  const types = new Map<string, JsonSchema>()
  collect(schema, structSchema(struct), types)
  return types
}

function collect(schema: JsonSchema, struct: StructSchema, types: Map<string, JsonSchema>): void {
  for (const [name, field] of struct.fields) {
    const property = schema.properties?.[name]
    if (property === undefined) continue
    const element =
      field.shape === 'list' ? property.items : field.shape === 'map' ? property.additionalProperties : property
    if (element === undefined) continue
    if (field.struct !== undefined) collect(element, field.struct, types)
    else if (element.type !== undefined || element.anyOf !== undefined) types.set(`${struct.name}.${name}`, element)
  }
}
