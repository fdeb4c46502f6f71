import { KubeError } from './error.ts'
import { pathOf, type Resource } from './resource.ts'

/** A key or an object's metadata, which may lack what an address needs. */
export interface PartialKey {
  readonly namespace?: string | undefined
  readonly name?: string | undefined
}

/** The path of one object or subresource. Throws `KubeError` (`usage`) when the key does not address one. */
export function objectPath(resource: Resource, key: PartialKey, subresource?: string): string {
  if (key.name === undefined || key.name === '') {
    throw new KubeError('usage', `a ${resource.kind} without a name cannot be addressed; set metadata.name`)
  }
  const namespace = requireNamespace(resource, key)
  return pathOf(resource, {
    name: key.name,
    ...(namespace !== undefined && { namespace }),
    ...(subresource !== undefined && { subresource }),
  })
}

/** The path that a new object is posted to. Throws `KubeError` (`usage`) when a namespace is needed and missing. */
export function collectionPath(resource: Resource, key: PartialKey): string {
  const namespace = requireNamespace(resource, key)
  return pathOf(resource, namespace === undefined ? {} : { namespace })
}

function requireNamespace(resource: Resource, key: PartialKey): string | undefined {
  if (!resource.namespaced) return undefined
  if (key.namespace !== undefined && key.namespace !== '') return key.namespace
  throw new KubeError(
    'usage',
    `${resource.kind} "${key.name ?? ''}" has no namespace; ${resource.plural} live in one: set metadata.namespace, or pass {namespace, name}`,
  )
}
