import { type Clock, sleep } from '@trainjob/kube'
import { FetchError } from './fetch-error.ts'

const ATTEMPTS = 5
const FIRST_WAIT_MS = 250

/** Does something again, each time after a longer wait, while it fails with a temporary `FetchError`. */
export async function withRetries<T>(
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
  work: () => Promise<T>,
): Promise<T> {
  for (let attempt = 1, wait = FIRST_WAIT_MS; ; attempt++, wait *= 2) {
    try {
      return await work()
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof FetchError) || !error.temporary || attempt === ATTEMPTS) throw error
      await sleep(clock, wait, signal)
    }
  }
}
