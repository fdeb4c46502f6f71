import { LocalError } from '../../error.ts'

/** Why something cannot be fetched: what was asked for, what came, what to do. */
export class FetchError extends LocalError {
  override readonly name = 'FetchError'
  /** Trying again may help. */
  readonly temporary: boolean
  /** Of the HTTP answer, if one came. */
  readonly status: number | undefined
  constructor(message: string, options: { temporary?: boolean; status?: number; cause?: unknown } = {}) {
    super('fetch-failed', message, options.cause === undefined ? {} : { cause: options.cause })
    this.temporary = options.temporary === true
    this.status = options.status
  }
}
