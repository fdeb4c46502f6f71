import type { Client } from '../client.ts'
import type { Clock } from '../clock.ts'
import { KubeError } from '../error.ts'
import type { KubeObject } from '../object.ts'
import { createReflector, type ReflectorSink, type ReflectorStats } from '../reflector/reflector.ts'
import type { Resource } from '../resource.ts'
import { createStore } from '../store/memory-store.ts'
import { type Indexers, keyOf, keyText, type Store } from '../store/store.ts'
import { stripManagedFields } from './strip-managed-fields.ts'

/** One change of the cache, told after the store has taken it. */
export type Change<T> =
  /** `initial`: it was there before the handler or the informer was. */
  | { readonly type: 'added'; readonly object: T; readonly initial: boolean }
  | { readonly type: 'updated'; readonly object: T; readonly old: T }
  /** `object` is the last state known, which may be older than the server's when the connection was down. */
  | { readonly type: 'deleted'; readonly object: T }

/** What to cache, and how. */
export interface InformerOptions<T extends KubeObject> {
  readonly client: Pick<Client, 'list' | 'watch'>
  readonly resource: Resource<T>
  readonly clock: Clock
  /** All namespaces when left out. */
  readonly namespace?: string
  readonly labelSelector?: string
  readonly fieldSelector?: string
  readonly indexers?: Indexers<T>
  /** Changes what is cached; must not change its argument. By default `metadata.managedFields` is left out. */
  readonly transform?: (object: T) => T
  /** In [0, 1). */
  readonly random?: () => number
  /**
   * Told of failed requests (each is repeated), and of handlers, indexers and transforms that threw. By default only
   * the latter are shown, as a process warning.
   */
  readonly onError?: (error: unknown) => void
}

/** A live cache of one kind, to be shared by everyone who reads it. */
export interface Informer<T> {
  readonly store: Store<T>
  readonly synced: boolean
  readonly stats: ReflectorStats
  /** Resolves once the store holds the server's state. Rejects with `KubeError` (`aborted`) when the informer stops before. */
  hasSynced(): Promise<void>
  /**
   * Calls `handler` for every object that is there and for every change to come, until the answer is called. Handlers
   * run in the task that received the event: enqueue and return.
   */
  on(handler: (change: Change<T>) => void): () => void
  /**
   * Keeps the cache going until the signal aborts. Several callers share one connection, which closes with the last.
   * Never rejects.
   */
  run(signal: AbortSignal): Promise<void>
}

/**
 * A live cache of the objects of one kind; it fills while `run` runs.
 *
 * @example
 * import { Namespaces } from '@trainjob/api'
 *
 * const stop = new AbortController()
 * const namespaces = createInformer({
 *   client,
 *   resource: Namespaces,
 *   clock: systemClock,
 *   indexers: { phase: ({ status }) => [status?.phase ?? 'Unknown'] },
 * })
 * const running = namespaces.run(stop.signal)
 * await namespaces.hasSynced()
 * namespaces.store.byIndex('phase', 'Active').some(({ metadata }) => metadata.name === 'default') // => true
 * stop.abort()
 * await running
 */
export function createInformer<T extends KubeObject>(options: InformerOptions<T>): Informer<T> {
  const { transform = stripManagedFields, onError } = options
  const store = createStore<T>(options.indexers)
  const handlers = new Set<(change: Change<T>) => void>()
  const waiters = new Set<{ resolve: () => void; reject: (error: KubeError) => void }>()
  let synced = false
  let running: { users: number; readonly stop: AbortController; readonly done: Promise<void> } | undefined

  function tell(change: Change<T>): void {
    for (const handler of handlers) call(handler, change)
  }

  function call(handler: (change: Change<T>) => void, change: Change<T>): void {
    try {
      handler(change)
    } catch (error) {
      // one broken handler must not cost the others their events
      if (onError !== undefined) onError(error)
      else warn(error)
    }
  }

  function warn(error: unknown): void {
    process.emitWarning(`the informer of ${options.resource.plural}: ${String(error)}`, 'KubeWarning')
  }

  function set(object: T, initial: boolean): void {
    const before = store.get(keyOf(object))
    const { uid, resourceVersion } = object.metadata
    if (before !== undefined && before.metadata.uid === uid) {
      if (resourceVersion !== undefined && before.metadata.resourceVersion === resourceVersion) return
      const cached = transform(object)
      store.set(cached)
      tell({ type: 'updated', object: cached, old: before })
      return
    }
    // the name was taken over by another object while nobody looked
    if (before !== undefined) remove(before)
    const cached = transform(object)
    store.set(cached)
    tell({ type: 'added', object: cached, initial })
  }

  function remove(object: T): void {
    if (store.delete(keyOf(object)) !== undefined) tell({ type: 'deleted', object })
  }

  const sink: ReflectorSink<T> = {
    replace(objects) {
      const present = new Set<string>()
      for (const object of objects) {
        present.add(keyText(keyOf(object)))
        set(object, !synced)
      }
      for (const object of store.list()) if (!present.has(keyText(keyOf(object)))) remove(object)
      synced = true
      for (const waiter of waiters) waiter.resolve()
      waiters.clear()
    },
    set: (object) => set(object, false),
    delete: (object) => remove(transform(object)),
  }
  const reflector = createReflector<T>({
    ...options,
    sink,
    onError(error) {
      if (onError !== undefined) onError(error)
      // a lost connection is everyday; an index function or a transform that throws is not
      else if (!(error instanceof KubeError)) warn(error)
    },
  })

  function start(): NonNullable<typeof running> {
    const stop = new AbortController()
    const done = reflector.run(stop.signal).finally(() => {
      running = undefined
      const stopped = new KubeError(
        'aborted',
        `the informer of ${options.resource.plural} stopped before it had synced`,
      )
      for (const waiter of waiters) waiter.reject(stopped)
      waiters.clear()
    })
    return { users: 0, stop, done }
  }

  return {
    store,
    get synced() {
      return synced
    },
    stats: reflector.stats,
    hasSynced() {
      if (synced) return Promise.resolve()
      return new Promise((resolve, reject) => waiters.add({ resolve, reject }))
    },
    on(handler) {
      const own = (change: Change<T>) => handler(change)
      for (const object of store.list()) call(own, { type: 'added', object, initial: true })
      handlers.add(own)
      return () => handlers.delete(own)
    },
    async run(signal) {
      if (signal.aborted) return
      // one that was told to stop cannot be joined
      while (running?.stop.signal.aborted) await running.done
      running ??= start()
      const current = running
      current.users++
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
      current.users--
      if (current.users > 0) return
      current.stop.abort(signal.reason)
      await current.done
    },
  }
}
