import type { KubeObject } from '@trainjob/kube'
import type { ApiCall, WriteParameters } from '../api-call.ts'
import { ApiFailure } from '../api-failure.ts'
import type { ApiResponse } from '../api-response.ts'
import { applyConfiguration } from '../apply/apply-configuration.ts'
import { requiredValue } from '../causes.ts'
import { createObject } from '../create-object.ts'
import { conform } from '../decode/conform.ts'
import { decodeObject } from '../decode/decode-object.ts'
import { structOf } from '../decode/struct-of.ts'
import { badRequest, conflict, invalidOptions, notFound, unforeseen } from '../failures.ts'
import { replaceObject } from '../replace-object.ts'
import { storeKey } from '../served-resource.ts'
import type { ServerContext } from '../server-context.ts'
import { type WriteResult, writeResponse } from '../write-result.ts'

/** PATCH with an applied configuration: creates the object when there is none. */
export async function apply(context: ServerContext, call: ApiCall, parameters: WriteParameters): Promise<ApiResponse> {
  const config = await decodeConfiguration(context, call, parameters)
  const { resource, subresource, namespace = '', name = '' } = call
  const writer = { resource, subresource, manager: parameters.manager, now: context.clock.now() }
  const exists = () => context.store.get(call.collection, storeKey(resource, namespace, name)) !== undefined
  const change = (): Promise<WriteResult> =>
    replaceObject(
      context,
      call,
      (current) => ({ object: applyConfiguration(writer, current, config, parameters.force), owned: true }),
      parameters,
    )
  if (exists()) return writeResponse(await change())
  if (subresource !== undefined) throw notFound(resource, name)
  if (config.metadata.uid) {
    throw conflict(
      resource,
      name,
      `uid mismatch: the provided object specified uid ${config.metadata.uid}, and no existing object was found`,
    )
  }
  // a version says which state the configuration is for; there is none yet
  const { resourceVersion: _, ...metadata } = config.metadata
  const fresh = applyConfiguration(writer, undefined, { ...config, metadata }, parameters.force)
  try {
    return writeResponse(await createObject(context, call, fresh, parameters, true))
  } catch (error) {
    // somebody else was faster
    if (error instanceof ApiFailure && error.body.reason === 'AlreadyExists') return writeResponse(await change())
    throw error
  }
}

async function decodeConfiguration(
  context: ServerContext,
  call: ApiCall,
  parameters: WriteParameters,
): Promise<KubeObject> {
  const { resource, name = '', namespace, query, body } = call
  if (!query.fieldManager) {
    throw invalidOptions('PatchOptions', [requiredValue('fieldManager', 'is required for apply patch')])
  }
  const { apiVersion, kind } = (body ?? {}) as Partial<KubeObject>
  if (!apiVersion || !kind) {
    throw badRequest(`invalid object type: ${apiVersion ?? ''}${apiVersion ? '' : '/'}, Kind=${kind ?? ''}`)
  }
  // what is unknown is told below, in other words
  const config = decodeObject(body, resource, { ...parameters, fieldValidation: 'Ignore' })
  const { metadata } = config
  if (metadata.name !== undefined && metadata.name !== name) {
    throw badRequest(`the name of the object (${metadata.name}) does not match the name on the URL (${name})`)
  }
  if (metadata.namespace !== undefined && metadata.namespace !== namespace) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request')
  }
  if (metadata.managedFields !== undefined) throw badRequest('metadata.managedFields must be nil')
  const named = {
    ...config,
    metadata: { ...metadata, name, ...(namespace !== undefined && { namespace }) },
  }
  await refuseUnknownFields(context, call, named)
  return named
}

/** Nobody could own a field that the schema does not have; the real server says so in these words, as a 500. */
async function refuseUnknownFields(
  { admission }: ServerContext,
  { resource, body }: ApiCall,
  config: KubeObject,
): Promise<void> {
  const struct = structOf(resource)
  const unknown =
    resource.schema !== undefined
      ? resource.schema.prune(body).unknown[0]
      : struct !== undefined
        ? conform(body, struct).unknown[0]
        : (await admission.checkSchema(resource, config))?.errors.find(({ code }) => code === 'unknown-field')?.path
  if (unknown === undefined) return
  const { name, namespace } = config.metadata
  const object = `${namespace === undefined ? '' : `${namespace}/`}${name}; ${config.apiVersion}, Kind=${config.kind}`
  throw unforeseen(`failed to create typed patch object (${object}): .${unknown}: field not declared in schema`)
}
