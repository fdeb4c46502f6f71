import type { ApiCall } from '../api-call.ts'
import { type ApiResponse, jsonResponse } from '../api-response.ts'
import { deleteObject } from '../delete-object.ts'
import { deleteParametersOf } from '../delete-parameters.ts'
import { methodNotAllowed } from '../failures.ts'
import { selectionOf } from '../selectors/selection.ts'
import type { ServerContext } from '../server-context.ts'
import { warned } from '../write-result.ts'

/** DELETE of an object. */
export async function remove(context: ServerContext, call: ApiCall): Promise<ApiResponse> {
  const parameters = deleteParametersOf(call)
  return warned(parameters, async () => jsonResponse(await deleteObject(context, call, call.name ?? '', parameters)))
}

/** DELETE of a collection: each object that the selectors show, by itself. */
export async function removeCollection(context: ServerContext, call: ApiCall): Promise<ApiResponse> {
  const { resource, namespace, collection, query } = call
  if (resource.namespaced && namespace === undefined) throw methodNotAllowed()
  const parameters = deleteParametersOf(call)
  const selection = selectionOf(query, resource)
  const page = context.store.list(collection, namespace === undefined ? {} : { prefix: `${namespace}/` })
  const items = selection === undefined ? page.items : page.items.filter(selection)
  await Promise.all(items.map((item) => deleteObject(context, call, item.metadata.name ?? '', parameters)))
  const value = {
    kind: `${resource.kind}List`,
    apiVersion: resource.group === '' ? resource.version : `${resource.group}/${resource.version}`,
    metadata: { resourceVersion: String(context.store.version) },
    items,
  }
  return { status: 200, headers: {}, body: { type: 'json', value, bareItems: resource.custom !== true } }
}
