import type { StoreEvent } from './store.ts'
import { StoreError } from './store-error.ts'

/** The last changes of all collections, oldest first, for watches that start in the past and for old snapshots. */
export interface History {
  append(collection: string, event: StoreEvent): void
  /** Changes of one collection after `version`. Throws `expired` when some of them are forgotten. */
  after(collection: string, version: number): readonly StoreEvent[]
  forget(version: number): void
}

/** Keeps between `window` and twice as many changes. */
export function createHistory(window: number, start: number): History {
  let entries: { readonly collection: string; readonly event: StoreEvent }[] = []
  /** Everything up to and including this version is forgotten. */
  let floor = start
  return {
    append(collection, event) {
      entries.push({ collection, event })
      // dropping half at once makes the cost of one append constant
      if (entries.length > 2 * window) dropFirst(entries.length - window)
    },
    after(collection, version) {
      if (version < floor) throw new StoreError('expired', `too old resource version: ${version} (${floor})`)
      const found: StoreEvent[] = []
      for (let index = firstAfter(version); index < entries.length; index++) {
        const entry = entries[index]
        if (entry?.collection === collection) found.push(entry.event)
      }
      return found
    },
    forget(version) {
      dropFirst(firstAfter(version))
      if (version > floor) floor = version
    },
  }

  function dropFirst(count: number): void {
    if (count === 0) return
    floor = entries[count - 1]?.event.version ?? floor
    entries = entries.slice(count)
  }

  function firstAfter(version: number): number {
    let low = 0
    let high = entries.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((entries[middle]?.event.version ?? 0) <= version) low = middle + 1
      else high = middle
    }
    return low
  }
}
