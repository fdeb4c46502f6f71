import type { Pod } from '@trainjob/api'
import type { KubeObject, ObjectMeta, Status } from '@trainjob/kube'
import { isStoreError } from '../store/store-error.ts'
import type { ApiCall } from './api-call.ts'
import { causeOf } from './cause-of.ts'
import type { DeleteParameters } from './delete-parameters.ts'
import { conflict, invalid, notFound, preconditionFailed } from './failures.ts'
import { rfc3339 } from './rfc3339.ts'
import { type ServedResource, storeKey } from './served-resource.ts'
import type { ServerContext } from './server-context.ts'
import { reviewedWrite } from './webhooks/reviewed-write.ts'

const ATTEMPTS = 10

/**
 * Removes an object, or marks it as going when something holds it: a finalizer, dependents (foreground, orphan), the
 * grace period of a pod that runs on a node, the content of a namespace. Answers the object while it lives on and a
 * `Status` when it is gone. Throws `ApiFailure`.
 */
export async function deleteObject(
  context: ServerContext,
  call: ApiCall,
  name: string,
  parameters: DeleteParameters,
): Promise<KubeObject | Status> {
  const { resource, namespace = '' } = call
  const key = storeKey(resource, namespace, name)
  for (let attempt = 1; ; attempt++) {
    const current = context.store.get(call.collection, key)
    if (current === undefined) throw notFound(resource, name)
    checkPreconditions(resource, current, parameters)
    const { dryRun } = parameters
    await askToDelete(context, call, current, parameters)
    const next = marked(resource, current, parameters, context.clock.now())
    const version = current.metadata.resourceVersion ?? ''
    try {
      if (next === undefined) {
        if (!dryRun) context.store.delete(call.collection, key, current, version)
        return gone(resource, current)
      }
      if (next === current || dryRun) return next
      return context.store.update(call.collection, key, next, version)
    } catch (error) {
      if (isStoreError(error, 'missing')) throw notFound(resource, name)
      if (!isStoreError(error, 'conflict')) throw error
      if (attempt === ATTEMPTS) throw conflict(resource, name)
    }
  }
}

/** No schema speaks about an object that goes. */
async function askToDelete(
  { admission, webhooks }: ServerContext,
  call: ApiCall,
  object: KubeObject,
  { dryRun, warnings, propagationPolicy, gracePeriodSeconds, preconditions }: DeleteParameters,
): Promise<void> {
  const { resource } = call
  const { name = '' } = object.metadata
  const { errors } = await admission.validate(resource, { operation: 'DELETE', object, oldObject: object, dryRun })
  if (errors.length > 0) throw invalid(resource, name, errors.map(causeOf))
  const options = {
    ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds }),
    ...(preconditions !== undefined && { preconditions }),
    ...(propagationPolicy !== undefined && { propagationPolicy }),
  }
  const write = reviewedWrite(call, 'DELETE', name, dryRun, options)
  if (!webhooks.concern(write)) return
  const reviewed = { object: null, oldObject: object }
  await webhooks.mutate(write, reviewed, warnings, NO_REWORK)
  await webhooks.validate(write, reviewed, warnings)
}

/** Nothing is left that could be changed. */
const NO_REWORK = { decode: (patched: unknown) => patched as KubeObject, again: (object: KubeObject) => object }

function checkPreconditions(resource: ServedResource, current: KubeObject, { preconditions }: DeleteParameters): void {
  const { name = '', uid, resourceVersion } = current.metadata
  if (preconditions?.uid !== undefined && preconditions.uid !== uid) {
    throw preconditionFailed(
      resource,
      name,
      `the UID in the precondition (${preconditions.uid}) does not match the UID in record (${uid}). The object might have been deleted and then recreated`,
    )
  }
  if (preconditions?.resourceVersion !== undefined && preconditions.resourceVersion !== resourceVersion) {
    throw preconditionFailed(
      resource,
      name,
      `the ResourceVersion in the precondition (${preconditions.resourceVersion}) does not match the ResourceVersion in record (${resourceVersion}). The object might have been modified`,
    )
  }
}

