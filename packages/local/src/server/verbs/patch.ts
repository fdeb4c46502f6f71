import type { KubeObject } from '@trainjob/kube'
import { type ApiCall, type WriteParameters, writeParametersOf } from '../api-call.ts'
import { ApiFailure } from '../api-failure.ts'
import type { ApiResponse } from '../api-response.ts'
import { invalidValue } from '../causes.ts'
import { decodeObject } from '../decode/decode-object.ts'
import { reportUnknownFields } from '../decode/unknown-fields.ts'
import { badRequest, unsupportedMediaType } from '../failures.ts'
import { goText } from '../patch/go-text.ts'
import { applyJsonPatch } from '../patch/json-patch.ts'
import { applyMergePatch } from '../patch/merge-patch.ts'
import { operationFaults } from '../patch/operation-faults.ts'
import { applyStrategicPatch } from '../patch/strategic-patch.ts'
import { replaceObject } from '../replace-object.ts'
import type { ServedResource } from '../served-resource.ts'
import type { ServerContext } from '../server-context.ts'
import { warned, writeResponse } from '../write-result.ts'
import { apply } from './apply.ts'

type Patcher = (current: KubeObject, patch: unknown, resource: ServedResource) => unknown

const JSON_PATCH = 'application/json-patch+json'
const PATCHERS: Readonly<Record<string, Patcher>> = {
  [JSON_PATCH]: applyJsonPatch,
  'application/merge-patch+json': (current, patch) => applyMergePatch(current, objectOf(patch)),
  'application/strategic-merge-patch+json': (current, patch, resource) =>
    applyStrategicPatch(current, objectOf(patch), resource),
}
const STRATEGIC = 'application/strategic-merge-patch+json'
const APPLY = 'application/apply-patch+yaml'

/** PATCH of an object or of its status path, by the type in `Content-Type`. */
export async function patch(context: ServerContext, call: ApiCall): Promise<ApiResponse> {
  const type = (call.headers['content-type'] ?? '').split(';', 1)[0]?.trim() ?? ''
  const parameters = writeParametersOf(call)
  if (type === APPLY) return warned(parameters, () => apply(context, call, parameters))
  const patcher = PATCHERS[type]
  if (patcher === undefined || (type === STRATEGIC && call.resource.custom === true)) {
    const accepted = [...Object.keys(PATCHERS), APPLY]
    throw unsupportedMediaType(call.resource.custom === true ? accepted.filter((one) => one !== STRATEGIC) : accepted)
  }
  const duplicates = type === JSON_PATCH ? operationFaults(call.body, call.duplicates) : call.duplicates
  const show = type === STRATEGIC ? () => goText(call.body) : (patched: unknown) => JSON.stringify(patched)
  return warned(parameters, async () =>
    writeResponse(await patchWith(context, call, patcher, { ...parameters, duplicates }, show)),
  )
}

function patchWith(
  context: ServerContext,
  call: ApiCall,
  patcher: Patcher,
  parameters: WriteParameters,
  show: (patched: unknown) => string,
) {
  const { resource, name, body } = call
  let patched: unknown
  const decoding = { ...parameters, refusal: (text: string) => invalidPatch(show(patched), text) }
  return replaceObject(
    context,
    call,
    (current) => {
      patched = patcher(current, body, resource)
      if (patched === current) reportUnknownFields(resource, [], decoding)
      const object = patched === current ? current : decodeObject(patched, resource, decoding, current)
      if (object.metadata.name !== name) {
        throw badRequest(
          `the name of the object (${object.metadata.name}) does not match the name on the URL (${name})`,
        )
      }
      return { object }
    },
    decoding,
  )
}

/** A patch of which `Strict` does not want a part: names no kind, as on a real server. */
function invalidPatch(shown: string, text: string): ApiFailure {
  const cause = invalidValue('patch', shown, text)
  return new ApiFailure(422, 'Invalid', ` "" is invalid: patch: ${cause.message}`, { details: { causes: [cause] } })
}

function objectOf(patch: unknown): object {
  if (typeof patch === 'object' && patch !== null && !Array.isArray(patch)) return patch
  throw badRequest(
    `error decoding patch: json: cannot unmarshal ${Array.isArray(patch) ? 'array' : typeof patch} into Go value of type map[string]interface {}`,
  )
}
