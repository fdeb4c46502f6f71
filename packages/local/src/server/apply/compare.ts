import { equal } from '../../object/equal.ts'
import { type FieldSchema, fieldOf, isGranularMap, isKeyedList } from './field-schema.ts'
import { type FieldSet, LEAF } from './field-set.ts'
import { itemsBySegment } from './list-keys.ts'

/** How an object differs from an earlier one. */
export interface Comparison {
  /** Fields that are new or have another value; new containers are members, too. */
  readonly changed: FieldSet
  /** Fields that are gone. */
  readonly removed: FieldSet
}

/** Compares two objects field by field; parts that they share cost nothing. */
export function compare(before: object, after: object, schema: FieldSchema | undefined): Comparison {
  const found = difference(before, after, schema)
  return { changed: found?.changed ?? LEAF, removed: found?.removed ?? LEAF }
}

/** Nodes of the two sets; `undefined` where nothing differs. */
interface Difference {
  readonly changed?: FieldSet | undefined
  readonly removed?: FieldSet | undefined
}

function difference(before: unknown, after: unknown, schema: FieldSchema | undefined): Difference | undefined {
  if (before === after) return undefined
  if (isGranularMap(after, schema) && (isGranularMap(before, schema) || before === null)) {
    return differenceOfMaps(before ?? {}, after, schema)
  }
  if (isKeyedList(after, schema) && (isKeyedList(before, schema) || before === null)) {
    return differenceOfLists(before ?? [], after, schema as FieldSchema)
  }
  return equal(before, after) ? undefined : { changed: LEAF }
}

function differenceOfMaps(
  before: Record<string, unknown>,
  after: Record<string, unknown>,
  schema: FieldSchema | undefined,
): Difference | undefined {
  const collected = new Collected()
  for (const key in after) {
    const child = fieldOf(schema, key)
    if (Object.hasOwn(before, key)) collected.add(`f:${key}`, difference(before[key], after[key], child))
    else collected.add(`f:${key}`, { changed: everything(after[key], child) })
  }
  for (const key in before) {
    if (!Object.hasOwn(after, key))
      collected.add(`f:${key}`, { removed: everything(before[key], fieldOf(schema, key)) })
  }
  return collected.result()
}

function differenceOfLists(
  before: readonly unknown[],
  after: readonly unknown[],
  schema: FieldSchema,
): Difference | undefined {
  const old = itemsBySegment(before, schema)
  const collected = new Collected()
  const seen = new Set<string>()
  for (const [segment, item] of itemsBySegment(after, schema)) {
    seen.add(segment)
    if (old.has(segment)) collected.add(segment, difference(old.get(segment), item, schema.items))
    else collected.add(segment, { changed: everything(item, schema.items) })
  }
  for (const [segment, item] of old) {
    if (!seen.has(segment)) collected.add(segment, { removed: everything(item, schema.items) })
  }
  return collected.result()
}

/** A value with all that is in it, containers included. */
function everything(value: unknown, schema: FieldSchema | undefined): FieldSet {
  let whole: Record<string, FieldSet> | undefined
  if (isGranularMap(value, schema)) {
    for (const key in value) {
      whole ??= { '.': LEAF }
      whole[`f:${key}`] = everything(value[key], fieldOf(schema, key))
    }
  } else if (isKeyedList(value, schema)) {
    for (const [segment, item] of itemsBySegment(value, schema as FieldSchema)) {
      whole ??= { '.': LEAF }
      whole[segment] = everything(item, schema?.items)
    }
  }
  return whole ?? LEAF
}

/** Gathers the differences of the parts of a container. */
class Collected {
  changed: Record<string, FieldSet> | undefined
  removed: Record<string, FieldSet> | undefined

  add(segment: string, part: Difference | undefined): void {
    if (part?.changed !== undefined) {
      this.changed ??= {}
      this.changed[segment] = part.changed
    }
    if (part?.removed !== undefined) {
      this.removed ??= {}
      this.removed[segment] = part.removed
    }
  }

  result(): Difference | undefined {
    return this.changed === undefined && this.removed === undefined
      ? undefined
      : { changed: this.changed, removed: this.removed }
  }
}