/** The object on its way out; `undefined` when nothing holds it. */
function marked(
  resource: ServedResource,
  current: KubeObject,
  parameters: DeleteParameters,
  now: number,
): KubeObject | undefined {
  const { metadata } = current
  const finalizers = finalizersFor(resource, metadata, parameters)
  const grace = graceOf(resource, current, parameters)
  const held = finalizers.length > 0 || grace > 0 || isHeldNamespace(current)
  if (!held) return undefined
  const deadline = rfc3339(now + grace * 1000)
  if (metadata.deletionTimestamp === undefined && resource.cleanupFinalizer !== undefined) {
    const withCondition = withTerminating(current, rfc3339(now))
    return { ...withCondition, metadata: { ...withFinalizers(metadata, finalizers), deletionTimestamp: deadline } }
  }
  if (metadata.deletionTimestamp === undefined) {
    const generation = metadata.generation === undefined ? {} : { generation: metadata.generation + 1 }
    return terminating({
      ...current,
      metadata: {
        ...withFinalizers(metadata, finalizers),
        ...generation,
        deletionTimestamp: deadline,
        deletionGracePeriodSeconds: grace,
      },
    })
  }
  const shorter = grace < (metadata.deletionGracePeriodSeconds ?? 0)
  const sameFinalizers = finalizers.length === (metadata.finalizers?.length ?? 0)
  if (!shorter && sameFinalizers) return current
  return {
    ...current,
    metadata: {
      ...withFinalizers(metadata, finalizers),
      ...(shorter && { deletionTimestamp: deadline, deletionGracePeriodSeconds: grace }),
    },
  }
}

const PROPAGATION_FINALIZERS = ['foregroundDeletion', 'orphan'] as const

/** The finalizers that stay, and the one through which the garbage collector learns what to do with dependents. */
function finalizersFor(resource: ServedResource, metadata: ObjectMeta, parameters: DeleteParameters): string[] {
  const given = metadata.finalizers ?? []
  const policy =
    parameters.propagationPolicy ??
    (given.includes('foregroundDeletion')
      ? 'Foreground'
      : given.includes('orphan') || resource.orphansByDefault === true
        ? 'Orphan'
        : 'Background')
  const kept = given.filter((name) => !(PROPAGATION_FINALIZERS as readonly string[]).includes(name))
  const { cleanupFinalizer: cleanup } = resource
  if (cleanup !== undefined && metadata.deletionTimestamp === undefined && !kept.includes(cleanup)) kept.push(cleanup)
  if (policy === 'Foreground') return [...kept, 'foregroundDeletion']
  return policy === 'Orphan' ? [...kept, 'orphan'] : kept
}

function withFinalizers(metadata: ObjectMeta, finalizers: string[]): ObjectMeta {
  if (finalizers.length > 0) return { ...metadata, finalizers }
  const { finalizers: _, ...rest } = metadata
  return rest
}

/** Seconds that a pod has to end; all other objects go at once. */
function graceOf(resource: ServedResource, current: KubeObject, { gracePeriodSeconds }: DeleteParameters): number {
  if (resource.kind !== 'Pod' || resource.group !== '') return 0
  const { spec, status, metadata } = current as Pod
  const ended = status?.phase === 'Succeeded' || status?.phase === 'Failed'
  if (!spec.nodeName || ended) return 0
  const wanted = gracePeriodSeconds ?? metadata.deletionGracePeriodSeconds ?? spec.terminationGracePeriodSeconds ?? 30
  // the deadline of a pod that already ends can only be brought forward
  return metadata.deletionGracePeriodSeconds === undefined
    ? wanted
    : Math.min(wanted, metadata.deletionGracePeriodSeconds)
}

function isHeldNamespace(object: KubeObject): boolean {
  const { kind, spec } = object as { kind: string; spec?: { finalizers?: unknown[] } }
  return kind === 'Namespace' && (spec?.finalizers?.length ?? 0) > 0
}

function terminating(object: KubeObject): KubeObject {
  return isHeldNamespace(object) ? ({ ...object, status: { phase: 'Terminating' } } as KubeObject) : object
}

/** A definition says that its objects go. */
function withTerminating(object: KubeObject, now: string): KubeObject {
  const { status } = object as KubeObject & { status?: { conditions?: readonly object[] } }
  const condition = {
    type: 'Terminating',
    status: 'True',
    lastTransitionTime: now,
    reason: 'InstanceDeletionPending',
    message: 'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon',
  }
  return { ...object, status: { ...status, conditions: [...(status?.conditions ?? []), condition] } } as KubeObject
}

function gone(resource: ServedResource, { metadata }: KubeObject): Status {
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    details: {
      name: metadata.name ?? '',
      ...(resource.group !== '' && { group: resource.group }),
      kind: resource.plural,
      uid: metadata.uid ?? '',
    },
  }
}
