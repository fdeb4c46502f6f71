/** Why something of the embedded cluster failed. */
export const LOCAL_ERROR_CODES = [
  /** The API server refuses a request; see `ApiFailure`. */
  'api',
  /** A write to the store met a state it did not expect; see `StoreError`. */
  'store',
  /** Another server uses the data folder. */
  'already-running',
  /** No server uses the data folder. */
  'not-running',
  /** The cluster or its background server did not become ready. */
  'start-failed',
  /** The background server did not end. */
  'stop-failed',
  /** The address or port cannot be listened on. */
  'listen-failed',
  /** An initializer cannot fetch what it is asked for; see `FetchError`. */
  'fetch-failed',
] as const
/** One of `LOCAL_ERROR_CODES`. */
export type LocalErrorCode = (typeof LOCAL_ERROR_CODES)[number]

/** The error of this package: `code` says what kind, the message what was expected, found and what to do. */
export class LocalError extends Error {
  override readonly name: string = 'LocalError'
  readonly code: LocalErrorCode
  constructor(code: LocalErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
