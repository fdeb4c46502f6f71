import { equal } from '../../object/equal.ts'
import { type FieldSchema, fieldOf, isGranularMap, isKeyedList } from './field-schema.ts'
import { type FieldSet, isEmpty, LEAF, node } from './field-set.ts'
import { hasDoubles, itemsBySegment, sameItems, segmentOf } from './list-keys.ts'

/** How an object differs from an earlier one. */
export interface Comparison {
  /** Fields that are new or have another value; new containers are members, too. */
  readonly changed: FieldSet
  /** Fields that are gone. */
  readonly removed: FieldSet
}

/**
 * Compares two objects field by field, as Kubernetes does (source: structured-merge-diff, typed/compare.go); parts that
 * they share cost nothing.
 */
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
  if (typeof before !== 'object' && typeof after !== 'object') return CHANGED
  const wasMap = isGranularMap(before, schema)
  const isMapNow = isGranularMap(after, schema)
  if (wasMap && isMapNow) return differenceOfMaps(before, after, schema)
  const wasList = isKeyedList(before, schema)
  const isListNow = isKeyedList(after, schema)
  if (wasList && isListNow) return differenceOfLists(before, after, schema as FieldSchema)
  if (!(wasMap || isMapNow || wasList || isListNow)) return equal(before, after) ? undefined : CHANGED
  // of what is something else now, or was before, the parts came or went
  const removed = wasMap || wasList ? partsOf(before, schema) : LEAF
  const added = isMapNow || isListNow ? partsOf(after, schema) : LEAF
  const noParts = removed === LEAF && added === LEAF
  const changed = node(noParts || (before !== null && after !== null), added)
  return { changed, removed: node(false, removed) }
}

const CHANGED: Difference = { changed: LEAF }

function differenceOfMaps(
  before: Record<string, unknown>,
  after: Record<string, unknown>,
  schema: FieldSchema | undefined,
): Difference | undefined {
  const collected = new Collected()
  for (const key in after) {
    const value = after[key]
    if (!Object.hasOwn(before, key)) {
      collected.add(`f:${key}`, { changed: everything(value, fieldOf(schema, key)) })
    } else if (before[key] !== value) {
      collected.add(`f:${key}`, difference(before[key], value, fieldOf(schema, key)))
    }
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
  if (sameItems(before, after, schema)) {
    const found = differenceOfPairs(before, after, schema)
    if (found !== 'doubles') return found
  }
  const old = itemsBySegment(before, schema)
  const now = itemsBySegment(after, schema)
  const collected = new Collected()
  for (const [segment, items] of now) {
    const was = old.get(segment)
    if (was === undefined) collected.add(segment, { changed: everythingOf(items, schema) })
    else collected.add(segment, differenceOfItems(was, items, schema))
  }
  for (const [segment, items] of old) {
    if (!now.has(segment)) collected.add(segment, { removed: everythingOf(items, schema) })
  }
  return collected.result()
}

/** Lists with the same items in the same order, as most writes leave them. */
function differenceOfPairs(
  before: readonly unknown[],
  after: readonly unknown[],
  schema: FieldSchema,
): Difference | 'doubles' | undefined {
  let collected: Collected | undefined
  for (let index = 0; index < after.length; index++) {
    const found = difference(before[index], after[index], schema.items)
    if (found === undefined) continue
    if (collected === undefined) {
      if (hasDoubles(after, schema)) return 'doubles'
      collected = new Collected()
    }
    collected.add(segmentOf(after[index], schema), found)
  }
  return collected?.result()
}

/** Items that share a segment are compared as a whole. */
function differenceOfItems(
  before: readonly unknown[],
  after: readonly unknown[],
  schema: FieldSchema,
): Difference | undefined {
  const wasOne = before.length === 1
  const isOne = after.length === 1
  if (wasOne && isOne) return difference(before[0], after[0], schema.items)
  if (!wasOne && !isOne) return equal(before, after) ? undefined : CHANGED
  return { changed: everythingOf(after, schema), removed: everythingOf(before, schema) }
}

function everythingOf(items: readonly unknown[], schema: FieldSchema): FieldSet {
  return items.length === 1 ? everything(items[0], schema.items) : LEAF
}

/** A value with all that is in it, containers included. */
function everything(value: unknown, schema: FieldSchema | undefined): FieldSet {
  if (typeof value !== 'object' || value === null) return LEAF
  const whole = addParts({ '.': LEAF }, value, schema)
  return hasParts(whole) ? whole : LEAF
}

/** What is in a value, without itself. */
function partsOf(value: unknown, schema: FieldSchema | undefined): FieldSet {
  const parts = addParts({}, value, schema)
  return isEmpty(parts) ? LEAF : parts
}

function addParts(
  set: Record<string, FieldSet>,
  value: unknown,
  schema: FieldSchema | undefined,
): Record<string, FieldSet> {
  if (isGranularMap(value, schema)) {
    for (const key in value) set[`f:${key}`] = everything(value[key], fieldOf(schema, key))
  } else if (isKeyedList(value, schema)) {
    for (const [segment, items] of itemsBySegment(value, schema as FieldSchema)) {
      set[segment] = everythingOf(items, schema as FieldSchema)
    }
  }
  return set
}

function hasParts(set: FieldSet): boolean {
  for (const segment in set) if (segment !== '.') return true
  return false
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
