import type { KubeObject } from '../object.ts'
import type { ObjectKey } from '../resource.ts'

/** A kind of owner, as owner references name it. */
export interface OwnerKind {
  /** `''` for the core group. The version does not matter. */
  readonly group: string
  readonly kind: string
  /** False for owners that live outside namespaces. */
  readonly namespaced?: boolean
}

/**
 * Keys of the controller owners of that kind, of an object and of its state before an update.
 *
 * @example
 * const job = { apiVersion: 'batch/v1', kind: 'Job', name: 'mnist', uid: '1', controller: true }
 * const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', namespace: 'default', ownerReferences: [job] } }
 * ownerKeys({ group: 'batch', kind: 'Job' }, pod) // => [{ namespace: 'default', name: 'mnist' }]
 */
export function ownerKeys(owner: OwnerKind, object: KubeObject, old?: KubeObject): ObjectKey[] {
  const now = ownerKey(owner, object)
  const before = old === undefined ? undefined : ownerKey(owner, old)
  if (now === undefined) return before === undefined ? [] : [before]
  return before === undefined || before.name === now.name ? [now] : [now, before]
}

function ownerKey(owner: OwnerKind, object: KubeObject): ObjectKey | undefined {
  const { ownerReferences, namespace } = object.metadata
  if (ownerReferences === undefined) return undefined
  for (const { controller, kind, apiVersion, name } of ownerReferences) {
    if (controller !== true || kind !== owner.kind) continue
    const slash = apiVersion.indexOf('/')
    if ((slash === -1 ? '' : apiVersion.slice(0, slash)) !== owner.group) continue
    return owner.namespaced === false || namespace === undefined ? { name } : { namespace, name }
  }
  return undefined
}
