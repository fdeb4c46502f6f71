import type { z } from 'zod'
import type { FieldPath } from '../field-path.ts'

/** Any schema, with its definition open to look at. */
export type Schema = z.core.$ZodType

/** The fields of an object in a schema. */
export type Shape = Readonly<Record<string, Schema>>

/** What lies at a path of a schema, or nothing where the schema does not go. */
export function schemaAt(schema: Schema, path: FieldPath): Schema | undefined {
  let at: Schema | undefined = schema
  for (const part of path) {
    if (at === undefined) return undefined
    const { def }: z.core.$ZodTypes['_zod'] = unwrapped(at)._zod
    if (def.type === 'object') at = Object.hasOwn(def.shape, part) ? def.shape[part] : undefined
    else if (def.type === 'array') at = def.element
    else if (def.type === 'record') at = def.valueType
    else return undefined
  }
  return at
}

/** The fields of an object schema, optional or lazy or not; nothing for other schemas. */
export function shapeOf(schema: Schema | undefined): Shape | undefined {
  if (schema === undefined) return undefined
  const { def } = unwrapped(schema)._zod
  return def.type === 'object' ? def.shape : undefined
}

/** What an optional or lazy schema stands for. */
export function unwrapped(schema: Schema): z.core.$ZodTypes {
  let at = schema as z.core.$ZodTypes
  for (;;) {
    const { def } = at._zod
    if (def.type === 'optional') at = def.innerType as z.core.$ZodTypes
    else if (def.type === 'lazy') at = (at as z.core.$ZodLazy)._zod.innerType as z.core.$ZodTypes
    else return at
  }
}
