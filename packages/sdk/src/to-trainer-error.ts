import { ApiError, ConnectionError, KubeError } from '@trainjob/kube'
import { TrainerError, type TrainerErrorCode } from './trainer-error.ts'

/**
 * What a call below rejected with, as the error of this package. `what` says what was tried, for example
 * `submit TrainJob default/mnist`.
 */
export function toTrainerError(error: unknown, what: string): TrainerError {
  if (error instanceof TrainerError) return error
  if (error instanceof ApiError) {
    const causes = error.status.details?.causes?.map(({ field = '', message = '' }) => ({ path: field, message })) ?? []
    return new TrainerError(codeOf(error), `could not ${what}: ${error.message}`, { cause: error, causes })
  }
  if (error instanceof ConnectionError) {
    return new TrainerError(
      'unreachable',
      `could not ${what}: the API server does not answer (${error.message}); is the cluster up, and is the kubeconfig's context the right one?`,
      { cause: error },
    )
  }
  if (error instanceof KubeError && error.code === 'config') {
    return new TrainerError('config', error.message, { cause: error })
  }
  if (error instanceof KubeError && error.code === 'aborted') return aborted(what, error)
  if (error instanceof Error && error.name === 'AbortError') return aborted(what, error)
  return new TrainerError('api', `could not ${what}: ${error instanceof Error ? error.message : String(error)}`, {
    cause: error,
  })
}

/** The error for a signal that fired. */
export function aborted(what: string, cause: unknown): TrainerError {
  return new TrainerError('aborted', `stopped before it could ${what}`, { cause })
}

/** Awaits a call and rejects with `TrainerError` only. */
export async function translated<T>(what: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    throw toTrainerError(error, what)
  }
}

function codeOf(error: ApiError): TrainerErrorCode {
  switch (error.httpCode) {
    case 404:
      return 'not-found'
    case 409:
      return error.reason === 'AlreadyExists' ? 'already-exists' : 'conflict'
    case 400:
    case 422:
      return 'invalid'
    case 401:
    case 403:
      return 'forbidden'
    default:
      return 'api'
  }
}
