import type { Status } from '@trainjob/kube'
import { ApiFailure } from '../api-failure.ts'

/** What a client is told when a webhook says no; `status` is what the webhook gave as its reason. */
export function rejection(name: string, status: Record<string, unknown> = {}): ApiFailure {
  const { code, message, reason, details } = status as Partial<Status>
  const denied = `admission webhook ${JSON.stringify(name)} denied the request`
  const text = message ? `${denied}: ${message}` : reason ? `${denied}: ${reason}` : `${denied} without explanation`
  const httpCode = typeof code === 'number' && code >= 400 && code <= 599 ? code : 400
  return new ApiFailure(httpCode, reason, text, details === undefined || details === null ? {} : { details })
}
