import { apiVersionOf, type KubeList, type KubeObject } from '@trainjob/kube'
import type { ApiResponse, ServerEvent } from '../api-response.ts'
import type { ServedResource } from '../served-resource.ts'
import { mapEvents } from '../watch/map-events.ts'

/**
 * An answer about objects that may have been written in another version of their kind, in the version that was asked
 * for. The versions of a definition differ in nothing else.
 */
export function inVersion(response: ApiResponse, resource: ServedResource): ApiResponse {
  const apiVersion = apiVersionOf(resource)
  const { body } = response
  const convert = (object: KubeObject): KubeObject =>
    object.kind === resource.kind && object.apiVersion !== apiVersion ? { ...object, apiVersion } : object
  const convertEvent = ({ type, object }: ServerEvent): ServerEvent => ({ type, object: convert(object as KubeObject) })
  if (body.type === 'json') {
    const value = body.value as KubeObject & Partial<KubeList<KubeObject>>
    const converted = Array.isArray(value.items) ? { ...value, items: value.items.map(convert) } : convert(value)
    return { ...response, body: { ...body, value: converted } }
  }
  return body.type === 'events'
    ? { ...response, body: { ...body, batches: mapEvents(body.batches, convertEvent) } }
    : response
}
