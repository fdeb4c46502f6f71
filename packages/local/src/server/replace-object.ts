import type { KubeObject, ObjectMeta } from '@trainjob/kube'
import { equal } from '../object/equal.ts'
import { isStoreError } from '../store/store-error.ts'
import { admit, checkContent, conformToSchema } from './admit.ts'
import type { ApiCall, WriteParameters } from './api-call.ts'
import type { ApiFailure } from './api-failure.ts'
import { managedFieldsGiven, trackUpdate } from './apply/track-update.ts'
import { forbiddenValue, invalidValue } from './causes.ts'
import { readObject } from './crd/as-read.ts'
import { filled } from './create-object.ts'
import { type Cause, conflict, invalid, notFound } from './failures.ts'
import { treatmentOf, writtenPart } from './kinds/treatment.ts'
import { hasStatusPath, type ServedResource, storeKey } from './served-resource.ts'
import type { ServerContext } from './server-context.ts'
import { mutatedObject } from './webhooks/mutated-object.ts'
import { reviewedWrite } from './webhooks/reviewed-write.ts'
import type { WriteResult } from './write-result.ts'

/** How often a change is made again because another write came between reading and storing. */
const ATTEMPTS = 10

/** What a change makes of the object that is stored now. */
export interface Change {
  readonly object: KubeObject
  /** The change recorded itself who owns which fields (server-side apply). */
  readonly owned?: boolean
}

/**
 * Replaces an object by what `change` makes of it: restores what the path may not change, runs admission, records who
 * owns the changed fields, counts the generation. A change that changes nothing writes nothing. When another write
 * comes between, the change is made again, unless it names the resourceVersion it is for. Throws `ApiFailure`.
 */
export async function replaceObject(
  context: ServerContext,
  call: ApiCall,
  change: (current: KubeObject) => Change | Promise<Change>,
  parameters: WriteParameters,
): Promise<WriteResult> {
  const { resource, namespace = '', name = '' } = call
  const key = storeKey(resource, namespace, name)
  for (let attempt = 1; ; attempt++) {
    const stored = context.store.get(call.collection, key)
    if (stored === undefined) throw notFound(resource, name)
    const current = resource.sharesStorage === true ? readObject(stored, resource) : stored
    const made = change(current)
    const changed = made instanceof Promise ? await made : made
    checkIdentity(call, changed.object, current)
    try {
      return await store(context, call, key, changed, current, parameters)
    } catch (error) {
      if (isStoreError(error, 'missing')) throw notFound(resource, name)
      if (!isStoreError(error, 'conflict')) throw error
      if (attempt === ATTEMPTS) throw conflict(resource, name)
    }
  }
}

function checkIdentity(
  { resource, method }: ApiCall,
  { metadata: given }: KubeObject,
  { metadata: current }: KubeObject,
): void {
  const { name = '', uid, resourceVersion } = current
  const other = given.uid !== undefined && given.uid !== '' && given.uid !== uid
  if (other && method !== 'PATCH') {
    throw conflict(resource, name, `Precondition failed: UID in precondition: ${given.uid}, UID in object meta: ${uid}`)
  }
  if (given.resourceVersion && given.resourceVersion !== resourceVersion) throw conflict(resource, name)
  if (other) {
    throw invalidMetadata(resource, name, invalidValue('metadata.uid', given.uid, 'field is immutable'))
  }
}

/** The metadata of custom objects is looked at twice, and each time its fault is noted. */
function invalidMetadata(resource: ServedResource, name: string, cause: Cause): ApiFailure {
  return invalid(resource, name, resource.custom === true ? [cause, cause] : [cause])
}

async function store(
  context: ServerContext,
  call: ApiCall,
  key: string,
  change: Change,
  current: KubeObject,
  parameters: WriteParameters,
): Promise<WriteResult> {
  const { resource, subresource, name } = call
  const { dryRun } = parameters
  const write = reviewedWrite(call, 'UPDATE', name, dryRun)
  let owned = change.owned === true
  let next = filled(resource, restore(resource, subresource, change.object, current))
  if (subresource === undefined) next = treatmentOf(resource).onUpdate?.(next) ?? next
  const about = {
    operation: 'UPDATE',
    oldObject: current,
    dryRun,
    ...(subresource !== undefined && { subresource }),
  } as const
  const given = next
  const mutated = context.admission.mutate(resource, { ...about, object: given })
  next = mutated instanceof Promise ? await mutated : mutated
  const completed = next
  const written = writtenPart(resource, given, completed)
  const mutation = {
    resource,
    write,
    about,
    current,
    written,
    owned,
    restore: (changed: KubeObject) => filled(resource, restore(resource, subresource, changed, current)),
  }
  const reviewed = await mutatedObject(context, mutation, next, parameters)
  if (reviewed !== next) owned = true
  next = reviewed
  if (
    sameContent(next, current) &&
    !(owned ? ownersChanged(next, current) : managedFieldsGiven(resource, change.object, current))
  ) {
    await context.webhooks.validate(write, { object: current, oldObject: current }, parameters.warnings)
    return { object: current }
  }
  next = countGeneration(resource, subresource, next, current)
  if (subresource !== undefined && resource.schema !== undefined) await checkContent(resource, next, current)
  if (subresource === undefined) next = await admit(context, resource, { ...about, object: next }, parameters)
  if (subresource === 'status') {
    next = await conformToSchema(context.admission, resource, next, parameters, subresource)
  }
  if (!owned) {
    const writer = { resource, subresource, manager: parameters.manager, now: context.clock.now() }
    next = trackUpdate(writer, current, next, written === completed ? next : written)
  }
  await context.webhooks.validate(write, { object: next, oldObject: current }, parameters.warnings)
  if (dryRun) return { object: next }
  const version = current.metadata.resourceVersion ?? ''
  if (mayGo(next)) {
    context.store.delete(call.collection, key, next, version)
    return { object: next } // as a real server shows it, in the version that it had
  }
  return { object: context.store.update(call.collection, key, next, version) }
}

