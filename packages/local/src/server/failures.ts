import type { Resource, Status } from '@trainjob/kube'
import { ApiFailure } from './api-failure.ts'
import { kindName, resourceName } from './served-resource.ts'

/** The failures of a Kubernetes API server, in its words. */

type Named = Pick<Resource, 'plural' | 'group'>
type OfKind = Pick<Resource, 'kind' | 'group'>
/** One field that is wrong. */
export interface Cause {
  readonly reason: string
  readonly field: string
  readonly message: string
}

export function notFound(resource: Named, name: string): ApiFailure {
  return new ApiFailure(404, 'NotFound', `${resourceName(resource)} "${name}" not found`, {
    details: named(resource, name),
  })
}

export function noSuchResource(): ApiFailure {
  return new ApiFailure(404, 'NotFound', 'the server could not find the requested resource', { details: {} })
}

export function alreadyExists(resource: Named, name: string): ApiFailure {
  return new ApiFailure(409, 'AlreadyExists', `${resourceName(resource)} "${name}" already exists`, {
    details: named(resource, name),
  })
}

export function conflict(resource: Named, name: string, text: string = MODIFIED): ApiFailure {
  const message = `Operation cannot be fulfilled on ${resourceName(resource)} "${name}": ${text}`
  return new ApiFailure(409, 'Conflict', message, { details: named(resource, name) })
}

const MODIFIED = 'the object has been modified; please apply your changes to the latest version and try again'

/** Preconditions of a DELETE; names the kind where other conflicts name the resource. */
export function preconditionFailed(resource: OfKind, name: string, text: string): ApiFailure {
  const message = `Operation cannot be fulfilled on ${kindName(resource)} "${name}": ${text}`
  return new ApiFailure(409, 'Conflict', message, { details: ofKind(resource, name) })
}

export function invalid(resource: OfKind, name: string, causes: readonly Cause[]): ApiFailure {
  const texts = causes.map((cause) => (cause.field === '' ? cause.message : `${cause.field}: ${cause.message}`))
  const different = [...new Set(texts)]
  const list = different.length === 1 ? different[0] : `[${different.join(', ')}]`
  return new ApiFailure(422, 'Invalid', `${kindName(resource)} "${name}" is invalid: ${list}`, {
    details: { ...ofKind(resource, name), causes: [...causes] },
  })
}

/** Parameters of a request that are wrong; `kind` is that of its options, as `ListOptions`. */
export function invalidOptions(kind: string, causes: readonly Cause[]): ApiFailure {
  return invalid({ kind, group: 'meta.k8s.io' }, '', causes)
}

/** The request is well-formed but cannot be carried out, for example a JSON patch whose `test` fails. */
export function unprocessable(cause?: unknown): ApiFailure {
  return new ApiFailure(422, 'Invalid', 'the server rejected our request due to an error in our request', {
    details: {},
    cause,
  })
}

export function badRequest(message: string, cause?: unknown): ApiFailure {
  return new ApiFailure(400, 'BadRequest', message, { cause })
}

export function forbidden(resource: Named, name: string, text: string, causes?: readonly Cause[]): ApiFailure {
  const message = `${resourceName(resource)} "${name}" is forbidden: ${text}`
  return new ApiFailure(403, 'Forbidden', message, {
    details: { ...named(resource, name), ...(causes !== undefined && { causes: [...causes] }) },
  })
}

export function unauthorized(): ApiFailure {
  return new ApiFailure(401, 'Unauthorized', 'Unauthorized')
}

export function methodNotAllowed(): ApiFailure {
  return new ApiFailure(405, 'MethodNotAllowed', 'the server does not allow this method on the requested resource', {
    details: {},
  })
}

/** `why` says more than that the format is unknown. */
export function unsupportedMediaType(accepted: readonly string[], why?: string): ApiFailure {
  const message = `the body of the request was in an unknown format - accepted media types include: ${accepted.join(', ')}${why === undefined ? '' : ` (${why})`}`
  return new ApiFailure(415, 'UnsupportedMediaType', message)
}

export function tooLarge(limitBytes: number): ApiFailure {
  return new ApiFailure(413, 'RequestEntityTooLarge', `Request entity too large: limit is ${limitBytes}`)
}

export function expired(message: string, next?: string): ApiFailure {
  return new ApiFailure(410, 'Expired', message, next === undefined ? {} : { continue: next })
}

/** A version that has not been written yet. */
export function versionTooLarge(requested: number, current: number): ApiFailure {
  return new ApiFailure(504, 'Timeout', `Timeout: Too large resource version: ${requested}, current: ${current}`, {
    details: {
      causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
      retryAfterSeconds: 1,
    },
    headers: { 'retry-after': '1' },
  })
}

/** The server could not do what it should. */
export function internal(message: string, cause?: unknown): ApiFailure {
  const text = `Internal error occurred: ${message}`
  return new ApiFailure(500, 'InternalError', text, { details: { causes: [{ message }] }, cause })
}

/** A failure without a reason, as the real server has for what it did not foresee. */
export function unforeseen(message: string, cause?: unknown): ApiFailure {
  return new ApiFailure(500, undefined, message, { cause })
}

function named(resource: Named, name: string): NonNullable<Status['details']> {
  return { name, ...(resource.group !== '' && { group: resource.group }), kind: resource.plural }
}

function ofKind(resource: OfKind, name: string): NonNullable<Status['details']> {
  return { ...(name !== '' && { name }), ...(resource.group !== '' && { group: resource.group }), kind: resource.kind }
}
