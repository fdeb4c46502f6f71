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
export type KubeErrorCode = (typeof KUBE_ERROR_CODES)[number]

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
 * try { await client.get(Pods, key) } catch (error) { if (isNotFound(error)) return undefined; throw error }
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

export function isNotFound(error: unknown): boolean {
  return error instanceof ApiError && error.httpCode === 404
}

export function isConflict(error: unknown): boolean {
  return error instanceof ApiError && error.httpCode === 409 && error.reason === 'Conflict'
}

export function isAlreadyExists(error: unknown): boolean {
  return error instanceof ApiError && error.reason === 'AlreadyExists'
}

/** The watch or list started from a version that the server has forgotten. */
export function isExpired(error: unknown): boolean {
  return error instanceof ApiError && error.httpCode === 410
}

/** The caller's own signal ended the call; nothing went wrong. */
export function isAborted(error: unknown): boolean {
  return error instanceof KubeError && error.code === 'aborted'
}
