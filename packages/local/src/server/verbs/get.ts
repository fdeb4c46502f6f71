import type { ApiCall } from '../api-call.ts'
import { type ApiResponse, jsonResponse } from '../api-response.ts'
import { notFound } from '../failures.ts'
import { requestedVersion } from '../requested-version.ts'
import { storeKey } from '../served-resource.ts'
import type { ServerContext } from '../server-context.ts'

/** GET of one object, or of its status path. */
export function getObject(context: ServerContext, call: ApiCall): ApiResponse {
  const { resource, namespace = '', name = '' } = call
  requestedVersion(call.query, context.store)
  const object = context.store.get(call.collection, storeKey(resource, namespace, name))
  if (object === undefined) throw notFound(resource, name)
  return jsonResponse(object)
}
