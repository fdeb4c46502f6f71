/** Why a function of this package threw. Faults of documents are not thrown: they are returned as `Issue`s. */
export const API_ERROR_CODES = ['invalid-quantity'] as const
/** One of `API_ERROR_CODES`. */
export type ApiModelErrorCode = (typeof API_ERROR_CODES)[number]

/** Thrown for values that cannot be read at all, such as the quantity `lots`. */
export class ApiModelError extends Error {
  override readonly name = 'ApiModelError'
  readonly code: ApiModelErrorCode
  constructor(code: ApiModelErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
