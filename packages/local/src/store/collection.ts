import type { KubeObject } from '@trainjob/kube'

/** Objects of one collection by key, with their keys in code-unit order when somebody asks for them. */
export interface Collection {
  readonly objects: ReadonlyMap<string, KubeObject>
  set(key: string, object: KubeObject): void
  delete(key: string): void
  /** Valid until the next change. */
  sortedKeys(): readonly string[]
}

/**
 * The keys are sorted on demand: a write costs no more than a map entry, and sorting what is nearly sorted (new keys
 * at the end) is close to linear.
 */
export function createCollection(): Collection {
  const objects = new Map<string, KubeObject>()
  let keys: string[] = []
  /** Deleted, but still in `keys`: dropping one at once would cost a walk over all. */
  const stale = new Set<string>()
  let unsorted = false
  return {
    objects,
    set(key, object) {
      if (!objects.has(key) && !stale.delete(key)) {
        keys.push(key)
        unsorted = true
      }
      objects.set(key, object)
    },
    delete(key) {
      if (objects.delete(key)) stale.add(key)
    },
    sortedKeys() {
      if (stale.size > 0) {
        keys = keys.filter((key) => !stale.has(key))
        stale.clear()
      }
      if (unsorted) {
        keys.sort(byCodeUnits)
        unsorted = false
      }
      return keys
    },
  }
}

/** The order of keys. */
export function byCodeUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** Index of the first key that is at or behind `bound`. */
export function lowerBound(keys: readonly string[], bound: string): number {
  let low = 0
  let high = keys.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((keys[middle] as string) < bound) low = middle + 1
    else high = middle
  }
  return low
}
