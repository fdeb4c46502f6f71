import type { KubeObject } from '@trainjob/kube'
import { byCodeUnits, type Collection, createCollection, lowerBound } from './collection.ts'
import { createHistory } from './history.ts'
import type { Store, StoreEvent, StoreListOptions, StorePage } from './store.ts'
import { StoreError } from './store-error.ts'

/** How a memory store behaves. */
export interface MemoryStoreOptions {
  /** Changes that watches and snapshots can go back at least; 8,192 when left out. */
  readonly window?: number
  /** Called on each object before it is shared. Tests freeze it there. */
  readonly beforeShare?: (object: KubeObject) => void
  /** What an earlier store held, by collection and key, and its version. */
  readonly initial?: { readonly version: number; readonly objects: Iterable<readonly [string, string, KubeObject]> }
}

/**
 * A store that lives as long as the process.
 *
 * @example
 * const store = createMemoryStore()
 * const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace: 'default', name: 'a' } }
 * const { metadata } = store.create('configmaps', 'default/a', object)
 * metadata.resourceVersion // => '1'
 * store.list('configmaps', { prefix: 'default/' }).items.length // => 1
 * store.create('configmaps', 'default/a', object) // throws already exists
 */
export function createMemoryStore(options: MemoryStoreOptions = {}): Store {
  let version = options.initial?.version ?? 0
  const collections = new Map<string, Collection>()
  const listeners = new Map<string, Set<(event: StoreEvent) => void>>()
  const history = createHistory(options.window ?? 8192, version)
  for (const [name, key, object] of options.initial?.objects ?? []) collection(name).set(key, object)

  return {
    get version() {
      return version
    },
    get: (name, key) => collections.get(name)?.objects.get(key),
    list,
    create(name, key, object) {
      const target = collection(name)
      if (target.objects.has(key)) throw new StoreError('exists', `${name} "${key}" already exists`)
      const stored = stamp(object)
      target.set(key, stored)
      publish(name, { type: 'created', key, version, object: stored })
      return stored
    },
    update(name, key, object, expected) {
      const target = collection(name)
      const previous = current(name, key, expected)
      const stored = stamp(object)
      target.set(key, stored)
      publish(name, { type: 'updated', key, version, object: stored, previous })
      return stored
    },
    delete(name, key, object, expected) {
      const previous = current(name, key, expected)
      const last = stamp(object)
      collection(name).delete(key)
      publish(name, { type: 'deleted', key, version, object: last, previous })
      return last
    },
    watch(name, since, listener) {
      for (const event of history.after(name, since)) listener(event)
      const set = listeners.get(name) ?? new Set()
      listeners.set(name, set.add(listener))
      return () => {
        set.delete(listener)
      }
    },
    compact: (upTo) => history.forget(Math.min(upTo, version)),
    settled: () => undefined,
    close: async () => {
      listeners.clear()
    },
  }

  function collection(name: string): Collection {
    const found = collections.get(name)
    if (found !== undefined) return found
    const fresh = createCollection()
    collections.set(name, fresh)
    return fresh
  }

  function current(name: string, key: string, expected: string): KubeObject {
    const object = collections.get(name)?.objects.get(key)
    if (object === undefined) throw new StoreError('missing', `${name} "${key}" not found`)
    if (object.metadata.resourceVersion !== expected) {
      throw new StoreError(
        'conflict',
        `${name} "${key}" has version ${object.metadata.resourceVersion}, not ${expected}`,
      )
    }
    return object
  }

  function stamp(object: KubeObject): KubeObject {
    version++
    const stored = { ...object, metadata: { ...object.metadata, resourceVersion: String(version) } }
    options.beforeShare?.(stored)
    return stored
  }

  function publish(name: string, event: StoreEvent): void {
    history.append(name, event)
    const set = listeners.get(name)
    if (set !== undefined) for (const listener of set) listener(event)
  }

  function list(name: string, { prefix = '', after, limit, version: at }: StoreListOptions = {}): StorePage {
    const found = collections.get(name)
    const past = at === undefined || at >= version ? undefined : rollBack(name, at)
    const keys = past === undefined ? (found?.sortedKeys() ?? []) : keysThen(found, past)
    const start = lowerBound(keys, after === undefined || after < prefix ? prefix : `${after}\0`)
    const end = prefix === '' ? keys.length : lowerBound(keys, `${prefix}\uffff`)
    const stop = limit === undefined ? end : Math.min(start + limit, end)
    const items: KubeObject[] = []
    for (let index = start; index < stop; index++) {
      const key = keys[index] as string
      items.push((past?.has(key) ? past.get(key) : found?.objects.get(key)) as KubeObject)
    }
    const page = { items, version: at ?? version, remaining: Math.max(end - stop, 0) }
    return page.remaining === 0 ? page : { ...page, next: keys[stop - 1] as string }
  }

  /** What each key that changed since `at` held then; `undefined` for one that did not exist. */
  function rollBack(name: string, at: number): ReadonlyMap<string, KubeObject | undefined> {
    const then = new Map<string, KubeObject | undefined>()
    for (const event of history.after(name, at)) {
      if (!then.has(event.key)) then.set(event.key, event.previous)
    }
    return then
  }
}

/** The keys that there were when the objects of `past` were as it says. */
function keysThen(now: Collection | undefined, past: ReadonlyMap<string, KubeObject | undefined>): readonly string[] {
  const keys = new Set(now?.sortedKeys())
  for (const [key, object] of past) {
    if (object === undefined) keys.delete(key)
    else keys.add(key)
  }
  return [...keys].sort(byCodeUnits)
}
