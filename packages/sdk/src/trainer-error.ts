/** Why a call of the SDK failed. */
export const TRAINER_ERROR_CODES = [
  /** The server has no such job, runtime or kind. */
  'not-found',
  /** The name is taken. */
  'already-exists',
  /** The server refused the object; see `causes`. */
  'invalid',
  /** Somebody else wrote the object in between. */
  'conflict',
  /** The server does not know the caller, or does not let it. */
  'forbidden',
  /** No answer from the server. */
  'unreachable',
  /** The kubeconfig or its credentials cannot be used. */
  'config',
  /** `wait` took longer than it was told. */
  'timeout',
  /** The caller's signal ended the call. */
  'aborted',
  /** The job of this handle is gone. */
  'deleted',
  /** Any other failure of the server; see `cause`. */
  'api',
] as const
/** One of `TRAINER_ERROR_CODES`. */
export type TrainerErrorCode = (typeof TRAINER_ERROR_CODES)[number]

/** One field that the server refused. */
export interface TrainerErrorCause {
  /** Like `spec.trainer.numNodes`; `''` when the whole object is meant. */
  readonly path: string
  readonly message: string
}

/**
 * The only error that this package throws. The message says what was expected, what was found and what to do; what
 * went wrong below is kept as `cause`.
 *
 * @example
 * const run = await trainer.attach('mnist').catch((error: unknown) => {
 *   if (error instanceof TrainerError && error.code === 'not-found') return undefined
 *   throw error
 * }) // => undefined
 */
export class TrainerError extends Error {
  override readonly name = 'TrainerError'
  readonly code: TrainerErrorCode
  /** Set with `invalid`: every field the server refused. */
  readonly causes: readonly TrainerErrorCause[]
  constructor(
    code: TrainerErrorCode,
    message: string,
    options: ErrorOptions & { causes?: readonly TrainerErrorCause[] } = {},
  ) {
    super(message, options)
    this.code = code
    this.causes = options.causes ?? []
  }
}
