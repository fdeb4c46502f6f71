import type { ApiCall } from '../api-call.ts'
import { writeParametersOf } from '../api-call.ts'
import type { ApiResponse } from '../api-response.ts'
import { createObject } from '../create-object.ts'
import { decodeObject } from '../decode/decode-object.ts'
import type { ServerContext } from '../server-context.ts'
import { warned, writeResponse } from '../write-result.ts'

/** POST to a collection. */
export async function create(context: ServerContext, call: ApiCall): Promise<ApiResponse> {
  const parameters = writeParametersOf(call)
  return warned(parameters, async () => {
    const object = decodeObject(call.body, call.resource, parameters)
    return writeResponse(await createObject(context, call, object, parameters))
  })
}
