import type { KubeObject } from './object.ts'

/**
 * Names a kind of object and where it is served. `T` is what the client hands back for it; it exists only in types.
 *
 * @example
 * const Leases: Resource<Lease> = {
 *   group: 'coordination.k8s.io',
 *   version: 'v1',
 *   plural: 'leases',
 *   kind: 'Lease',
 *   namespaced: true,
 * }
 */
export interface Resource<T extends KubeObject = KubeObject> {
  /** `''` for the core group. */
  readonly group: string
  readonly version: string
  readonly plural: string
  readonly kind: string
  readonly namespaced: boolean
  /** Never set: carries the object's type. */
  readonly object?: T
}

/** Where an object lives. `namespace` is left out for cluster-scoped kinds. */
export interface ObjectKey {
  readonly namespace?: string
  readonly name: string
}

/**
 * The `apiVersion` of its objects: `v1` or `group/version`.
 *
 * @example
 * apiVersionOf({ group: 'batch', version: 'v1' }) // => 'batch/v1'
 */
export function apiVersionOf(resource: Pick<Resource, 'group' | 'version'>): string {
  return resource.group === '' ? resource.version : `${resource.group}/${resource.version}`
}

/**
 * Path of a collection, an object or one of its subresources; every part is escaped.
 *
 * @example
 * pathOf(Leases, { namespace: 'default', name: 'greeter' })
 * // => '/apis/coordination.k8s.io/v1/namespaces/default/leases/greeter'
 */
export function pathOf(
  resource: Resource,
  at: { namespace?: string; name?: string; subresource?: string } = {},
): string {
  const root = resource.group === '' ? `/api/${resource.version}` : `/apis/${resource.group}/${resource.version}`
  const namespace =
    resource.namespaced && at.namespace !== undefined ? `/namespaces/${encodeURIComponent(at.namespace)}` : ''
  const name = at.name === undefined ? '' : `/${encodeURIComponent(at.name)}`
  const subresource = at.subresource === undefined ? '' : `/${at.subresource}`
  return `${root}${namespace}/${resource.plural}${name}${subresource}`
}
