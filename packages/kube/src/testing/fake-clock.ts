import type { Clock } from '../clock.ts'

/** A clock that stands still until it is told otherwise. */
export interface FakeClock extends Clock {
  /** Timers that have not fired. */
  readonly pending: number
  /** When the next timer fires, as clock time. */
  readonly nextAt: number | undefined
  /**
   * Moves time forward and fires the timers that fall due, in order, each at its own time. Before and after each timer
   * the event loop turns once, so that promises, and timers set by them, settle at the time they belong to.
   */
  advance(ms: number): Promise<void>
  /** Advances to the next timer, at most `maxMs` (an hour) away. Answers whether there was one. */
  next(maxMs?: number): Promise<boolean>
}

interface Timer {
  readonly at: number
  readonly order: number
  readonly task: () => void
}

/**
 * A clock for tests.
 *
 * @param startMs milliseconds since the epoch; 2026-01-01T00:00:00Z by default
 * @example
 * const clock = fakeClock()
 * const rung: number[] = []
 * clock.after(1000, () => rung.push(clock.now() - Date.UTC(2026, 0, 1)))
 * await clock.advance(999)
 * rung // => []
 * await clock.advance(1)
 * rung // => [1000]
 */
export function fakeClock(startMs: number = Date.UTC(2026, 0, 1)): FakeClock {
  const timers = new Set<Timer>()
  let now = startMs
  let order = 0

  function earliest(): Timer | undefined {
    let first: Timer | undefined
    for (const timer of timers) {
      if (first === undefined || timer.at < first.at || (timer.at === first.at && timer.order < first.order)) {
        first = timer
      }
    }
    return first
  }

  const clock: FakeClock = {
    now: () => now,
    after(ms, task) {
      const timer: Timer = { at: now + Math.max(0, ms), order: order++, task }
      timers.add(timer)
      return () => timers.delete(timer)
    },
    get pending() {
      return timers.size
    },
    get nextAt() {
      return earliest()?.at
    },
    async advance(ms) {
      const end = now + ms
      await turn()
      for (let timer = earliest(); timer !== undefined && timer.at <= end; timer = earliest()) {
        timers.delete(timer)
        now = Math.max(now, timer.at)
        timer.task()
        await turn()
      }
      now = end
    },
    async next(maxMs = 3_600_000) {
      await turn()
      const timer = earliest()
      if (timer === undefined || timer.at > now + maxMs) return false
      await clock.advance(timer.at - now)
      return true
    },
  }
  return clock
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
