import { LocalError } from '../error.ts'

/** What a store found instead of what the caller expected. */
export const STORE_ERROR_REASONS = ['exists', 'missing', 'conflict', 'expired'] as const
/** One of `STORE_ERROR_REASONS`. */
export type StoreErrorReason = (typeof STORE_ERROR_REASONS)[number]

/** A write or read that the store's state does not allow; nothing was changed. */
export class StoreError extends LocalError {
  override readonly name = 'StoreError'
  readonly reason: StoreErrorReason
  constructor(reason: StoreErrorReason, message: string) {
    super('store', message)
    this.reason = reason
  }
}

/**
 * Whether an error is a `StoreError` for this reason.
 *
 * @example
 * isStoreError(new StoreError('missing', 'pods "mnist" not found'), 'missing') // => true
 */
export function isStoreError(error: unknown, reason: StoreErrorReason): error is StoreError {
  return error instanceof StoreError && error.reason === reason
}
