import type { Clock } from '../clock.ts'

/**
 * A de-duplicating queue of things to look at again. A key that is handed out stays reserved until `done`; added
 * meanwhile, it comes back after. So no two workers ever hold the same key, and no addition is lost.
 */
export interface WorkQueue<K> {
  /** Keys waiting to be handed out now; delayed and reserved ones are not counted. */
  readonly length: number
  /** Enqueues the key now, ahead of a delayed addition of the same key. `low` waits until nothing else does. */
  add(key: K, priority?: 'normal' | 'low'): void
  /** Enqueues the key after `ms`; of several delayed additions of a key the earliest counts. */
  addAfter(key: K, ms: number): void
  /** Enqueues the key after its own exponential back-off. */
  addRateLimited(key: K): void
  /** The key went well: its next back-off starts anew. */
  forget(key: K): void
  /** How many times in a row the key was rate limited. */
  failures(key: K): number
  /** The next key, reserved for the caller; `undefined` once the queue is shut down. */
  take(): Promise<K | undefined>
  /** Releases a key that `take` handed out. */
  done(key: K): void
  /** Accepts no more; what waits is dropped, takers get `undefined`. */
  shutDown(): void
  /** Accepts no more; what waits is still handed out, delayed keys are dropped. Resolves when the last key is done. */
  drain(): Promise<void>
}

/** How a queue tells keys apart, and how long it waits. */
export interface WorkQueueOptions<K> {
  readonly clock: Clock
  /** Equal keys have equal ids. */
  readonly id: (key: K) => string
  /** First delay of `addRateLimited`, 5 ms. */
  readonly initialBackoffMs?: number
  /** Longest delay of `addRateLimited`, 1000 s. */
  readonly maxBackoffMs?: number
}

interface Waiting<K> {
  readonly key: K
  readonly low: boolean
}

/**
 * See `WorkQueue`. Back-off as in client-go: 5 ms doubling to 1000 s, per key.
 *
 * @example
 * const queue = createWorkQueue<string>({ clock: systemClock, id: (key) => key })
 * queue.add('mnist')
 * queue.add('mnist')
 * queue.length // => 1
 * const key = await queue.take() // => 'mnist'
 * queue.add('mnist')
 * queue.length // => 0
 * queue.done('mnist')
 * queue.length // => 1
 * queue.shutDown()
 */
export function createWorkQueue<K>(options: WorkQueueOptions<K>): WorkQueue<K> {
  const { clock, id: idOf, initialBackoffMs = 5, maxBackoffMs = 1_000_000 } = options
  const waiting = new Map<string, Waiting<K>>()
  const lanes = { normal: createLane<K>(), low: createLane<K>() }
  /** Reserved keys; a value is what was added meanwhile. */
  const reserved = new Map<string, Waiting<K> | undefined>()
  const delayed = new Map<string, { readonly due: number; readonly cancel: () => void }>()
  const failures = new Map<string, number>()
  const takers: ((key: K | undefined) => void)[] = []
  const drained: (() => void)[] = []
  let state: 'open' | 'draining' | 'closed' = 'open'

  function cancelDelayed(id: string): void {
    delayed.get(id)?.cancel()
    delayed.delete(id)
  }

  function enqueue(id: string, key: K, low: boolean): void {
    const entry: Waiting<K> = { key, low }
    if (reserved.has(id)) {
      const before = reserved.get(id)
      if (before === undefined || before.low) reserved.set(id, entry)
      return
    }
    const before = waiting.get(id)
    if (before !== undefined && (low || !before.low)) return
    const taker = takers.shift()
    if (taker !== undefined) {
      reserved.set(id, undefined)
      taker(key)
      return
    }
    // a promoted key leaves a stale entry in the low lane, which `next` skips
    waiting.set(id, entry)
    lanes[low ? 'low' : 'normal'].push(entry)
  }

  function next(): K | undefined {
    for (const lane of [lanes.normal, lanes.low]) {
      while (true) {
        const entry = lane.shift()
        if (entry === undefined) break
        const id = idOf(entry.key)
        if (waiting.get(id) !== entry) continue
        waiting.delete(id)
        reserved.set(id, undefined)
        return entry.key
      }
    }
    return undefined
  }

  function settle(): void {
    // a reserved key may come back, so takers wait for it
    if (state === 'draining' && waiting.size === 0 && reserved.size === 0) queue.shutDown()
  }

  const queue: WorkQueue<K> = {
    get length() {
      return waiting.size
    },
    add(key, priority = 'normal') {
      if (state !== 'open') return
      const id = idOf(key)
      cancelDelayed(id)
      enqueue(id, key, priority === 'low')
    },
    addAfter(key, ms) {
      if (state !== 'open') return
      if (!(ms > 0)) return queue.add(key)
      const id = idOf(key)
      const due = clock.now() + ms
      const before = delayed.get(id)
      if (before !== undefined && before.due <= due) return
      before?.cancel()
      const cancel = clock.after(ms, () => {
        delayed.delete(id)
        enqueue(id, key, false)
      })
      delayed.set(id, { due, cancel })
    },
    addRateLimited(key) {
      const id = idOf(key)
      const count = failures.get(id) ?? 0
      failures.set(id, count + 1)
      queue.addAfter(key, Math.min(initialBackoffMs * 2 ** count, maxBackoffMs))
    },
    forget(key) {
      failures.delete(idOf(key))
    },
    failures: (key) => failures.get(idOf(key)) ?? 0,
    take() {
      const key = next()
      if (key !== undefined || state === 'closed') return Promise.resolve(key)
      return new Promise((resolve) => takers.push(resolve))
    },
    done(key) {
      const id = idOf(key)
      const again = reserved.get(id)
      if (!reserved.delete(id)) return
      if (again !== undefined && state !== 'closed') enqueue(id, again.key, again.low)
      settle()
    },
    shutDown() {
      state = 'closed'
      for (const id of [...delayed.keys()]) cancelDelayed(id)
      waiting.clear()
      for (const taker of takers.splice(0)) taker(undefined)
      for (const resolve of drained.splice(0)) resolve()
    },
    drain() {
      if (state === 'closed') return Promise.resolve()
      state = 'draining'
      for (const id of [...delayed.keys()]) cancelDelayed(id)
      return new Promise((resolve) => {
        drained.push(resolve)
        settle()
      })
    },
  }
  return queue
}

/** First in, first out, in constant time. */
function createLane<K>() {
  let entries: (Waiting<K> | undefined)[] = []
  let head = 0
  return {
    push(entry: Waiting<K>): void {
      entries.push(entry)
    },
    shift(): Waiting<K> | undefined {
      if (head === entries.length) return undefined
      const entry = entries[head]
      entries[head++] = undefined
      // cutting off less than half would copy long lanes again and again
      if (head === entries.length || (head > 1024 && head * 2 > entries.length)) {
        entries = entries.slice(head)
        head = 0
      }
      return entry
    },
  }
}
