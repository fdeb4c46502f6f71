import { RenderError } from '../error.ts'
import { withoutDirectives } from './directives.ts'
import { type Fields, isFields } from './fields.ts'
import { orderList } from './order.ts'

/** Merges two items with the same key. */
export type MergeItem = (item: Fields, change: Fields, path: string) => Fields

/**
 * Two values of one list: joined by `mergeKey`, joined as a set where it is `''`, else replaced by `patch`.
 *
 * @throws RenderError `invalid-patch`
 */
export function mergeList(
  original: readonly unknown[],
  patch: readonly unknown[],
  mergeKey: string | undefined,
  path: string,
  mergeItem: MergeItem,
): readonly unknown[] {
  if (mergeKey === undefined) return withoutDirectives(patch) as unknown[]
  if (mergeKey === '') return orderList([...new Set([...original, ...patch])], patch, original)

  const { kept, changes } = applyItemDirectives(original, patch, mergeKey, path)
  const merged = kept.slice()
  const positions = new Map<unknown, number>()
  for (let i = merged.length - 1; i >= 0; i--) positions.set(keyOf(merged[i], mergeKey), i)
  for (const change of changes) {
    const key = requiredKey(change, mergeKey, path)
    const at = positions.get(key)
    if (at === undefined) {
      positions.set(key, merged.length)
      merged.push(withoutDirectives(change))
    } else {
      merged[at] = mergeItem(merged[at] as Fields, change, `${path}[${mergeKey}=${String(key)}]`)
    }
  }
  const byKey = (item: unknown): unknown => keyOf(item, mergeKey)
  return orderList(merged, changes.map(byKey), kept.map(byKey), byKey)
}

/** Takes `$patch: delete` and `$patch: replace` items out of the patch: which old items stay, which changes are left. */
function applyItemDirectives(
  original: readonly unknown[],
  patch: readonly unknown[],
  mergeKey: string,
  path: string,
): { kept: readonly unknown[]; changes: readonly Fields[] } {
  const changes: Fields[] = []
  const deleted = new Set<unknown>()
  let replace = false
  for (const item of patch) {
    if (!isFields(item)) {
      throw new RenderError('invalid-patch', path, `Items of ${path} must be objects, found ${JSON.stringify(item)}.`)
    }
    const directive = item.$patch
    if (directive === undefined) changes.push(item)
    else if (directive === 'delete') deleted.add(requiredKey(item, mergeKey, path))
    else if (directive === 'replace') replace = true
    else {
      throw new RenderError(
        'invalid-patch',
        path,
        `$patch in an item of ${path} must be replace or delete, found ${JSON.stringify(directive)}.`,
      )
    }
  }
  if (replace) return { kept: [], changes }
  return {
    kept: deleted.size === 0 ? original : original.filter((item) => !deleted.has(keyOf(item, mergeKey))),
    changes,
  }
}

function keyOf(item: unknown, mergeKey: string): unknown {
  return isFields(item) ? item[mergeKey] : undefined
}

function requiredKey(item: Fields, mergeKey: string, path: string): unknown {
  const key = item[mergeKey]
  if (key === undefined) {
    throw new RenderError(
      'invalid-patch',
      path,
      `Each item of ${path} needs ${mergeKey}, by which the list is merged; found ${JSON.stringify(item)}.`,
    )
  }
  return key
}
