import type { Status } from './object.ts'

/**
 * Why a call failed; `ApiError` keeps the server's `Status`, `ConnectionError` the cause.
 * `config`: a kubeconfig or credential cannot be used. `usage`: the call itself is incomplete. `aborted`: the caller's
 * signal ended it. `terminal`: see `TerminalError`. `leadership-lost`: another process leads now, or no one could tell.
 */
export const KUBE_ERROR_CODES = [
  'api',
  'connection',
  'config',
  'usage',
  'aborted',
  'terminal',
  'leadership-lost',
] as const
/** One of `KUBE_ERROR_CODES`. */
export type KubeErrorCode = (typeof KUBE_ERROR_CODES)[number]

/** Every error of this package, told apart by `code`. */
export class KubeError extends Error {
  override readonly name: string = 'KubeError'
  readonly code: KubeErrorCode
  constructor(code: KubeErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/**
 * The server answered with a failure.
 *
 * @example
 * import { Pods } from '@trainjob/api'
 *
 * const error = await client.get(Pods, { namespace: 'default', name: 'nobody' }).catch((reason: unknown) => reason)
 * error instanceof ApiError && [error.httpCode, error.reason, error.message]
 * // => [404, 'NotFound', 'pods "nobody" not found']
 */
export class ApiError extends KubeError {
  override readonly name = 'ApiError'
  readonly status: Status
  constructor(status: Status) {
    super('api', status.message ?? `the server answered ${status.code ?? 'with a failure'}`)
    this.status = status
  }
  /** HTTP status code; 500 when the server gave none. */
  get httpCode(): number {
    return this.status.code ?? 500
  }
  /** `NotFound`, `Conflict`, `Invalid`, …; empty when the server gave none. */
  get reason(): string {
    return this.status.reason ?? ''
  }
}

/** No answer came: connection refused, reset, timed out, TLS refused. Worth another try. */
export class ConnectionError extends KubeError {
  override readonly name = 'ConnectionError'
  constructor(message: string, options?: ErrorOptions) {
    super('connection', message, options)
  }
}

/**
 * The object, or its kind, is not there (404).
 *
 * @example
 * import { Pods } from '@trainjob/api'
 *
 * const pod = await client.get(Pods, { namespace: 'default', name: 'nobody' }).catch((error: unknown) => {
 *   if (isNotFound(error)) return undefined
 *   throw error
 * }) // => undefined
 */
export function isNotFound(error: unknown): boolean {
  return error instanceof ApiError && error.httpCode === 404
}

/**
 * Somebody else wrote the object in between (409): read it again, then try again.
 *
 * @example
 * import { Namespaces } from '@trainjob/api'
 *
 * const read = await client.get(Namespaces, { name: 'default' })
 * await client.patch(Namespaces, { name: 'default' }, { type: 'merge', body: { metadata: { labels: { seen: 'yes' } } } })
 * const error = await client.update(Namespaces, read).catch((reason: unknown) => reason)
 * isConflict(error) // => true
 */
export function isConflict(error: unknown): boolean {
  return error instanceof ApiError && error.httpCode === 409 && error.reason === 'Conflict'
}

/**
 * An object of that name is there already.
 *
 * @example
 * import { Namespaces } from '@trainjob/api'
 *
 * const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default' } }
 * const error = await client.create(Namespaces, namespace).catch((reason: unknown) => reason)
 * isAlreadyExists(error) // => true
 */
export function isAlreadyExists(error: unknown): boolean {
  return error instanceof ApiError && error.reason === 'AlreadyExists'
}

/**
 * The namespace is being deleted: nothing new can be made in it (403).
 *
 * @example
 * const details = { causes: [{ reason: 'NamespaceTerminating', message: 'namespace a is being terminated' }] }
 * const status: Status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', code: 403, details }
 * isNamespaceTerminating(new ApiError(status)) // => true
 */
export function isNamespaceTerminating(error: unknown): boolean {
  if (!(error instanceof ApiError) || error.httpCode !== 403) return false
  return error.status.details?.causes?.some(({ reason }) => reason === 'NamespaceTerminating') ?? false
}

/**
 * The watch or list started from a version that the server has forgotten (410): list anew.
 *
 * @example
 * const gone: Status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', reason: 'Expired', code: 410 }
 * isExpired(new ApiError(gone)) // => true
 */
export function isExpired(error: unknown): boolean {
  return error instanceof ApiError && error.httpCode === 410
}

/**
 * The caller's own signal ended the call; nothing went wrong.
 *
 * @example
 * import { Pods } from '@trainjob/api'
 *
 * const error = await client.list(Pods, { signal: AbortSignal.abort() }).catch((reason: unknown) => reason)
 * isAborted(error) // => true
 */
export function isAborted(error: unknown): boolean {
  return error instanceof KubeError && error.code === 'aborted'
}
