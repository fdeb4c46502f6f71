import { apiVersionOf, type KubeObject } from '@trainjob/kube'
import { withoutNulls } from '../../object/without-nulls.ts'
import type { ApiCall, WriteParameters } from '../api-call.ts'
import { ApiFailure } from '../api-failure.ts'
import type { ApiResponse } from '../api-response.ts'
import { applyConfiguration } from '../apply/apply-configuration.ts'
import { throwUntyped } from '../apply/check-applied.ts'
import { createObject } from '../create-object.ts'
import { conform } from '../decode/conform.ts'
import { decodeObject } from '../decode/decode-object.ts'
import { structOf } from '../decode/struct-of.ts'
import { badRequest, conflict, invalid, notFound } from '../failures.ts'
import { replaceObject } from '../replace-object.ts'
import { type ServedResource, storeKey } from '../served-resource.ts'
import type { ServerContext } from '../server-context.ts'
import { type WriteResult, writeResponse } from '../write-result.ts'

/** PATCH with an applied configuration: creates the object when there is none. */
export async function apply(context: ServerContext, call: ApiCall, parameters: WriteParameters): Promise<ApiResponse> {
  const config = await decodeConfiguration(context, call, parameters)
  const { resource, subresource, namespace = '', name = '' } = call
  const writer = { resource, subresource, manager: parameters.manager, now: context.clock.now() }
  const exists = () => context.store.get(call.collection, storeKey(resource, namespace, name)) !== undefined
  const decode = async (applied: KubeObject, current?: KubeObject): Promise<KubeObject> => {
    await refuseNulls(resource, applied, current)
    return decodeObject(applied, resource, { ...parameters, fieldValidation: 'Ignore' }, current)
  }
  const change = (): Promise<WriteResult> =>
    replaceObject(
      context,
      call,
      async (current) => {
        const applied = applyConfiguration(writer, current, config, parameters.force)
        reportDuplicates(parameters)
        const object = applied === current ? current : await decode(applied, current)
        return { object: withIdentity(object, config), owned: true }
      },
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
  if (!config.metadata.name) {
    throw badRequest('the name of the object (object based on URL) was undeterminable: name must be provided')
  }
  const applied = applyConfiguration(writer, undefined, { ...config, metadata }, parameters.force)
  reportDuplicates(parameters)
  const fresh = await decode(applied)
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
  const { resource, name = '', namespace, body } = call
  if (typeof body !== 'object' || Array.isArray(body)) throw notDecoded(body)
  const { apiVersion, kind } = (body ?? {}) as Partial<KubeObject>
  if (!apiVersion || !kind) {
    throw badRequest(`invalid object type: ${apiVersion ?? ''}${apiVersion ? '' : '/'}, Kind=${kind ?? ''}`)
  }
  if (apiVersion !== apiVersionOf(resource) || kind !== resource.kind) {
    throw badRequest(`invalid object type: ${`${apiVersion}`.includes('/') ? '' : '/'}${apiVersion}, Kind=${kind}`)
  }
  // what is unknown or of a wrong type is told below, in other words
  const checked = { apiVersion, kind, metadata: identityOf(body as Partial<KubeObject>) }
  const { metadata } = decodeObject(checked, resource, { ...parameters, fieldValidation: 'Ignore' })
  if (metadata.name !== undefined && metadata.name !== name) {
    throw badRequest(`the name of the object (${metadata.name}) does not match the name on the URL (${name})`)
  }
  if (metadata.namespace !== undefined && metadata.namespace !== namespace) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request')
  }
  const config = { ...(body as KubeObject), metadata: (body as Partial<KubeObject>).metadata ?? {} }
  if (config.metadata.managedFields !== undefined) throw badRequest('metadata.managedFields must be nil')
  await refuseUntyped(context, call, config)
  return config
}

/** What says which object is meant. */
function identityOf({ metadata }: Partial<KubeObject>): unknown {
  if (typeof metadata !== 'object' || metadata === null) return metadata
  const { name, namespace, uid, resourceVersion } = metadata
  return { name, namespace, uid, resourceVersion }
}

function notDecoded(body: unknown): ApiFailure {
  const found = Array.isArray(body) ? 'array' : typeof body === 'boolean' ? 'bool' : typeof body
  return badRequest(
    `error decoding YAML: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal ${found} into Go value of type map[string]interface {}`,
  )
}

/** The object of the state that a configuration is for, where it says so: whoever stores it compares. */
function withIdentity(object: KubeObject, { metadata: { uid, resourceVersion } }: KubeObject): KubeObject {
  const { metadata } = object
  const other = (given: string | undefined, live: string | undefined) =>
    given !== undefined && given !== '' && given !== live
  if (!other(uid, metadata.uid) && !other(resourceVersion, metadata.resourceVersion)) return object
  return {
    ...object,
    metadata: { ...metadata, ...(uid && { uid }), ...(resourceVersion && { resourceVersion }) },
  }
}

/** A null that is applied is not dropped as in other writes: where the schema allows none, it is wrong. */
async function refuseNulls(resource: ServedResource, applied: KubeObject, current?: KubeObject): Promise<void> {
  const { schema } = resource
  if (schema === undefined || withoutNulls(applied) === applied) return
  const { metadata: _, ...content } = schema.fill(applied, true) as KubeObject & Record<string, unknown>
  const causes = await schema.check(content, current)
  if (causes.length > 0) throw invalid(resource, applied.metadata.name ?? '', causes)
}

/** Tells of what was written twice; whatever else is wrong comes first, as on a real server. Throws `ApiFailure` 400. */
function reportDuplicates({ duplicates, fieldValidation, warnings }: WriteParameters): void {
  if (duplicates === undefined || fieldValidation === 'Ignore') return
  if (fieldValidation === 'Strict') {
    throw badRequest(`error strict decoding YAML: error converting YAML to JSON: ${duplicates.strict}`)
  }
  for (const text of duplicates.warnings) warnings.add(text)
}

/**
 * Nobody could own a field that the kind does not have, or a value of another type. Where there is a schema, it says so
 * itself.
 */
async function refuseUntyped(
  { admission }: ServerContext,
  { resource, body }: ApiCall,
  config: KubeObject,
): Promise<void> {
  if (resource.schema !== undefined) return
  const struct = structOf(resource)
  if (struct !== undefined) {
    const { unknown, faults } = conform(body, struct)
    throwUntyped(config, resource, [
      ...unknown.map((path) => ({ path })),
      ...faults.map(({ path, expected, found }) => ({ path, expected, found })),
    ])
    return
  }
  const issues = (await admission.checkSchema(resource, config))?.errors ?? []
  const unknown = issues.filter(({ code }) => code === 'unknown-field').slice(0, 1)
  throwUntyped(config, resource, unknown)
}
