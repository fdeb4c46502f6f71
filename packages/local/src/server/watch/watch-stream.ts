import type { Clock, KubeObject } from '@trainjob/kube'
import type { Store, StoreEvent } from '../../store/store.ts'
import type { EventBatch, ServerEvent } from '../api-response.ts'
import type { Selection } from '../selectors/selection.ts'

/** What a watch shows and how long. */
export interface WatchOptions {
  readonly store: Store
  readonly clock: Clock
  readonly collection: string
  /** Only objects whose key starts with it. */
  readonly prefix: string
  readonly selection: Selection
  /** Handed out first. */
  readonly initial: readonly ServerEvent[]
  /** The version behind which changes are shown. */
  readonly since: number
  /** Makes a bookmark of a version; left out when the client wants none. */
  readonly bookmark?: (version: number) => ServerEvent
  readonly timeoutMs: number
  readonly signal?: AbortSignal
}

const BOOKMARK_EVERY_MS = 60_000
/** A reader that is this far behind is sent away: it will list again, which is cheaper for both. */
const MAX_WAITING = 50_000

/**
 * The events of a watch, from now on: a batch is handed over as soon as an event waits. Ends at the timeout, when the reader leaves or when
 * the signal aborts. Throws `StoreError` `expired` before the first event when the past is forgotten.
 */
export function watchStream(options: WatchOptions): AsyncIterable<EventBatch> {
  const stream = new WatchStream(options)
  return { [Symbol.asyncIterator]: () => stream }
}

class WatchStream implements AsyncIterator<EventBatch>, EventBatch {
  readonly #options: WatchOptions
  #waiting: ServerEvent[]
  #wake: ((result: IteratorResult<EventBatch>) => void) | undefined
  #ended = false
  readonly #stopWatching: () => void
  #cancelTimeout: () => void
  #cancelBookmark: () => void = () => {}

  constructor(options: WatchOptions) {
    this.#options = options
    this.#waiting = [...options.initial]
    const { store, clock, collection, since, signal } = options
    this.#stopWatching = store.watch(collection, since, (event) => this.#onChange(event))
    this.#cancelTimeout = clock.after(options.timeoutMs, () => this.#end())
    if (options.bookmark !== undefined) this.#scheduleBookmark(options.bookmark)
    if (signal?.aborted === true) this.#end()
    signal?.addEventListener('abort', this.#onAbort, { once: true })
  }

  take(): readonly ServerEvent[] {
    const batch = this.#waiting
    this.#waiting = []
    return batch
  }

  next(): Promise<IteratorResult<EventBatch>> {
    if (this.#waiting.length > 0) return Promise.resolve({ done: false, value: this })
    if (this.#ended) return Promise.resolve({ done: true, value: undefined })
    return new Promise((resolve) => {
      this.#wake = resolve
    })
  }

  return(): Promise<IteratorResult<EventBatch>> {
    this.#waiting = []
    this.#end()
    return Promise.resolve({ done: true, value: undefined })
  }

  readonly #onAbort = (): void => {
    this.#end()
  }

  #onChange(change: StoreEvent): void {
    if (!change.key.startsWith(this.#options.prefix)) return
    const event = shownAs(change, this.#options.selection)
    if (event !== undefined) this.#push(event)
  }

  #push(event: ServerEvent): void {
    this.#waiting.push(event)
    if (this.#waiting.length > MAX_WAITING) this.#end()
    this.#wake?.({ done: false, value: this })
    this.#wake = undefined
  }

  #scheduleBookmark(bookmark: (version: number) => ServerEvent): void {
    this.#cancelBookmark = this.#options.clock.after(BOOKMARK_EVERY_MS, () => {
      this.#push(bookmark(this.#options.store.version))
      this.#scheduleBookmark(bookmark)
    })
  }

  #end(): void {
    if (this.#ended) return
    this.#ended = true
    this.#stopWatching()
    this.#cancelTimeout()
    this.#cancelBookmark()
    this.#options.signal?.removeEventListener('abort', this.#onAbort)
    this.#wake?.({ done: true, value: undefined })
    this.#wake = undefined
  }
}

/** How a change looks through a selection: objects that enter or leave it are new or gone. */
function shownAs({ type, object, previous }: StoreEvent, selection: Selection): ServerEvent | undefined {
  const before = previous !== undefined && (selection === undefined || selection(previous))
  const after = type !== 'deleted' && (selection === undefined || selection(object))
  if (after) return { type: before ? 'MODIFIED' : 'ADDED', object }
  if (!before) return undefined
  return { type: 'DELETED', object: type === 'deleted' ? object : withVersionOf(previous, object) }
}

/** What leaves a selection is shown as it was last seen, at the version of the change. */
function withVersionOf(previous: KubeObject, { metadata: { resourceVersion } }: KubeObject): KubeObject {
  return {
    ...previous,
    metadata: { ...previous.metadata, ...(resourceVersion !== undefined && { resourceVersion }) },
  }
}
