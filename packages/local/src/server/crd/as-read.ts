import { apiVersionOf, type KubeList, type KubeObject } from '@trainjob/kube'
import type { ApiResponse, ServerEvent } from '../api-response.ts'
import type { ServedResource } from '../served-resource.ts'
import { mapEvents } from '../watch/map-events.ts'

/** An answer about objects that may have been written before the definition of their kind became what it is now. */
export function asRead(response: ApiResponse, resource: ServedResource): ApiResponse {
  const { body } = response
  const read = (object: KubeObject): KubeObject => readObject(object, resource)
  const readEvent = ({ type, object }: ServerEvent): ServerEvent => ({ type, object: read(object as KubeObject) })
  if (body.type === 'json') {
    const value = body.value as KubeObject & Partial<KubeList<KubeObject>>
    const converted = Array.isArray(value.items) ? { ...value, items: value.items.map(read) } : read(value)
    return { ...response, body: { ...body, value: converted } }
  }
  if (body.type === 'list') {
    const { member } = body
    return { ...response, body: { ...body, member: (object) => member(read(object)) } }
  }
  return body.type === 'events'
    ? { ...response, body: { ...body, batches: mapEvents(body.batches, readEvent) } }
    : response
}

/**
 * A stored object in the version that is asked for, with the defaults of now. The versions of a definition differ in
 * nothing else.
 */
export function readObject(object: KubeObject, resource: ServedResource): KubeObject {
  if (object.kind !== resource.kind) return object
  const apiVersion = apiVersionOf(resource)
  const converted = object.apiVersion === apiVersion ? object : { ...object, apiVersion }
  return resource.fillsReads === true ? (resource.schema?.fill(converted) as KubeObject) : converted
}
