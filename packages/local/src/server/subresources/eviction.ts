import type { Status } from '@trainjob/kube'
import type { ApiCall } from '../api-call.ts'
import { type ApiResponse, jsonResponse } from '../api-response.ts'
import { deleteObject } from '../delete-object.ts'
import { deleteParametersOf } from '../delete-parameters.ts'
import { badRequest } from '../failures.ts'
import type { ServerContext } from '../server-context.ts'

/** POST of an `Eviction`: the pod is deleted. There are no disruption budgets here that could forbid it. */
export async function evictPod(context: ServerContext, call: ApiCall): Promise<ApiResponse> {
  const { name = '', body, query } = call
  const { metadata, deleteOptions } = (body ?? {}) as { metadata?: { name?: string }; deleteOptions?: unknown }
  if (metadata?.name !== undefined && metadata.name !== name) {
    throw badRequest('name in URL does not match name in Eviction object')
  }
  const { subresource: _, ...whole } = call
  await deleteObject(context, whole, name, deleteParametersOf({ body: deleteOptions ?? undefined, query }))
  const done: Status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 }
  return jsonResponse(done, 201)
}
