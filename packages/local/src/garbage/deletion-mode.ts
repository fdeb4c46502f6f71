import type { KubernetesObject } from '@trainjob/api'

/** Finalizer of an object that waits until its dependants are gone. */
export const FOREGROUND_FINALIZER = 'foregroundDeletion'
/** Finalizer of an object that waits until its dependants have let go of it. */
export const ORPHAN_FINALIZER = 'orphan'

/** How an object that is being deleted treats its dependants; `undefined` when it is not, or they do not concern it. */
export function deletionMode({ metadata }: KubernetesObject): 'foreground' | 'orphan' | undefined {
  if (metadata.deletionTimestamp === undefined) return undefined
  if (metadata.finalizers?.includes(ORPHAN_FINALIZER)) return 'orphan'
  if (metadata.finalizers?.includes(FOREGROUND_FINALIZER)) return 'foreground'
  return undefined
}
