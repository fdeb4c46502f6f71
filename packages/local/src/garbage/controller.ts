import type { KubernetesObject, OwnerReference } from '@trainjob/api'
import {
  apiVersionOf,
  type Change,
  type Client,
  type Clock,
  createController,
  isNotFound,
  type JsonPatchOperation,
  keyOf,
  type ObjectKey,
} from '@trainjob/kube'
import { createInformers, type InformedKind, type Informers } from '../informers.ts'
import { equal } from '../object/equal.ts'
import type { ServedResource } from '../server/served-resource.ts'
import { sideBySide } from '../side-by-side.ts'
import { unlessChanged } from '../unless-changed.ts'
import { unlessGone } from '../unless-gone.ts'
import { decide, type OwnerState } from './decide.ts'
import { deletionMode, ORPHAN_FINALIZER } from './deletion-mode.ts'
import { createOwnershipGraph, type GraphNode, type OwnershipGraph, ownersOf } from './ownership-graph.ts'
import { followServedKinds } from './served-kinds.ts'

export interface GarbageCollectorOptions {
  readonly client: Client
  readonly clock: Clock
  /** Shared caches; own ones when left out. */
  readonly informers?: Informers
  /** Kinds that are served now; without it only those of `informers` are looked after. Owners of others count as being there. */
  readonly served?: () => readonly ServedResource[]
}

/** Deletes what is owned by objects that are gone, and lets go of owners that wait for what they own. */
export function createGarbageCollector(options: GarbageCollectorOptions): {
  start(signal: AbortSignal): Promise<void>
} {
  const { client, clock } = options
  const kinds = (options.informers ?? createInformers(client, clock)).owned
  const graph = createOwnershipGraph()
  const known = new Map(kinds.map((kind) => [`${apiVersionOf(kind.resource)}/${kind.resource.kind}`, kind]))
  const more =
    options.served && followServedKinds({ client, clock, served: options.served, known: kinds, onChange: observe })
  const kindOf = ({ apiVersion, kind }: OwnerReference): InformedKind | undefined =>
    known.get(`${apiVersion}/${kind}`) ?? more?.find(apiVersion, kind)

  // The key is a uid: names come back, uids do not.
  let builder = createController({ name: 'garbage', clock })
  for (const { informer } of kinds) builder = builder.watches(informer, () => [])
  const controller = builder.reconcile(async ({ name: uid }, { signal }) => {
    const node = graph.get(uid)
    if (node === undefined) return
    const dependants = graph.dependants(uid)
    const gone = await ownersGone({ client, graph, kindOf }, node, signal)
    const decision = decide(
      node.object,
      dependants.map(({ object }) => object),
      (owner) => stateOf(owner, gone),
    )
    switch (decision.do) {
      case 'nothing':
        return
      case 'delete':
        await unlessGone(
          client.delete(node.kind.resource, keyOf(node.object), {
            propagationPolicy: decision.policy,
            preconditions: { uid },
            signal,
          }),
        )
        return
      case 'keep-owners':
        await setOwners(client, node, decision.owners, signal)
        return
      case 'visit-dependants':
        for (const { object } of dependants) visit(object.metadata.uid)
        return
      case 'orphan-dependants':
        await sideBySide(dependants, (dependant) =>
          setOwners(
            client,
            dependant,
            ownersOf(dependant.object).filter((owner) => owner.uid !== uid),
            signal,
          ),
        )
        await removeFinalizer(client, node, ORPHAN_FINALIZER, signal)
        return
      case 'remove-finalizer':
        await removeFinalizer(client, node, decision.finalizer, signal)
    }
  })

  function visit(uid: string | undefined): void {
    if (uid !== undefined) controller.enqueue({ name: uid })
  }

  function stateOf({ uid }: OwnerReference, gone: ReadonlySet<string>): OwnerState {
    if (gone.has(uid)) return 'gone'
    const owner = graph.get(uid)
    return owner !== undefined && deletionMode(owner.object) === 'foreground' ? 'waiting' : 'there'
  }

  function observe(kind: InformedKind, change: Change<KubernetesObject>): void {
    const { object } = change
    const { uid = '' } = object.metadata
    if (change.type === 'deleted') {
      const dependants = graph.dependants(uid)
      graph.delete(uid)
      for (const dependant of dependants) visit(dependant.object.metadata.uid)
    } else {
      graph.set({ kind, object })
      if (change.type === 'added' || concernsOwnership(change.old, object)) visit(uid)
      else return
    }
    // An owner that waits may wait no longer.
    for (const owner of ownersOf(change.type === 'updated' ? change.old : object)) {
      const waiting = graph.get(owner.uid)
      if (waiting !== undefined && deletionMode(waiting.object) !== undefined) visit(owner.uid)
    }
  }

  return {
    async start(signal) {
      const ends = kinds.map((kind) => kind.informer.on((change) => observe(kind, change)))
      try {
        await Promise.all([controller.run(signal), more?.run(signal)])
      } finally {
        for (const end of ends) end()
      }
    },
  }
}

