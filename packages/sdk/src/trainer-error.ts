/** Why a call of the SDK failed. */
export const TRAINER_ERROR_CODES = [
  'not-found',
  'already-exists',
  'invalid',
  'conflict',
  'forbidden',
  'unreachable',
  'config',
  'timeout',
  'aborted',
  'deleted',
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
