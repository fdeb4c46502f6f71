import { ApiError, ConnectionError } from './error.ts'
import type { Status } from './object.ts'
import type { TransportResponse } from './transport.ts'

const MESSAGE_LIMIT = 1024

/** Reasons that an API server itself would give, for answers that came from something in front of it. */
const REASONS: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  409: 'Conflict',
  410: 'Gone',
  415: 'UnsupportedMediaType',
  422: 'Invalid',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'ServiceUnavailable',
  504: 'Timeout',
}

/** True for the body that the API server sends instead of an object. */
export function isStatus(body: unknown): body is Status {
  return typeof body === 'object' && body !== null && (body as Status).kind === 'Status' && 'status' in body
}

/**
 * Reads a failed answer (status 4xx or 5xx) whatever its body is: a `Status`, the plain text of a proxy, nothing.
 * Rejects only with `ConnectionError`, when the body breaks off.
 */
export async function apiErrorOf(response: TransportResponse): Promise<ApiError> {
  const text = await response.text()
  const body = parse(text)
  const status: Status = isStatus(body) ? { ...body, code: body.code ?? response.status } : plainStatus(response, text)
  const retryAfterSeconds = Number(response.headers['retry-after'])
  return new ApiError(
    retryAfterSeconds > 0 && status.details?.retryAfterSeconds === undefined
      ? { ...status, details: { ...status.details, retryAfterSeconds } }
      : status,
  )
}

/** A watch's `ERROR` event. */
export function apiErrorOfEvent(object: unknown): ApiError {
  if (isStatus(object)) return new ApiError(object)
  return new ApiError({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    reason: 'InternalError',
    message: `the server ended the watch with an error that is not a Status: ${JSON.stringify(object)?.slice(0, MESSAGE_LIMIT)}`,
    code: 500,
  })
}

function plainStatus(response: TransportResponse, text: string): Status {
  const shown = text.trim().slice(0, MESSAGE_LIMIT)
  const reason = REASONS[response.status]
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: shown === '' ? `the server answered ${response.status} without a message` : shown,
    ...(reason !== undefined && { reason }),
    code: response.status,
  }
}

function parse(text: string): unknown {
  if (!text.trimStart().startsWith('{')) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A body that should have been JSON; names what came instead. */
export function notJson(what: string, text: string, cause: unknown): ConnectionError {
  return new ConnectionError(
    `expected JSON from ${what}, found ${text === '' ? 'nothing' : JSON.stringify(text.slice(0, 80))}; is this the address of a Kubernetes API server, and did the answer arrive whole?`,
    { cause },
  )
}
