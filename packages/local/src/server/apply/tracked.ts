import type { KubeObject } from '@trainjob/kube'
import { hasStatusPath, type ServedResource } from '../served-resource.ts'
import { childrenOf, type FieldSet, isEmpty, isMember } from './field-set.ts'

/** Metadata that no one owns: it names the object, or the server writes it. */
const UNOWNED = [
  'name',
  'namespace',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'selfLink',
  'managedFields',
] as const

/**
 * The part of an object that a write through this path can own: without what identifies it, and without what belongs
 * to the other path.
 */
export function trackedPart(
  object: KubeObject,
  resource: ServedResource,
  subresource: string | undefined,
): Record<string, unknown> {
  const { apiVersion: _, kind: __, metadata, ...rest } = object as KubeObject & Record<string, unknown>
  const part: Record<string, unknown> = rest
  if (subresource === 'status') {
    const { status } = part
    const owned: Record<string, unknown> = status === undefined ? {} : { status }
    return resource.custom === true ? owned : { metadata: ownedMetadata(metadata), ...owned }
  }
  if (hasStatusPath(resource)) delete part.status
  return { metadata: ownedMetadata(metadata), ...part }
}

/** All of an object that can be owned through some path. */
export function ownablePart(object: KubeObject): Record<string, unknown> {
  const { apiVersion: _, kind: __, metadata, ...rest } = object as KubeObject & Record<string, unknown>
  return { metadata: ownedMetadata(metadata), ...rest }
}

function ownedMetadata(metadata: KubeObject['metadata']): Record<string, unknown> {
  const owned: Record<string, unknown> = { ...metadata }
  for (const field of UNOWNED) delete owned[field]
  return owned
}

/** Nobody owns `metadata` itself, only what is in it. */
export function withoutMetadataItself(set: FieldSet): FieldSet {
  const metadata = set['f:metadata']
  if (metadata === undefined || !isMember(metadata)) return set
  const children = childrenOf(metadata)
  const { 'f:metadata': _, ...rest } = set
  return isEmpty(children) ? rest : { ...rest, 'f:metadata': children }
}
