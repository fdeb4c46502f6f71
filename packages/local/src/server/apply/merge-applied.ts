import { type FieldSchema, fieldOf, isGranularMap, isKeyedList } from './field-schema.ts'
import { hasDoubles, sameItems, segmentOf } from './list-keys.ts'

/**
 * The live object with an applied configuration laid over it; neither is changed. Nothing goes by being left out, nor
 * by being empty or null where the live object has parts (source: structured-merge-diff, typed/merge.go).
 */
export function mergeApplied(live: unknown, config: unknown, schema: FieldSchema | undefined): unknown {
  if (live === undefined || live === config) return config
  if (isGranularMap(config, schema) && isGranularMap(live, schema)) return mergeMaps(live, config, schema)
  if (isKeyedList(config, schema) && isKeyedList(live, schema)) return mergeLists(live, config, schema as FieldSchema)
  return config === null && hasParts(live, schema) ? live : config
}

function hasParts(value: unknown, schema: FieldSchema | undefined): boolean {
  if (isGranularMap(value, schema)) return Object.keys(value).length > 0
  return isKeyedList(value, schema) && value.length > 0
}

function mergeMaps(
  live: Record<string, unknown>,
  config: Record<string, unknown>,
  schema: FieldSchema | undefined,
): Record<string, unknown> {
  let result: Record<string, unknown> | undefined
  for (const key of Object.keys(config)) {
    const mine = Object.hasOwn(live, key) ? live[key] : undefined
    const merged = mergeApplied(mine, config[key], fieldOf(schema, key))
    if (merged === mine || key === '__proto__') continue
    result ??= { ...live }
    result[key] = merged
  }
  return result ?? live
}

/**
 * Items of both lists. Items of the configuration come in its order; an item that only the live list has stays behind
 * the one it followed. What the live list has twice is replaced by what the configuration says of it.
 */
function mergeLists(live: readonly unknown[], config: readonly unknown[], schema: FieldSchema): readonly unknown[] {
  if (sameItems(live, config, schema) && !hasDoubles(config, schema)) return mergePairs(live, config, schema)
  const present = new Map<string, unknown>()
  const left = live.map((item) => {
    const segment = segmentOf(item, schema)
    present.set(segment, present.has(segment) ? null : item)
    return { item, segment }
  })
  const applied = new Map(config.map((item) => [segmentOf(item, schema), item]))
  const right = [...applied.keys()]
  const shared = right.filter((segment) => present.has(segment))
  const merged = new Set<string>()
  const out: unknown[] = []
  let l = 0
  let r = 0
  let nextShared = 0
  const take = (segment: string) => {
    merged.add(segment)
    out.push(mergeApplied(present.get(segment), applied.get(segment), schema.items))
    if (shared[nextShared] === segment) nextShared++
    r++
  }
  while (l < left.length || r < right.length) {
    const mine = left[l]
    const theirs = right[r]
    if (mine !== undefined) {
      if (mine.segment === theirs) {
        take(mine.segment)
        l++
        continue
      }
      if (!applied.has(mine.segment)) {
        out.push(mine.item)
        l++
        continue
      }
      const wanted = shared[nextShared]
      if (theirs !== undefined && wanted !== undefined && wanted !== mine.segment) {
        // of both lists, but its turn by the configuration's order has passed or not come yet
        l++
        continue
      }
      if (merged.has(mine.segment)) l++
    }
    if (theirs !== undefined) take(theirs)
  }
  return out.length === live.length && out.every((item, index) => item === live[index]) ? live : out
}

/** Lists with the same items in the same order, as one applier leaves them. */
function mergePairs(live: readonly unknown[], config: readonly unknown[], schema: FieldSchema): readonly unknown[] {
  let result: unknown[] | undefined
  for (let index = 0; index < config.length; index++) {
    const merged = mergeApplied(live[index], config[index], schema.items)
    if (merged === live[index]) continue
    result ??= [...live]
    result[index] = merged
  }
  return result ?? live
}
