import type { AdmissionRequest } from '@trainjob/controller'
import type { KubeObject } from '@trainjob/kube'
import type { WriteParameters } from '../api-call.ts'
import { trackUpdate } from '../apply/track-update.ts'
import { decodeObject } from '../decode/decode-object.ts'
import type { ServedResource } from '../served-resource.ts'
import type { ServerContext } from '../server-context.ts'
import type { ReviewedWrite } from './admission-review.ts'

/** A write on its way through mutating webhooks. */
export interface Mutation {
  readonly resource: ServedResource
  readonly write: ReviewedWrite
  /** What hooks of this server are told of it. */
  readonly about: Omit<AdmissionRequest, 'object'>
  readonly current: KubeObject | undefined
  /** The object before it was completed. */
  readonly written: KubeObject
  /** Whether the object says already who owns its fields. */
  readonly owned: boolean
  /** Puts back what no webhook may change. */
  restore(object: KubeObject): KubeObject
}

/**
 * What mutating webhooks make of an object; the very same when they leave it alone. What they change is owned by nobody,
 * so the object then says who owns all else. Throws `ApiFailure`.
 */
export async function mutatedObject(
  { webhooks, admission, clock }: ServerContext,
  { resource, write, about, current, written, owned, restore }: Mutation,
  object: KubeObject,
  parameters: WriteParameters,
): Promise<KubeObject> {
  if (!webhooks.concern(write)) return object
  const writer = { resource, subresource: write.subresource, manager: parameters.manager, now: clock.now() }
  const tracked = owned ? object : trackUpdate(writer, current, object, written)
  const isNew = current === undefined
  const shown = isNew ? unborn(tracked, write.name === undefined) : tracked
  const mutated = await webhooks.mutate(write, { object: shown, oldObject: current ?? null }, parameters.warnings, {
    decode: (patched) => decodeObject(patched, resource, { ...parameters, fieldValidation: 'Ignore' }, shown),
    async again(changed) {
      const reworked = await admission.mutate(resource, { ...about, object: restore(changed) })
      return isNew ? unborn(reworked, write.name === undefined) : reworked
    },
  })
  return mutated === null || mutated === shown ? object : restore(mutated)
}

/** A new object before the server has stamped it, as webhooks see it first. */
function unborn(object: KubeObject, nameless: boolean): KubeObject {
  const { uid: _, creationTimestamp: __, generation: ___, name, ...metadata } = object.metadata
  return { ...object, metadata: nameless || name === undefined ? metadata : { name, ...metadata } }
}
