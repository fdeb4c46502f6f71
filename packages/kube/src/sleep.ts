import type { Clock } from './clock.ts'

/** The longest interval a timer can have. */
const LONG_MS = 2 ** 31 - 1

/**
 * Resolves after `ms`, or as soon as the signal aborts. Never rejects: look at the signal.
 *
 * Unlike a bare timer of the clock it keeps the process alive: somebody awaits it, and during an outage nothing else
 * might be left to keep a controller running until the next try.
 *
 * @example
 * const stop = new AbortController()
 * const slept = sleep(systemClock, 3_600_000, stop.signal)
 * stop.abort()
 * await slept
 */
export function sleep(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => {
    const hold = setInterval(() => {}, LONG_MS)
    const wake = () => {
      clearInterval(hold)
      cancel()
      signal.removeEventListener('abort', wake)
      resolve()
    }
    const cancel = clock.after(ms, wake)
    signal.addEventListener('abort', wake, { once: true })
  })
}
