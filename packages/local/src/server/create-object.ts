import type { KubeObject, ObjectMeta } from '@trainjob/kube'
import { isStoreError } from '../store/store-error.ts'
import { admit } from './admit.ts'
import type { ApiCall, WriteParameters } from './api-call.ts'
import { trackUpdate } from './apply/track-update.ts'
import { alreadyExists, badRequest, forbidden, invalid, notFound, unforeseen } from './failures.ts'
import { treatmentOf, writtenPart } from './kinds/treatment.ts'
import { checkName, generatedNameBase } from './object-names.ts'
import { rfc3339 } from './rfc3339.ts'
import { hasStatusPath, type ServedResource, storeKey } from './served-resource.ts'
import type { ServerContext } from './server-context.ts'
import { mutatedObject } from './webhooks/mutated-object.ts'
import { reviewedWrite } from './webhooks/reviewed-write.ts'
import type { WriteResult } from './write-result.ts'

/** How often a generated name that is taken is replaced by another. */
const NAME_ATTEMPTS = 8

/**
 * Stores a new object: names and stamps it, runs admission, records who owns its fields (unless `owned` says that the
 * caller did). `object` has been decoded and belongs to the server. Throws `ApiFailure`.
 */
export async function createObject(
  context: ServerContext,
  call: ApiCall,
  object: KubeObject,
  parameters: WriteParameters,
  owned: boolean = false,
): Promise<WriteResult> {
  const { resource } = call
  const prepared = prepare(context, call, object)
  const { metadata } = prepared
  for (let attempt = 1; ; attempt++) {
    const name = metadata.name ?? generatedNameBase(metadata.generateName ?? '') + context.ids.suffix()
    const named = nameIt(resource, prepared, name)
    try {
      return await store(context, call, named, metadata.name === undefined, parameters, owned)
    } catch (error) {
      if (!isStoreError(error, 'exists')) throw error
      if (metadata.name !== undefined || attempt === NAME_ATTEMPTS) throw alreadyExists(resource, name)
    }
  }
}

function prepare(context: ServerContext, call: ApiCall, object: KubeObject): KubeObject {
  const { resource } = call
  const given = object.metadata
  if (given.resourceVersion !== undefined && given.resourceVersion !== '') {
    throw unforeseen('resourceVersion should not be set on objects to be created')
  }
  const namespace = checkNamespace(context, call, given)
  if (!given.name && !given.generateName) {
    throw invalid(resource, '', [
      {
        reason: 'FieldValueRequired',
        field: 'metadata.name',
        message: 'Required value: name or generateName is required',
      },
    ])
  }
  const { resourceVersion: _, deletionTimestamp: __, deletionGracePeriodSeconds: ___, ...kept } = given
  const metadata: ObjectMeta = {
    ...kept,
    ...(namespace !== undefined && { namespace }),
    uid: context.ids.uid(),
    creationTimestamp: rfc3339(context.clock.now()),
    ...(resource.generation === true && { generation: 1 }),
  }
  if (namespace === undefined) delete metadata.namespace
  if (!given.name) delete metadata.name
  if (resource.generation !== true) delete metadata.generation
  return filled(resource, { ...withInitialStatus(resource, object), metadata })
}

/** With the defaults of the kind's definition. */
export function filled(resource: ServedResource, object: KubeObject): KubeObject {
  return resource.schema === undefined ? object : (resource.schema.fill(object) as KubeObject)
}

/** The namespace that the object goes to, when its kind has one. */
function checkNamespace(
  context: ServerContext,
  { resource, namespace }: ApiCall,
  given: ObjectMeta,
): string | undefined {
  if (!resource.namespaced) return undefined
  if (namespace === undefined) throw badRequest('an empty namespace may not be set during creation')
  if (given.namespace && given.namespace !== namespace) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request')
  }
  const found = context.store.get('namespaces', namespace)
  if (found === undefined) throw notFound({ plural: 'namespaces', group: '' }, namespace)
  if (found.metadata.deletionTimestamp !== undefined) {
    throw forbidden(
      resource,
      given.name ?? given.generateName ?? '',
      `unable to create new content in namespace ${namespace} because it is being terminated`,
      [
        {
          reason: 'NamespaceTerminating',
          field: 'metadata.namespace',
          message: `namespace ${namespace} is being terminated`,
        },
      ],
    )
  }
  return namespace
}

function withInitialStatus(resource: ServedResource, object: KubeObject): KubeObject {
  if (resource.initialStatus !== undefined) return { ...object, status: resource.initialStatus } as KubeObject
  if (resource.custom !== true || !hasStatusPath(resource) || !Object.hasOwn(object, 'status')) return object
  const { status: _, ...rest } = object as KubeObject & { status?: unknown }
  return rest
}

function nameIt(resource: ServedResource, object: KubeObject, name: string): KubeObject {
  checkName(resource, name)
  const named = object.metadata.name === name ? object : { ...object, metadata: { ...object.metadata, name } }
  return treatmentOf(resource).onCreate?.(named) ?? named
}

async function store(
  context: ServerContext,
  call: ApiCall,
  object: KubeObject,
  generated: boolean,
  parameters: WriteParameters,
  owned: boolean,
): Promise<WriteResult> {
  const { resource } = call
  const { name = '', namespace = '' } = object.metadata
  const { dryRun } = parameters
  const about = { operation: 'CREATE', dryRun } as const
  const write = reviewedWrite(call, 'CREATE', generated ? undefined : name, dryRun)
  const mutated = context.admission.mutate(resource, { ...about, object })
  const defaulted = mutated instanceof Promise ? await mutated : mutated
  const restore = (changed: KubeObject): KubeObject =>
    filled(resource, { ...withInitialStatus(resource, changed), metadata: stamped(changed.metadata, object.metadata) })
  const written = writtenPart(resource, object, defaulted)
  const mutation = { resource, write, about, current: undefined, written, owned, restore }
  const reviewed = await mutatedObject(context, mutation, defaulted, parameters)
  const admitted = await admit(context, resource, { ...about, object: reviewed }, parameters)
  const final =
    owned || reviewed !== defaulted
      ? admitted
      : trackUpdate(
          { resource, subresource: undefined, manager: parameters.manager, now: context.clock.now() },
          undefined,
          admitted,
          written === defaulted ? admitted : written,
        )
  await context.webhooks.validate({ ...write, name }, { object: final, oldObject: null }, parameters.warnings)
  const key = storeKey(resource, namespace, name)
  // what is there already is said last, as on a real server: an object that is wrong is told so whatever its name
  if (dryRun && context.store.get(call.collection, key) !== undefined) throw alreadyExists(resource, name)
  const stored = dryRun ? final : context.store.create(call.collection, key, final)
  return { object: stored, created: true }
}

/** With what the server gave the object, whatever has become of it. */
function stamped(metadata: ObjectMeta, given: ObjectMeta): ObjectMeta {
  const { name, namespace, uid, creationTimestamp, generation } = given
  return {
    ...metadata,
    ...(name !== undefined && { name }),
    ...(namespace !== undefined && { namespace }),
    ...(uid !== undefined && { uid }),
    ...(creationTimestamp !== undefined && { creationTimestamp }),
    ...(generation !== undefined && { generation }),
  }
}