/** Puts back what a write through this path may not change. */
function restore(
  resource: ServedResource,
  subresource: string | undefined,
  next: KubeObject,
  current: KubeObject,
): KubeObject {
  const status = statusOf(current)
  if (subresource === 'status') {
    const { managedFields } = next.metadata
    const metadata =
      resource.custom === true
        ? { ...current.metadata, ...(managedFields !== undefined && { managedFields }) }
        : keepSystemFields(resource, next.metadata, current.metadata)
    return withStatus({ ...current, metadata }, statusOf(next))
  }
  const restored = { ...next, metadata: keepSystemFields(resource, next.metadata, current.metadata) }
  return hasStatusPath(resource) ? withStatus(restored, status) : restored
}

function keepSystemFields(resource: ServedResource, next: ObjectMeta, current: ObjectMeta): ObjectMeta {
  checkFinalizers(resource, next, current)
  const { deletionTimestamp: _, deletionGracePeriodSeconds: __, generation: ___, ...given } = next
  const { name, namespace, uid, creationTimestamp, generation, resourceVersion } = current
  return {
    ...given,
    ...(name !== undefined && { name }),
    ...(namespace !== undefined && { namespace }),
    ...(uid !== undefined && { uid }),
    ...(creationTimestamp !== undefined && { creationTimestamp }),
    ...(generation !== undefined && { generation }),
    ...(resourceVersion !== undefined && { resourceVersion }),
    ...(current.deletionTimestamp !== undefined && { deletionTimestamp: current.deletionTimestamp }),
    ...(current.deletionGracePeriodSeconds !== undefined && {
      deletionGracePeriodSeconds: current.deletionGracePeriodSeconds,
    }),
  }
}

function checkFinalizers(resource: ServedResource, next: ObjectMeta, current: ObjectMeta): void {
  if (current.deletionTimestamp === undefined) return
  const fresh = (next.finalizers ?? []).filter((name) => current.finalizers?.includes(name) !== true)
  if (fresh.length === 0) return
  const text = `no new finalizers can be added if the object is being deleted, found new finalizers []string{${fresh.map((one) => JSON.stringify(one)).join(', ')}}`
  throw invalidMetadata(resource, current.name ?? '', forbiddenValue('metadata.finalizers', text))
}

function statusOf(object: KubeObject): unknown {
  return (object as { status?: unknown }).status
}

function withStatus(object: KubeObject, status: unknown): KubeObject {
  if (statusOf(object) === status) return object
  const { status: _, ...rest } = object as KubeObject & { status?: unknown }
  return status === undefined ? rest : ({ ...rest, status } as KubeObject)
}

/** Whether nothing differs but who owns what. */
function sameContent(next: KubeObject, current: KubeObject): boolean {
  const { managedFields: _, ...a } = next.metadata
  const { managedFields: __, ...b } = current.metadata
  return equal(a, b) && equal({ ...next, metadata: null }, { ...current, metadata: null })
}

function ownersChanged(next: KubeObject, current: KubeObject): boolean {
  return !equal(next.metadata.managedFields, current.metadata.managedFields)
}

function countGeneration(
  resource: ServedResource,
  subresource: string | undefined,
  next: KubeObject,
  current: KubeObject,
): KubeObject {
  if (resource.generation !== true || subresource === 'status') return next
  const ignored = hasStatusPath(resource) ? { metadata: null, status: null } : { metadata: null }
  if (equal({ ...next, ...ignored }, { ...current, ...ignored })) return next
  return { ...next, metadata: { ...next.metadata, generation: (current.metadata.generation ?? 0) + 1 } }
}

/** The last finalizer of an object that is being deleted is gone. */
function mayGo({ metadata, ...rest }: KubeObject): boolean {
  if (metadata.deletionTimestamp === undefined || (metadata.deletionGracePeriodSeconds ?? 0) > 0) return false
  const held = rest as { kind: string; spec?: { finalizers?: unknown[] } }
  const holders = held.kind === 'Namespace' ? (held.spec?.finalizers?.length ?? 0) : 0
  return (metadata.finalizers?.length ?? 0) + holders === 0
}
