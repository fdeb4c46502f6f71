import type { KubeObject } from '@trainjob/kube'

/** One change. The same value is handed to every listener. */
export interface StoreEvent {
  readonly type: 'created' | 'updated' | 'deleted'
  readonly key: string
  readonly version: number
  /** The new state; of a deletion the last state, carrying the deletion's resourceVersion. */
  readonly object: KubeObject
  /** The state before; absent when the object is new. */
  readonly previous?: KubeObject
}

/** Which objects of a collection. */
export interface StoreListOptions {
  /** Only keys that start with it, for example `default/`. */
  readonly prefix?: string
  /** Only keys behind it in code-unit order. */
  readonly after?: string
  readonly limit?: number
  /** The state as of this version; the latest when left out. */
  readonly version?: number
}

/** Objects of one version. */
export interface StorePage {
  /** In the order of their keys. */
  readonly items: readonly KubeObject[]
  /** The version the items are a snapshot of. */
  readonly version: number
  /** Key of the last item when more follow. */
  readonly next?: string
  /** How many follow. */
  readonly remaining: number
}

/**
 * Where the API server keeps objects: collections (`pods`, `jobs.batch`) of objects by key (`namespace/name`, or `name`
 * where the kind has no namespace), under one version that grows with every write and is stamped into
 * `metadata.resourceVersion`.
 *
 * An object handed in or out is shared from then on: nobody may change it. Every call takes effect at once and throws
 * `StoreError`. Listeners run inside the write, after it took effect and in the order of versions; they must not throw.
 */
export interface Store {
  readonly version: number
  get(collection: string, key: string): KubeObject | undefined
  /** Throws `expired` when the version is older than the history. */
  list(collection: string, options?: StoreListOptions): StorePage
  /** The stored object. Throws `exists`. */
  create(collection: string, key: string, object: KubeObject): KubeObject
  /** Replaces the object that `expected` is the resourceVersion of. Throws `missing` or `conflict`. */
  update(collection: string, key: string, object: KubeObject, expected: string): KubeObject
  /** Removes it; `object` is the last state that watchers see. Throws `missing` or `conflict`. */
  delete(collection: string, key: string, object: KubeObject, expected: string): KubeObject
  /** Calls the listener for every change after `since`, past ones before it returns. Throws `expired`. */
  watch(collection: string, since: number, listener: (event: StoreEvent) => void): () => void
  /** Forgets the history up to and including `version`. */
  compact(version: number): void
  /** Resolves when every write so far would survive a crash; `undefined` when that is so already, or never. */
  settled(): Promise<void> | undefined
  close(): Promise<void>
}
