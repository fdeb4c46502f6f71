import type { Clock } from './clock.ts'

/** Resolves after `ms`, or as soon as the signal aborts. Never rejects: look at the signal. */
export function sleep(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => {
    const wake = () => {
      cancel()
      signal.removeEventListener('abort', wake)
      resolve()
    }
    const cancel = clock.after(ms, wake)
    signal.addEventListener('abort', wake, { once: true })
  })
}
