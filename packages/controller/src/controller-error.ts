/** Why the controller could not go on with a TrainJob. */
export const CONTROLLER_ERROR_CODES = [
  /** `spec.runtimeRef` names no runtime that exists. */
  'runtime-not-found',
  /** Something of an earlier job of this name still goes away; it is tried again. */
  'former-job',
  /** A JobSet of this name belongs to something else. */
  'name-taken',
  /** The renderer made a kind of object that the controller does not know. */
  'unknown-kind',
  /** The webhooks cannot be served at the address. */
  'listen-failed',
] as const
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
