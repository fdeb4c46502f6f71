import { type ApiCall, writeParametersOf } from '../api-call.ts'
import { ApiFailure } from '../api-failure.ts'
import type { ApiResponse } from '../api-response.ts'
import { decodeObject } from '../decode/decode-object.ts'
import { badRequest } from '../failures.ts'
import { replaceObject } from '../replace-object.ts'
import { resourceName } from '../served-resource.ts'
import type { ServerContext } from '../server-context.ts'
import { warned, writeResponse } from '../write-result.ts'

/** PUT of an object or of its status path. */
export async function update(context: ServerContext, call: ApiCall): Promise<ApiResponse> {
  const { resource, namespace, name = '' } = call
  const parameters = writeParametersOf(call)
  const object = decodeObject(call.body, resource, parameters)
  const given = object.metadata
  if (given.name !== undefined && given.name !== name) {
    throw badRequest(`the name of the object (${given.name}) does not match the name on the URL (${name})`)
  }
  if (given.namespace && given.namespace !== namespace) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request')
  }
  if (resource.custom === true && !given.resourceVersion) throw versionRequired(resourceName(resource), call)
  return warned(parameters, async () =>
    writeResponse(await replaceObject(context, call, () => ({ object }), parameters)),
  )
}

/** Names the resource where other failures of this kind name the kind. */
function versionRequired(resource: string, { name = '', resource: { plural, group } }: ApiCall): ApiFailure {
  const message = 'Invalid value: 0: must be specified for an update'
  const field = 'metadata.resourceVersion'
  return new ApiFailure(422, 'Invalid', `${resource} "${name}" is invalid: ${field}: ${message}`, {
    details: { name, group, kind: plural, causes: [{ reason: 'FieldValueInvalid', message, field }] },
  })
}
