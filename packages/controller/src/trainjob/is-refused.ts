import { ApiError } from '@trainjob/kube'

/** 422: what was written changes a field that a JobSet does not let change. 403 is how JobSet before v0.12 says it. */
export function isRefused(error: unknown): boolean {
  return (
    error instanceof ApiError &&
    (error.httpCode === 422 || (error.httpCode === 403 && error.message.includes('immutable')))
  )
}