/** Most updates are of a status. */
function concernsOwnership({ metadata: old }: KubernetesObject, { metadata }: KubernetesObject): boolean {
  return (
    old.deletionTimestamp !== metadata.deletionTimestamp ||
    !equal(old.ownerReferences, metadata.ownerReferences) ||
    !equal(old.finalizers, metadata.finalizers)
  )
}

interface Sight {
  readonly client: Client
  readonly graph: OwnershipGraph
  kindOf(owner: OwnerReference): InformedKind | undefined
}

/**
 * Owners that certainly do not exist: the cache has none of that uid where the object could have one, and the server
 * says so, too. An owner is looked for in the namespace of what it owns.
 */
async function ownersGone(
  { client, graph, kindOf }: Sight,
  { object }: GraphNode,
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const gone = new Set<string>()
  const { deletionTimestamp, namespace } = object.metadata
  if (deletionTimestamp !== undefined) return gone
  for (const owner of ownersOf(object)) {
    if (isThere(graph.get(owner.uid), owner, namespace)) continue
    const kind = kindOf(owner)
    // what has no namespace cannot name an owner in one: nobody knows where to look
    if (kind === undefined || (kind.resource.namespaced && namespace === undefined)) continue
    const key = { ...(kind.resource.namespaced && { namespace }), name: owner.name } as ObjectKey
    try {
      const found = await client.get(kind.resource, key, { signal })
      if (found.metadata.uid !== owner.uid) gone.add(owner.uid)
    } catch (error) {
      if (!isNotFound(error)) throw error
      gone.add(owner.uid)
    }
  }
  return gone
}

/** Whether an object is the owner that a reference from this namespace means. */
function isThere(node: GraphNode | undefined, { name }: OwnerReference, namespace: string | undefined): boolean {
  if (node === undefined) return false
  const { metadata } = node.object
  return metadata.name === name && (metadata.namespace === undefined || metadata.namespace === namespace)
}

async function setOwners(
  client: Client,
  { kind, object }: GraphNode,
  owners: readonly OwnerReference[],
  signal: AbortSignal,
): Promise<void> {
  const path = '/metadata/ownerReferences'
  await patch(client, { kind, object }, signal, [
    { op: 'test', path, value: ownersOf(object) },
    owners.length > 0 ? { op: 'replace', path, value: owners } : { op: 'remove', path },
  ])
}

async function removeFinalizer(
  client: Client,
  { kind, object }: GraphNode,
  finalizer: string,
  signal: AbortSignal,
): Promise<void> {
  const path = `/metadata/finalizers/${object.metadata.finalizers?.indexOf(finalizer)}`
  await patch(client, { kind, object }, signal, [
    { op: 'test', path, value: finalizer },
    { op: 'remove', path },
  ])
}

/** Does nothing when the very part has changed meanwhile, which brings the object back here; its status is no matter. */
async function patch(
  client: Client,
  { kind, object }: GraphNode,
  signal: AbortSignal,
  change: readonly JsonPatchOperation[],
): Promise<void> {
  const ops = [{ op: 'test', path: '/metadata/uid', value: object.metadata.uid } as const, ...change]
  await unlessChanged(client.patch(kind.resource, keyOf(object), { type: 'json', ops }, { signal }))
}
