import type { z } from 'zod'
import { type Schema, shapeOf, unwrapped } from './shape.ts'

/**
 * The same value without fields that are null: a server drops them before it looks any further, so that `env:` with
 * nothing after it is no fault. Items of lists stay, and so do fields that the schema does not know. What has no such
 * field is not copied.
 */
export function withoutNullFields<T>(value: T, schema: z.ZodType): T {
  // most objects have none, and finding that out takes no look at the schema
  return hasNothing(value) ? (prune(value, schema) as T) : value
}

/** Whether any field or item, however deep, is null or undefined. */
function hasNothing(value: unknown): boolean {
  if (typeof value !== 'object') return value === undefined
  if (value === null) return true
  if (Array.isArray(value)) return value.some(hasNothing)
  for (const key in value) {
    if (hasNothing((value as Readonly<Record<string, unknown>>)[key])) return true
  }
  return false
}

function prune(value: unknown, schema: Schema): unknown {
  if (typeof value !== 'object' || value === null) return value
  const { def } = unwrapped(schema)._zod
  if (Array.isArray(value)) return def.type === 'array' ? pruneList(value, def.element) : value
  if (def.type === 'record') return pruneObject(value as Readonly<Record<string, unknown>>, () => def.valueType)
  const shape = shapeOf(schema)
  if (shape === undefined) return value
  return pruneObject(value as Readonly<Record<string, unknown>>, (key) =>
    Object.hasOwn(shape, key) ? shape[key] : undefined,
  )
}

function pruneList(items: readonly unknown[], element: Schema): readonly unknown[] {
  let copy: unknown[] | undefined
  items.forEach((item, index) => {
    const pruned = prune(item, element)
    if (pruned === item) return
    copy ??= [...items]
    copy[index] = pruned
  })
  return copy ?? items
}

function pruneObject(
  object: Readonly<Record<string, unknown>>,
  schemaOf: (key: string) => Schema | undefined,
): Readonly<Record<string, unknown>> {
  let copy: Record<string, unknown> | undefined
  for (const key of Object.keys(object)) {
    const field = object[key]
    const schema = schemaOf(key)
    const isNothing = field === undefined || (field === null && schema !== undefined)
    const pruned = isNothing || schema === undefined ? field : prune(field, schema)
    if (!isNothing && pruned === field) continue
    copy ??= { ...object }
    if (isNothing) delete copy[key]
    else copy[key] = pruned
  }
  return copy ?? object
}
