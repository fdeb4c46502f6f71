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

type Mutable = { -readonly [K in keyof JsonSchema]: JsonSchema[K] }

/**
 * A schema of this package for clients that read OpenAPI: structure, types, limits and enumerations. Rules that span
 * fields are left out. Objects do not say that other fields are refused, as structural schemas never do.
 *
 * @example
 * jsonSchemaOf(trainJob).properties?.spec
 */
export function jsonSchemaOf(schema: z.ZodType): JsonSchema {
  const { $schema: _, ...result } = z.toJSONSchema(schema, {
    target: 'openapi-3.0',
    io: 'input',
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema }) {
      restate(jsonSchema as Mutable, zodSchema)
    },
  })
  return result as JsonSchema
}

function restate(node: Mutable, schema: unknown): void {
  if (schema === quantity || schema === intOrString) {
    node.anyOf = [{ type: 'integer' }, { type: 'string' }]
    node['x-kubernetes-int-or-string'] = true
  }
  if ((node.additionalProperties as unknown) === false) delete node.additionalProperties
  // wrappers such as optional ones show the same node again
  if (node.type !== 'integer' || node.format !== undefined) return
  node.format = Number(node.maximum) === 2_147_483_647 ? 'int32' : 'int64'
  // what the format says already
  if (Number(node.minimum) <= -2_147_483_648) delete node.minimum
  if (Number(node.maximum) >= 2_147_483_647) delete node.maximum
}
