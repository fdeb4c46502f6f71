import type { Clock } from '../clock.ts'
import { isAborted, isAlreadyExists, isConflict, isNamespaceTerminating, isNotFound, KubeError } from '../error.ts'
import type { Change, Informer } from '../informer/informer.ts'
import type { KubeObject } from '../object.ts'
import { createWorkQueue, type WorkQueue } from '../queue/work-queue.ts'
import type { ObjectKey } from '../resource.ts'
import { keyOf, keyText } from '../store/store.ts'
import { type OwnerKind, ownerKeys } from './owner-keys.ts'
import { TerminalError } from './terminal-error.ts'

/** Reconciles between two turns of the event loop; in process nothing else would let timers and sockets have their turn. */
const RECONCILES_PER_TURN = 64

/** What a reconciler is given besides the key. */
export interface ReconcileContext {
  /** Aborts when the controller stops. */
  readonly signal: AbortSignal
}

/** What a reconciler may answer. */
export interface ReconcileResult {
  /** Looks again after that long, or earlier when something changes. */
  readonly requeueAfterMs?: number
}

/**
 * Brings the world of one object to what the object asks for. It is told which object, never what happened: read the
 * state, compare, act, and expect to be called again for no reason. Runs for one key at a time.
 *
 * A thrown error means another try with back-off (5 ms doubling to 1000 s); `TerminalError` means none.
 */
// biome-ignore lint/suspicious/noConfusingVoidType: an async function without a return is of type Promise<void>
export type Reconcile = (key: ObjectKey, context: ReconcileContext) => Promise<ReconcileResult | void>

/** How a controller works. */
export interface ControllerOptions {
  /** For messages. */
  readonly name: string
  readonly clock: Clock
  /** Keys reconciled at the same time, 1. */
  readonly concurrency?: number
  /**
   * Told of every error that a reconcile or a mapping threw. By default a process warning, but not for what is everyday:
   * conflicts, and objects, or their whole namespace, that came or went meanwhile.
   */
  readonly onError?: (error: unknown, key: ObjectKey | undefined) => void
}

/** A controller that is ready to run. */
export interface Controller {
  readonly queue: Pick<WorkQueue<ObjectKey>, 'length' | 'failures'>
  /**
   * Runs the informers it was built on, waits until they have synced, then reconciles until the signal aborts.
   * Resolves when the reconciles under way have ended. Runs once.
   */
  run(signal: AbortSignal): Promise<void>
  /** Reconciles that object although nothing changed. */
  enqueue(key: ObjectKey): void
}

/** Immutable: each step answers a new builder. */
export interface ControllerBuilder {
  /** Reconciles each object of the informer when it changes. */
  for<T extends KubeObject>(informer: Informer<T>): ControllerBuilder
  /** Reconciles the controller owner (`ownerReferences[].controller`) of that kind, the former one too. */
  owns<T extends KubeObject>(informer: Informer<T>, owner: OwnerKind): ControllerBuilder
  /** Reconciles the objects that `keys` names. `old` is the state before an update. */
  watches<T extends KubeObject>(
    informer: Informer<T>,
    keys: (object: T, old?: T) => readonly ObjectKey[],
  ): ControllerBuilder
  reconcile(reconcile: Reconcile): Controller
}

interface Source {
  readonly informer: Pick<Informer<unknown>, 'run' | 'hasSynced'>
  subscribe(enqueue: (keys: () => readonly ObjectKey[], initial: boolean) => void): () => void
}

/**
 * Begins a controller: say what it looks at, then how it reconciles.
 *
 * @example
 * import { ConfigMaps } from '@trainjob/api'
 *
 * const stop = new AbortController()
 * const maps = createInformer({ client, resource: ConfigMaps, clock: systemClock, namespace: 'default' })
 * const controller = createController({ name: 'greeter', clock: systemClock })
 *   .for(maps)
 *   .reconcile(async ({ name }, { signal }) => {
 *     if (name !== 'greeting') return
 *     const body = { data: { text: 'hello' } }
 *     await client.patch(ConfigMaps, { namespace: 'default', name }, { type: 'merge', body }, { signal })
 *     stop.abort()
 *   })
 * const running = controller.run(stop.signal)
 * const metadata = { name: 'greeting', namespace: 'default' }
 * await client.create(ConfigMaps, { apiVersion: 'v1', kind: 'ConfigMap', metadata })
 * await running
 * const { data } = await client.get(ConfigMaps, metadata)
 * data // => { text: 'hello' }
 */
