import type { z } from 'zod'
import type { FieldPath } from '../field-path.ts'

/** The fields of an object in a schema. */
export type Shape = Readonly<Record<string, z.core.$ZodType>>

/** What lies at a path of a schema, or nothing where the schema does not go. */
export function schemaAt(schema: z.core.$ZodType, path: FieldPath): z.core.$ZodType | undefined {
  let at: z.core.$ZodType | undefined = schema
  for (const part of path) {
    if (at === undefined) return undefined
    const { def } = unwrap(at)._zod as z.core.$ZodTypes['_zod']
    if (def.type === 'object') at = def.shape[part]
    else if (def.type === 'array') at = def.element
    else if (def.type === 'record') at = def.valueType
    else return undefined
  }
  return at
}

/** The fields of an object schema, optional or lazy or not; nothing for other schemas. */
export function shapeOf(schema: z.core.$ZodType | undefined): Shape | undefined {
  if (schema === undefined) return undefined
  const { def } = unwrap(schema)._zod as z.core.$ZodTypes['_zod']
  return def.type === 'object' ? def.shape : undefined
}

function unwrap(schema: z.core.$ZodType): z.core.$ZodType {
  let at = schema
  for (;;) {
    const { def } = at._zod as z.core.$ZodTypes['_zod']
    if (def.type === 'optional') at = def.innerType
    else if (def.type === 'lazy') at = def.getter()
    else return at
  }
}
