import type { KubernetesObject, OwnerReference } from '@trainjob/api'
import { deletionMode, FOREGROUND_FINALIZER, ORPHAN_FINALIZER } from './deletion-mode.ts'
import { ownersOf } from './ownership-graph.ts'

/** What is to be done with one object. */
export type GarbageDecision =
  | { readonly do: 'nothing' }
  | { readonly do: 'delete'; readonly policy: 'Background' | 'Foreground' | 'Orphan' }
  /** Owners that are gone, or go without it, are struck from an object that has others. */
  | { readonly do: 'keep-owners'; readonly owners: readonly OwnerReference[] }
  /** Nothing keeps it any more: the finalizer that made it wait is removed. */
  | { readonly do: 'remove-finalizer'; readonly finalizer: string }
  /** Its dependants are looked at next: they are to be deleted before it. */
  | { readonly do: 'visit-dependants' }
  /** Its dependants lose it as an owner, then its finalizer is removed. */
  | { readonly do: 'orphan-dependants' }

/** An owner as far as it is known: `gone` is certain, `waiting` is deleted in the foreground. */
export type OwnerState = 'there' | 'waiting' | 'gone'

/**
 * Decides about an object from its owners and its dependants.
 *
 * @param stateOf asked for each owner, not at all when the object is being deleted already
 */
export function decide(
  object: KubernetesObject,
  dependants: readonly KubernetesObject[],
  stateOf: (owner: OwnerReference) => OwnerState,
): GarbageDecision {
  const mode = deletionMode(object)
  if (mode === 'orphan') {
    return dependants.length > 0 ? { do: 'orphan-dependants' } : { do: 'remove-finalizer', finalizer: ORPHAN_FINALIZER }
  }
  if (mode === 'foreground') {
    return dependants.some((dependant) => blocks(dependant, object))
      ? { do: 'visit-dependants' }
      : { do: 'remove-finalizer', finalizer: FOREGROUND_FINALIZER }
  }
  if (object.metadata.deletionTimestamp !== undefined) return { do: 'nothing' }
  return decideByOwners(object, dependants, stateOf)
}

function decideByOwners(
  object: KubernetesObject,
  dependants: readonly KubernetesObject[],
  stateOf: (owner: OwnerReference) => OwnerState,
): GarbageDecision {
  const owners = ownersOf(object)
  if (owners.length === 0) return { do: 'nothing' }
  const states = owners.map(stateOf)
  if (states.every((state) => state === 'there')) return { do: 'nothing' }
  if (states.includes('there')) {
    return { do: 'keep-owners', owners: owners.filter((_, at) => states[at] === 'there') }
  }
  const { finalizers = [] } = object.metadata
  if (finalizers.includes(ORPHAN_FINALIZER)) return { do: 'delete', policy: 'Orphan' }
  // Whoever waits for this object waits for what hangs on it, too.
  const deep = states.includes('waiting') && dependants.length > 0
  return { do: 'delete', policy: deep || finalizers.includes(FOREGROUND_FINALIZER) ? 'Foreground' : 'Background' }
}

/** Whether `owner` may go only after `dependant`. */
function blocks(dependant: KubernetesObject, owner: KubernetesObject): boolean {
  return ownersOf(dependant).some(
    ({ uid, blockOwnerDeletion }) => uid === owner.metadata.uid && blockOwnerDeletion === true,
  )
}
