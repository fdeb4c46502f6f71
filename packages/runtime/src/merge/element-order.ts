import { RenderError } from '../error.ts'
import { isPatchDirective, withoutDirectives } from './directives.ts'
import { type Fields, isFields } from './fields.ts'
import { orderList } from './order.ts'

/** Prefix of the directive that gives a list its order; the list's name follows. */
export const SET_ELEMENT_ORDER = '$setElementOrder/'

/** The list that a `$setElementOrder` directive speaks of. */
export interface OrderedList {
  /** The struct so far; its list is replaced. */
  readonly merged: Record<string, unknown>
  readonly patch: Fields
  readonly name: string
  readonly path: string
  readonly mergeKey: string | undefined
}

/**
 * Merges the list of the patch (when it has one) and puts the result into the directive's order.
 *
 * @throws RenderError `invalid-patch` when the patch's own items stand in another order
 */
export function applyElementOrder(
  { merged, patch, name, path, mergeKey }: OrderedList,
  merge: (list: readonly unknown[], changes: readonly unknown[]) => readonly unknown[],
): void {
  const order = patch[SET_ELEMENT_ORDER + name]
  if (!Array.isArray(order)) {
    throw new RenderError('invalid-patch', path, `${SET_ELEMENT_ORDER}${name} must be a list.`)
  }
  const list = merged[name]
  const changes = patch[name]
  if (changes === null) {
    delete merged[name]
    return
  }
  const keyOf = (item: unknown): unknown => (mergeKey && isFields(item) ? item[mergeKey] : item)
  const first = order.map(keyOf)
  if (Array.isArray(changes)) assertSameOrder(changes, first, keyOf, path)
  if (Array.isArray(list)) {
    const both = Array.isArray(changes) ? merge(list, changes) : list
    merged[name] = orderList(both, first, oldOrder(list, Array.isArray(changes) ? changes : [], keyOf), keyOf)
  } else if (Array.isArray(changes)) {
    merged[name] = orderList(withoutDirectives(changes) as unknown[], first, [], keyOf)
  }
}

/** The keys of the old list, where new items have taken the places that deleted ones left, as Kubernetes has it. */
function oldOrder(
  list: readonly unknown[],
  changes: readonly unknown[],
  keyOf: (item: unknown) => unknown,
): readonly unknown[] {
  const keys = list.map(keyOf)
  const deleted = new Set(changes.filter(isPatchDirective).map(keyOf))
  if (deleted.size === 0) return keys
  const kept = keys.filter((key) => !deleted.has(key))
  const known = new Set(kept)
  const added = changes.filter((change) => !isPatchDirective(change) && !known.has(keyOf(change))).map(keyOf)
  return [...kept, ...added].slice(0, keys.length)
}

function assertSameOrder(
  changes: readonly unknown[],
  first: readonly unknown[],
  keyOf: (item: unknown) => unknown,
  path: string,
): void {
  if (first.length === 0) return
  let at = 0
  for (const change of changes) {
    if (isPatchDirective(change)) continue
    while (at < first.length && first[at] !== keyOf(change)) at++
    if (at++ < first.length) continue
    throw new RenderError(
      'invalid-patch',
      path,
      `The items of ${path} must stand in the order of its $setElementOrder; ${JSON.stringify(keyOf(change))} does not.`,
    )
  }
}
