/** Why the controller could not go on with a TrainJob. */
export const CONTROLLER_ERROR_CODES = ['runtime-not-found', 'former-job', 'name-taken', 'unknown-kind'] as const
/** One of `CONTROLLER_ERROR_CODES`. */
export type ControllerErrorCode = (typeof CONTROLLER_ERROR_CODES)[number]

/** Why a TrainJob cannot be worked on, told apart by `code`; users see the message in an event. */
export class ControllerError extends Error {
  override readonly name = 'ControllerError'
  readonly code: ControllerErrorCode
  constructor(code: ControllerErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
