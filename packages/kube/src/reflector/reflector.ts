import { childSignal } from '../child-signal.ts'
import type { Client, WatchEvent } from '../client.ts'
import type { Clock } from '../clock.ts'
import { ConnectionError, isAborted, isExpired } from '../error.ts'
import type { KubeObject } from '../object.ts'
import type { Resource } from '../resource.ts'
import { sleep } from '../sleep.ts'
import { nextReflectorState, REFLECTOR_START, type ReflectorInput, type ReflectorState } from './state.ts'

const PAGE_SIZE = 500
/** Servers answer a list within a minute or not at all. */
const LIST_TIMEOUT_MS = 120_000
const WATCH_SECONDS = { min: 240, max: 290 }
/** How much longer than asked for a watch may stay open before it counts as dead. */
const WATCHDOG_MARGIN_MS = 30_000

/** Receives the server's state, in order, from one task. It must not throw. */
export interface ReflectorSink<T> {
  /** The whole state: what is not in it does not exist any more. */
  replace(objects: readonly T[]): void
  set(object: T): void
  delete(object: T): void
}

/** What to mirror, and where to. */
export interface ReflectorOptions<T extends KubeObject> {
  readonly client: Pick<Client, 'list' | 'watch'>
  readonly resource: Resource<T>
  readonly clock: Clock
  readonly sink: ReflectorSink<T>
  /** All namespaces when left out. */
  readonly namespace?: string
  readonly labelSelector?: string
  readonly fieldSelector?: string
  /** In [0, 1); jitter of back-off and time-outs. */
  readonly random?: () => number
  /** Told of every failed request before it is repeated; a forgotten version is no failure. */
  readonly onError?: (error: unknown) => void
}

/** Counted since the reflector was created. */
export interface ReflectorStats {
  readonly lists: number
  readonly watches: number
  readonly failures: number
  readonly events: number
  /** Clock time of the last page or event. */
  readonly lastHeardAt: number | undefined
}

/** See `createReflector`. */
export interface Reflector {
  readonly stats: ReflectorStats
  readonly state: ReflectorState
  /** Mirrors the server into the sink until the signal aborts; never rejects, never stops by itself. Run it once at a time. */
  run(signal: AbortSignal): Promise<void>
}

/**
 * Keeps a sink equal to the objects of one kind on the server, through every kind of broken connection. `createInformer` is the same with a store.
 *
 * @example
 * import { Namespaces } from '@trainjob/api'
 *
 * const stop = new AbortController()
 * const seen: (string | undefined)[] = []
 * const reflector = createReflector({
 *   client,
 *   resource: Namespaces,
 *   clock: systemClock,
 *   sink: {
 *     replace(objects) {
 *       seen.push(...objects.map(({ metadata }) => metadata.name))
 *       stop.abort()
 *     },
 *     set() {},
 *     delete() {},
 *   },
 * })
 * await reflector.run(stop.signal)
 * seen.includes('default') // => true
 */
export function createReflector<T extends KubeObject>(options: ReflectorOptions<T>): Reflector {
  const { client, resource, clock, sink, random = Math.random, onError } = options
  const scope = {
    ...(options.namespace !== undefined && { namespace: options.namespace }),
    ...(options.labelSelector !== undefined && { labelSelector: options.labelSelector }),
    ...(options.fieldSelector !== undefined && { fieldSelector: options.fieldSelector }),
  }
  const stats = { lists: 0, watches: 0, failures: 0, events: 0, lastHeardAt: undefined as number | undefined }
  let state: ReflectorState = REFLECTOR_START
  let pages: T[] = []

  function heard(input: ReflectorInput): void {
    stats.lastHeardAt = clock.now()
    state = nextReflectorState(state, input, random())
  }

  async function list(from: Extract<ReflectorState, { phase: 'list' }>, signal: AbortSignal): Promise<void> {
    if (from.continue === undefined) {
      stats.lists++
      pages = []
    }
    const at =
      from.continue !== undefined
        ? { continue: from.continue }
        : from.resourceVersion === ''
          ? {}
          : { resourceVersion: from.resourceVersion }
    const page = await client.list(resource, { ...scope, ...at, limit: PAGE_SIZE, signal })
    for (const object of page.items) pages.push(object)
    const next = page.metadata.continue || undefined
    if (next === undefined) {
      const objects = pages
      pages = []
      sink.replace(objects)
    }
    heard({ type: 'page', resourceVersion: page.metadata.resourceVersion ?? '', continue: next })
  }

  async function watch(from: string, timeoutSeconds: number, signal: AbortSignal): Promise<void> {
    stats.watches++
    const events = client.watch(resource, {
      ...scope,
      resourceVersion: from,
      allowWatchBookmarks: true,
      timeoutSeconds,
      signal,
    })
    for await (const event of events) take(event)
  }

  function take(event: WatchEvent<T>): void {
    if (event.type === 'DELETED') sink.delete(event.object)
    else if (event.type !== 'BOOKMARK') sink.set(event.object)
    if (event.type !== 'BOOKMARK') stats.events++
    const { resourceVersion } = event.object.metadata
    if (resourceVersion !== undefined) heard({ type: 'event', resourceVersion })
  }

  /** One request of the current state, under a watchdog. */
  async function step(signal: AbortSignal): Promise<void> {
    const current = state
    if (current.phase === 'pause') {
      await sleep(clock, current.ms, signal)
      state = nextReflectorState(current, { type: 'rested' }, 0)
      return
    }
    const timeoutSeconds = Math.floor(WATCH_SECONDS.min + random() * (WATCH_SECONDS.max - WATCH_SECONDS.min + 1))
    const limitMs = current.phase === 'list' ? LIST_TIMEOUT_MS : timeoutSeconds * 1000 + WATCHDOG_MARGIN_MS
    const openedAt = clock.now()
    const own = childSignal(signal)
    const silent = () =>
      new ConnectionError(`the ${current.phase} of ${resource.plural} neither ended nor failed within ${limitMs} ms`)
    const stopWatchdog = clock.after(limitMs, () => own.abort(silent()))
    try {
      if (current.phase === 'list') await list(current, own.signal)
      else {
        await watch(current.resourceVersion, timeoutSeconds, own.signal)
        state = nextReflectorState(state, { type: 'ended', openMs: clock.now() - openedAt }, random())
      }
    } catch (thrown) {
      if (signal.aborted) return
      const error = isAborted(thrown) ? own.signal.reason : thrown
      if (!isExpired(error)) {
        stats.failures++
        onError?.(error)
      }
      state = nextReflectorState(state, { type: 'failed', error, openMs: clock.now() - openedAt }, random())
    } finally {
      stopWatchdog()
      own.release()
    }
  }

  return {
    stats,
    get state() {
      return state
    },
    async run(signal) {
      state = REFLECTOR_START
      while (!signal.aborted) await step(signal)
    },
  }
}
