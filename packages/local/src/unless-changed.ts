import { ApiError } from '@trainjob/kube'
import { unlessGone } from './unless-gone.ts'

/** What an API server answers when a test of a JSON patch does not hold. */
const UNPROCESSABLE = 422

/**
 * The answer of a JSON patch that tests what it changes, or `undefined` when that is not there any more, or not as it
 * was: somebody else has changed it, and the change is on its way to the cache.
 */
export async function unlessChanged<T>(patch: Promise<T>): Promise<T | undefined> {
  try {
    return await unlessGone(patch)
  } catch (error) {
    if (error instanceof ApiError && error.httpCode === UNPROCESSABLE) return undefined
    throw error
  }
}
