import { aborted } from '../to-trainer-error.ts'
import type { JobObserver } from './job-observer.ts'

/**
 * Resolves with the first answer of `look` that is not `undefined`, asked now and after each change. Rejects with
 * `TrainerError` when the signal fires or the API refuses to be watched.
 */
export async function until<T>(
  observer: JobObserver,
  what: string,
  signal: AbortSignal | undefined,
  look: () => T | undefined,
): Promise<T> {
  if (signal?.aborted === true) throw aborted(what, signal.reason)
  const found = Promise.withResolvers<T>()
  const check = () => {
    try {
      const answer = look()
      if (answer !== undefined) found.resolve(answer)
    } catch (error) {
      found.reject(error)
    }
  }
  const stop = () => found.reject(aborted(what, signal?.reason))
  signal?.addEventListener('abort', stop, { once: true })
  const off = observer.on(check)
  try {
    check()
    return await Promise.race([found.promise, observer.refused])
  } finally {
    off()
    signal?.removeEventListener('abort', stop)
  }
}
