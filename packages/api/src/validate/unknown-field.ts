import type { z } from 'zod'
import { type FieldPath, formatFieldPath } from '../field-path.ts'
import { nearestName } from './nearest-name.ts'
import { type Shape, schemaAt, shapeOf } from './shape.ts'

/** More known fields than this are not listed in a message. */
const MAX_LISTED = 12

/** What to tell about a field that is not there in the schema. */
export interface UnknownField {
  readonly message: string
  /** The field of the same object that was probably meant. */
  readonly nearest?: string
}

/**
 * Finds the field that was meant: one with a similar name in the same object, or one with this very name one level
 * deeper or further up.
 *
 * @param path of the object that has the field.
 */
export function explainUnknownField(root: z.core.$ZodType, path: FieldPath, field: string): UnknownField {
  const shape = shapeOf(schemaAt(root, path)) ?? {}
  const names = Object.keys(shape)
  const nearest = nearestName(field, names)
  const elsewhere = nearest === undefined ? findElsewhere(root, shape, path, field) : undefined
  const start = `unknown field ${JSON.stringify(field)}`
  if (nearest !== undefined) return { message: `${start}; did you mean \`${nearest}\`?`, nearest }
  if (elsewhere !== undefined) return { message: `${start} here; did you mean \`${elsewhere}\`?` }
  if (names.length === 0) return { message: `${start}; expected no fields here` }
  if (names.length > MAX_LISTED) return { message: `${start}; remove it` }
  return { message: `${start}; expected ${names.join(', ')}` }
}

function findElsewhere(root: z.core.$ZodType, shape: Shape, path: FieldPath, field: string): string | undefined {
  for (const [name, child] of Object.entries(shape)) {
    const found = sameName(field, Object.keys(shapeOf(child) ?? {}))
    if (found !== undefined) return formatFieldPath([...path, name, found])
  }
  for (let length = path.length - 1; length >= 1; length--) {
    const above = path.slice(0, length)
    const found = sameName(field, Object.keys(shapeOf(schemaAt(root, above)) ?? {}))
    if (found !== undefined) return formatFieldPath([...above, found])
  }
  return undefined
}

function sameName(field: string, names: readonly string[]): string | undefined {
  const plain = field.toLowerCase()
  return names.find((name) => name.toLowerCase() === plain)
}
