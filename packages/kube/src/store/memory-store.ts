import { KubeError } from '../error.ts'
import type { ObjectKey } from '../resource.ts'
import { type Indexers, keyOf, keyText, type Store } from './store.ts'

/** A store that its owner fills. */
export interface WritableStore<T> extends Store<T> {
  readonly size: number
  /** Stores the object and answers the one it replaced. */
  set(object: T): T | undefined
  /** Answers the object that was there. */
  delete(key: ObjectKey): T | undefined
}

/**
 * An in-memory store. Indexes are kept up to date on write, so a read costs nothing but the lookup.
 * An indexer that throws leaves the store as it was.
 *
 * @example
 * const store = createStore<KubeObject>({ kind: ({ kind }) => [kind] })
 * store.set({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a', namespace: 'default' } })
 * store.byIndex('kind', 'Pod').length // => 1
 * store.byIndex('colour', 'blue') // throws usage
 */
export function createStore<T extends { metadata: { namespace?: string; name?: string } }>(
  indexers: Indexers<T> = {},
): WritableStore<T> {
  const objects = new Map<string, T>()
  const indexes = new Map(Object.entries(indexers).map(([name, values]) => [name, createIndex(values)]))
  let listed: readonly T[] | undefined

  return {
    get size() {
      return objects.size
    },
    get: (key) => objects.get(keyText(key)),
    list() {
      listed ??= [...objects.values()]
      return listed
    },
    byIndex(name, value) {
      const index = indexes.get(name)
      if (index === undefined) {
        const known = [...indexes.keys()].join(', ') || 'none'
        throw new KubeError('usage', `expected one of the indexes of this store (${known}), found "${name}"`)
      }
      return index.read(value)
    },
    set(object) {
      const id = keyText(keyOf(object))
      const old = objects.get(id)
      // all indexers run before anything changes
      const updates = [...indexes.values()].map((index) => index.plan(id, object))
      for (const update of updates) update()
      objects.set(id, object)
      listed = undefined
      return old
    },
    delete(key) {
      const id = keyText(key)
      const old = objects.get(id)
      if (old === undefined) return undefined
      objects.delete(id)
      for (const index of indexes.values()) index.remove(id)
      listed = undefined
      return old
    },
  }
}

const NOTHING: readonly never[] = Object.freeze([])

interface Bucket<T> {
  readonly objects: Map<string, T>
  listed: readonly T[] | undefined
}

function createIndex<T>(valuesOf: (object: T) => readonly string[]) {
  const buckets = new Map<string, Bucket<T>>()
  const valuesById = new Map<string, readonly string[]>()

  function remove(id: string): void {
    for (const value of valuesById.get(id) ?? NOTHING) {
      const bucket = buckets.get(value)
      if (bucket === undefined) continue
      bucket.objects.delete(id)
      bucket.listed = undefined
      if (bucket.objects.size === 0) buckets.delete(value)
    }
    valuesById.delete(id)
  }

  function add(id: string, object: T, values: readonly string[]): void {
    for (const value of values) {
      let bucket = buckets.get(value)
      if (bucket === undefined) {
        bucket = { objects: new Map(), listed: undefined }
        buckets.set(value, bucket)
      }
      bucket.objects.set(id, object)
      bucket.listed = undefined
    }
    if (values.length > 0) valuesById.set(id, values)
  }

  return {
    read(value: string): readonly T[] {
      const bucket = buckets.get(value)
      if (bucket === undefined) return NOTHING
      bucket.listed ??= [...bucket.objects.values()]
      return bucket.listed
    },
    plan(id: string, object: T): () => void {
      const values = [...valuesOf(object)]
      return () => {
        const before = valuesById.get(id)
        // the order of arrival survives an update that changes no value
        if (before === undefined || before.length !== values.length || before.some((value, i) => value !== values[i])) {
          remove(id)
        }
        add(id, object, values)
      }
    },
    remove,
  }
}