export function createController(options: ControllerOptions): ControllerBuilder {
  return builder(options, [])
}

function builder(options: ControllerOptions, sources: readonly Source[]): ControllerBuilder {
  const self: ControllerBuilder = {
    for: (informer) => self.watches(informer, (object) => [keyOf(object)]),
    owns: (informer, owner) => self.watches(informer, (object, old) => ownerKeys(owner, object, old)),
    watches: (informer, keys) => builder(options, [...sources, source(informer, keys)]),
    reconcile: (reconcile) => build(options, sources, reconcile),
  }
  return self
}

function source<T>(informer: Informer<T>, keys: (object: T, old?: T) => readonly ObjectKey[]): Source {
  const keysOf = (change: Change<T>) =>
    change.type === 'updated' ? keys(change.object, change.old) : keys(change.object)
  return {
    informer,
    subscribe: (enqueue) =>
      informer.on((change) => enqueue(() => keysOf(change), change.type === 'added' && change.initial)),
  }
}

function build(options: ControllerOptions, sources: readonly Source[], reconcile: Reconcile): Controller {
  const { name, clock, concurrency = 1 } = options
  const queue = createWorkQueue<ObjectKey>({ clock, id: keyText })
  let started = false

  function report(error: unknown, key: ObjectKey | undefined): void {
    if (options.onError !== undefined) options.onError(error, key)
    else if (!isEveryday(error)) {
      const at = key === undefined ? '' : ` ${keyText(key)}`
      process.emitWarning(`${name}${at}: ${error instanceof Error ? error.message : String(error)}`, 'KubeWarning')
    }
  }

  function enqueueAll(keys: () => readonly ObjectKey[], initial: boolean): void {
    try {
      for (const key of keys()) queue.add(key, initial ? 'low' : 'normal')
    } catch (error) {
      report(error, undefined)
    }
  }

  async function reconcileOne(key: ObjectKey, signal: AbortSignal): Promise<void> {
    try {
      const result = await reconcile(key, { signal })
      queue.forget(key)
      if (result?.requeueAfterMs !== undefined) queue.addAfter(key, result.requeueAfterMs)
    } catch (error) {
      if (signal.aborted && isAborted(error)) return
      if (error instanceof TerminalError) queue.forget(key)
      else queue.addRateLimited(key)
      report(error, key)
    } finally {
      queue.done(key)
    }
  }

  async function work(signal: AbortSignal): Promise<void> {
    for (let count = 1; ; count++) {
      const key = await queue.take()
      if (key === undefined) return
      await reconcileOne(key, signal)
      if (count % RECONCILES_PER_TURN === 0) await new Promise((resolve) => setImmediate(resolve))
    }
  }

  return {
    queue,
    enqueue: (key) => queue.add(key),
    async run(signal) {
      if (started) throw new KubeError('usage', `the controller ${name} has run already; build a new one`)
      started = true
      const stop = () => queue.shutDown()
      signal.addEventListener('abort', stop, { once: true })
      if (signal.aborted) stop()
      const unsubscribe = sources.map((each) => each.subscribe(enqueueAll))
      const informers = new Set(sources.map((each) => each.informer))
      const running = [...informers].map((informer) => informer.run(signal))
      try {
        if (signal.aborted) return
        await Promise.all([...informers].map((informer) => informer.hasSynced()))
        await Promise.all(Array.from({ length: concurrency }, () => work(signal)))
      } catch (error) {
        if (!signal.aborted) throw error
      } finally {
        signal.removeEventListener('abort', stop)
        for (const end of unsubscribe) end()
        await Promise.all(running)
      }
    },
  }
}

/** The world has moved on: the next look sees how. */
function isEveryday(error: unknown): boolean {
  return isConflict(error) || isAlreadyExists(error) || isNotFound(error) || isNamespaceTerminating(error)
}
