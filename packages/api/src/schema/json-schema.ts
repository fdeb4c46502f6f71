import { z } from 'zod'
import { intOrString, quantity } from './quantity.ts'

/** A schema in the dialect of OpenAPI 3.0, as Kubernetes publishes it. */
export interface JsonSchema {
  readonly type?: string
  readonly format?: string
  readonly description?: string
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly additionalProperties?: JsonSchema
  readonly items?: JsonSchema
  readonly required?: readonly string[]
  readonly enum?: readonly unknown[]
  readonly [keyword: string]: unknown
}

/** A schema in the making. */
export type MutableJsonSchema = { -readonly [K in keyof JsonSchema]: JsonSchema[K] }

/** Has the last word on a node that was made of a zod schema. */
export type Revise = (node: MutableJsonSchema, schema: z.core.$ZodType) => void

/**
 * A schema of this package for clients that read OpenAPI: structure, types, limits and enumerations. Rules that span
 * fields are left out. Objects do not say that other fields are refused, as structural schemas never do.
 *
 * @param revise may add to each node what the zod schema does not say
 *
 * @example
 * jsonSchemaOf(trainJob).properties?.spec
 */
export function jsonSchemaOf(schema: z.ZodType, revise?: Revise): JsonSchema {
  const { $schema: _, ...result } = z.toJSONSchema(schema, {
    target: 'openapi-3.0',
    // nothing is transformed here, so this is the input, too; asked for as such, zod looks for transformations through
    // the whole of each part again, which takes twenty times as long
    io: 'output',
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema }) {
      restate(jsonSchema as MutableJsonSchema, zodSchema)
      revise?.(jsonSchema as MutableJsonSchema, zodSchema)
    },
  })
  return result as JsonSchema
}

function restate(node: MutableJsonSchema, schema: unknown): void {
  if (schema === quantity || schema === intOrString) {
    node.anyOf = [{ type: 'integer' }, { type: 'string' }]
    node['x-kubernetes-int-or-string'] = true
  }
  if ((node.additionalProperties as unknown) === false) delete node.additionalProperties
  // wrappers such as optional ones show the same node again
  if (node.type !== 'integer' || node.format !== undefined) return
  node.format = isInt32(schema) ? 'int32' : 'int64'
  // what the format says already
  if (Number(node.minimum) <= -2_147_483_648) delete node.minimum
  if (Number(node.maximum) >= 2_147_483_647) delete node.maximum
}

function isInt32(schema: unknown): boolean {
  const { def } = (schema as z.core.$ZodType)._zod
  return (def as z.core.$ZodNumberFormatDef).format === 'int32'
}
