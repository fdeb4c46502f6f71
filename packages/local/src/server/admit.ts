import type { AdmissionRequest } from '@trainjob/controller'
import type { KubeObject } from '@trainjob/kube'
import type { WriteParameters } from './api-call.ts'
import { causeOf } from './cause-of.ts'
import { badRequest, invalid } from './failures.ts'
import { prune } from './prune.ts'
import type { ServedResource } from './served-resource.ts'
import type { ServerContext } from './server-context.ts'

/** An object that may be stored, and what to tell whoever sent it. */
export interface Admitted {
  readonly object: KubeObject
  readonly warnings: readonly string[]
}

/**
 * Checks an object against its schema, then asks all validating hooks. Unknown fields are dropped, with a warning
 * unless `fieldValidation` says otherwise. Throws `ApiFailure` 400 or 422 with a cause for each error.
 */
export async function admit(
  { admission }: ServerContext,
  resource: ServedResource,
  request: AdmissionRequest,
  parameters: WriteParameters,
): Promise<Admitted> {
  let { object } = request
  const warnings: string[] = []
  const { name = '' } = object.metadata
  const schemaCheck = admission.checkSchema(resource, object)
  const schema = schemaCheck instanceof Promise ? await schemaCheck : schemaCheck
  if (schema !== undefined) {
    const unknown = schema.errors.filter((issue) => issue.code === 'unknown-field').map((issue) => issue.path)
    const errors = schema.errors.filter((issue) => issue.code !== 'unknown-field')
    if (unknown.length > 0) {
      const texts = unknown.map((path) => `unknown field "${path}"`)
      if (parameters.fieldValidation === 'Strict') throw strictDecodingError(resource, texts)
      if (parameters.fieldValidation === 'Warn') warnings.push(...texts)
      object = prune(object, unknown)
    }
    if (errors.length > 0) throw invalid(resource, name, errors.map(causeOf))
  }
  const verdict = admission.validate(resource, { ...request, object })
  const { errors, warnings: advice } = verdict instanceof Promise ? await verdict : verdict
  if (errors.length > 0) throw invalid(resource, name, errors.map(causeOf))
  return { object, warnings: [...warnings, ...advice] }
}

function strictDecodingError({ kind, version }: ServedResource, texts: readonly string[]): Error {
  return badRequest(
    `${kind} in version "${version}" cannot be handled as a ${kind}: strict decoding error: ${texts.join(', ')}`,
  )
}
