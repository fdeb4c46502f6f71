import type { ApiCall } from '../api-call.ts'
import { writeParametersOf } from '../api-call.ts'
import type { ApiResponse } from '../api-response.ts'
import { createObject } from '../create-object.ts'
import { decodeObject } from '../decode/decode-object.ts'
import type { ServerContext } from '../server-context.ts'
import { writeResponse } from '../write-result.ts'

/** POST to a collection. */
export async function create(context: ServerContext, call: ApiCall): Promise<ApiResponse> {
  const parameters = writeParametersOf(call)
  const object = decodeObject(call.body, call.resource, parameters)
  return writeResponse(await createObject(context, call, object, parameters), parameters)
}
