import { type FieldSchema, fieldOf, isGranularMap, isKeyedList } from './field-schema.ts'
import { itemsBySegment, segmentOf } from './list-keys.ts'

/** The live object with an applied configuration laid over it; neither is changed. */
export function mergeApplied(live: unknown, config: unknown, schema: FieldSchema | undefined): unknown {
  if (live === undefined) return config
  if (isGranularMap(config, schema) && isGranularMap(live, schema)) {
    const result: Record<string, unknown> = { ...live }
    for (const key of Object.keys(config)) {
      result[key] = mergeApplied(Object.hasOwn(live, key) ? live[key] : undefined, config[key], fieldOf(schema, key))
    }
    return result
  }
  if (isKeyedList(config, schema) && isKeyedList(live, schema)) return mergeLists(live, config, schema as FieldSchema)
  return config
}

/**
 * Items of both lists. Items of the configuration come in its order; an item that only the live list has stays behind
 * the one it followed (source: structured-merge-diff, typed/merge.go).
 */
function mergeLists(live: readonly unknown[], config: readonly unknown[], schema: FieldSchema): unknown[] {
  const applied = itemsBySegment(config, schema)
  const present = itemsBySegment(live, schema)
  const left = live.map((item) => ({ item, segment: segmentOf(item, schema) }))
  const right = [...applied.keys()]
  const shared = right.filter((segment) => present.has(segment))
  const done = new Set<string>()
  const out: unknown[] = []
  let l = 0
  let r = 0
  let nextShared = 0
  const emit = (segment: string) => {
    done.add(segment)
    out.push(mergeApplied(present.get(segment), applied.get(segment), schema.items))
    if (shared[nextShared] === segment) nextShared++
    r++
  }
  while (l < left.length || r < right.length) {
    const mine = left[l]
    const theirs = right[r]
    if (mine !== undefined) {
      if (mine.segment === theirs) {
        emit(mine.segment)
        l++
        continue
      }
      if (!applied.has(mine.segment)) {
        out.push(mine.item)
        l++
        continue
      }
      // an item of both lists whose turn, by the configuration's order, has passed or not come yet
      if (done.has(mine.segment) || (theirs !== undefined && shared[nextShared] !== mine.segment)) {
        l++
        continue
      }
    }
    if (theirs !== undefined) emit(theirs)
    else l++
  }
  return out
}
