import type { KubernetesObject, OwnerReference } from '@trainjob/api'
import type { InformedKind } from '../informers.ts'

/** An object that owns or is owned. */
export interface GraphNode {
  readonly kind: InformedKind
  readonly object: KubernetesObject
}

/** Who owns whom, by uid; every operation costs as much as the object has owners or dependants. */
export interface OwnershipGraph {
  get(uid: string): GraphNode | undefined
  /** Objects that name `uid` as an owner. */
  dependants(uid: string): readonly GraphNode[]
  set(node: GraphNode): void
  delete(uid: string): void
}

export function createOwnershipGraph(): OwnershipGraph {
  const nodes = new Map<string, GraphNode>()
  const owned = new Map<string, Set<string>>()

  function unlink(uid: string): void {
    for (const owner of ownersOf(nodes.get(uid)?.object)) {
      const set = owned.get(owner.uid)
      set?.delete(uid)
      if (set?.size === 0) owned.delete(owner.uid)
    }
  }

  return {
    get: (uid) => nodes.get(uid),
    dependants(uid) {
      const result: GraphNode[] = []
      for (const dependant of owned.get(uid) ?? []) {
        const node = nodes.get(dependant)
        if (node !== undefined) result.push(node)
      }
      return result
    },
    set(node) {
      const uid = node.object.metadata.uid ?? ''
      if (nodes.get(uid)?.object.metadata.ownerReferences !== node.object.metadata.ownerReferences) {
        unlink(uid)
        for (const owner of ownersOf(node.object)) {
          const set = owned.get(owner.uid) ?? new Set()
          owned.set(owner.uid, set.add(uid))
        }
      }
      nodes.set(uid, node)
    },
    delete(uid) {
      unlink(uid)
      nodes.delete(uid)
    },
  }
}

export function ownersOf(object: KubernetesObject | undefined): readonly OwnerReference[] {
  return object?.metadata.ownerReferences ?? []
}
