import type { ObjectKey } from '../resource.ts'

/** Reads of a cache of one kind. Objects and arrays are shared: copy before you change one. */
export interface Store<T> {
  get(key: ObjectKey): T | undefined
  /** Every object, in the order of arrival. The same array until the next change. */
  list(): readonly T[]
  /** The objects for which the index function of that name gave `value`. Throws `KubeError` (`usage`) for an unknown index. */
  byIndex(index: string, value: string): readonly T[]
}

/**
 * Names the values under which an object is found; none leaves it out of the index.
 *
 * @example
 * import type { Pod } from '@trainjob/api'
 *
 * const byOwner: Indexers<Pod> = { owner: (pod) => pod.metadata.ownerReferences?.map((owner) => owner.uid) ?? [] }
 */
export type Indexers<T> = Readonly<Record<string, (object: T) => readonly string[]>>

/**
 * `namespace/name`, or `name` alone where there is no namespace: neither part can hold a slash.
 *
 * @example
 * keyText({ namespace: 'default', name: 'mnist' }) // => 'default/mnist'
 */
export function keyText(key: ObjectKey): string {
  return key.namespace === undefined || key.namespace === '' ? key.name : `${key.namespace}/${key.name}`
}

/**
 * The key of an object that an API server has stored.
 *
 * @example
 * keyOf({ metadata: { namespace: 'default', name: 'mnist' } }) // => { namespace: 'default', name: 'mnist' }
 */
export function keyOf(object: { metadata: { namespace?: string; name?: string } }): ObjectKey {
  const { namespace, name = '' } = object.metadata
  return namespace === undefined ? { name } : { namespace, name }
}
