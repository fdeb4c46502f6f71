import type { TransportRequest } from '../transport.ts'

const MAX_TRIES = 5
const MAX_WAIT_MS = 30_000
/** Patches that come to the same however often they are applied. */
const REPEATABLE_PATCHES = new Set(['application/apply-patch+yaml', 'application/merge-patch+json'])

/** True for calls that may be sent twice. */
function isIdempotent(request: TransportRequest): boolean {
  if (request.method === 'PATCH') return REPEATABLE_PATCHES.has(request.headers?.['content-type'] ?? '')
  return request.method !== 'POST'
}

/**
 * How long to wait before sending a refused call again, in milliseconds; `undefined`: hand the refusal to the caller.
 * Only an overloaded server (429, 503) that names a time is asked again. Streams have their own back-off.
 *
 * @param tries how often the call has been sent
 */
export function retryAfterMs(
  request: TransportRequest,
  answer: { readonly status: number; readonly retryAfter: string | string[] | undefined },
  tries: number,
): number | undefined {
  if (answer.status !== 429 && answer.status !== 503) return undefined
  if (request.stream === true || tries >= MAX_TRIES || !isIdempotent(request)) return undefined
  const seconds = Number(answer.retryAfter ?? Number.NaN)
  if (!Number.isFinite(seconds) || seconds < 0 || seconds * 1000 > MAX_WAIT_MS) return undefined
  return seconds * 1000
}
