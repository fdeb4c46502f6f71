/** Why the controller could not go on with a TrainJob. */
export const CONTROLLER_ERROR_CODES = ['runtime-not-found', 'former-job', 'name-taken', 'unknown-kind'] as const
export type ControllerErrorCode = (typeof CONTROLLER_ERROR_CODES)[number]

export class ControllerError extends Error {
  override readonly name = 'ControllerError'
  readonly code: ControllerErrorCode
  constructor(code: ControllerErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
