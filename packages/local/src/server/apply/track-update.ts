import { apiVersionOf, type KubeObject } from '@trainjob/kube'
import type { ServedResource } from '../served-resource.ts'
import { compare } from './compare.ts'
import { difference, differenceBelow, isEmpty, LEAF, union } from './field-set.ts'
import { inOrder, isManager, type Manager, managerEntry, managersOf } from './managers.ts'
import { blankOf, schemaOf } from './schemas.ts'
import { trackedPart, withoutMetadataItself } from './tracked.ts'

/** Who writes what through which path, and when. */
export interface Writer {
  readonly resource: ServedResource
  readonly subresource: string | undefined
  readonly manager: string
  readonly now: number
}

/**
 * The object with `metadata.managedFields` brought up to date after a write that is not server-side apply: the writer
 * owns what it changed, everyone loses what changed under them or is gone. `current` is absent for a new object.
 */
export function trackUpdate(writer: Writer, current: KubeObject | undefined, next: KubeObject): KubeObject {
  const { resource, subresource, manager } = writer
  const before = current === undefined ? blankOf(resource) : trackedPart(current, resource, subresource)
  const { changed: all, removed } = compare(before, trackedPart(next, resource, subresource), schemaOf(resource))
  const changed = withoutMetadataItself(all)
  const managers = startingPoint(writer, current, next)
  if (isEmpty(changed) && isEmpty(removed)) return withManagers(next, managers)

  const id = {
    manager,
    operation: 'Update',
    apiVersion: apiVersionOf(resource),
    ...(subresource !== undefined && { subresource }),
  } as const
  const entries: Manager[] = []
  let mine: Manager | undefined
  for (const entry of managers) {
    const self = isManager(entry, id)
    let fields = differenceBelow(entry.fieldsV1, removed)
    if (!self) fields = difference(fields, changed)
    if (self) mine = { ...entry, fieldsV1: fields }
    else if (!isEmpty(fields)) entries.push(fields === entry.fieldsV1 ? entry : { ...entry, fieldsV1: fields })
  }
  const fields = union(mine?.fieldsV1 ?? LEAF, changed)
  if (!isEmpty(fields)) {
    entries.push(isEmpty(changed) && mine !== undefined ? mine : managerEntry(id, fields, writer.now))
  }
  return withManagers(next, inOrder(entries))
}

/** Whether a write says itself who owns what, other than the object it replaces. */
export function managedFieldsGiven(next: KubeObject, current: KubeObject): boolean {
  const given = next.metadata.managedFields
  return (
    given !== undefined &&
    given !== current.metadata.managedFields &&
    JSON.stringify(given) !== JSON.stringify(current.metadata.managedFields ?? [])
  )
}

/** The entries before this write: those of the request when it brings some, none when it resets them. */
function startingPoint({ subresource }: Writer, current: KubeObject | undefined, next: KubeObject): readonly Manager[] {
  const live = managersOf(current?.metadata.managedFields)
  const given = next.metadata.managedFields
  if (subresource !== undefined || given === undefined) return live
  if (isReset(given)) return []
  const managers = managersOf(given)
  return managers.length > 0 ? managers : live
}

/** `[]` would mean "left out" to old clients; one empty entry clears all of it. */
function isReset(managedFields: readonly unknown[]): boolean {
  const [only] = managedFields
  return managedFields.length === 1 && typeof only === 'object' && only !== null && Object.keys(only).length === 0
}

/** The object with these entries, or without any. */
export function withManagers(object: KubeObject, managers: readonly Manager[]): KubeObject {
  if (object.metadata.managedFields === managers) return object
  const { managedFields: _, ...metadata } = object.metadata
  return { ...object, metadata: managers.length === 0 ? metadata : { ...metadata, managedFields: [...managers] } }
}
