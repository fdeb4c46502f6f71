import type { Status } from '@trainjob/kube'
import { LocalError } from '../error.ts'

/** A request that the API server refuses: thrown anywhere while serving it, answered as a `Status`. */
export class ApiFailure extends LocalError {
  override readonly name = 'ApiFailure'
  readonly httpCode: number
  readonly body: Status
  readonly headers: Readonly<Record<string, string>>
  constructor(
    httpCode: number,
    reason: string | undefined,
    message: string,
    more: {
      details?: Status['details']
      continue?: string
      headers?: Readonly<Record<string, string>>
      cause?: unknown
    } = {},
  ) {
    super('api', message, more.cause === undefined ? {} : { cause: more.cause })
    this.httpCode = httpCode
    this.headers = more.headers ?? {}
    this.body = {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: more.continue === undefined ? {} : { continue: more.continue },
      status: 'Failure',
      message,
      ...(reason !== undefined && { reason }),
      ...(more.details !== undefined && { details: more.details }),
      code: httpCode,
    }
  }
}
