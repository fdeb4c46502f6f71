import type { KubeObject } from '@trainjob/kube'
import { equal } from '../../object/equal.ts'
import { ownedVersionOf, type ServedResource } from '../served-resource.ts'
import { canonicalSet } from './canonical-set.ts'
import { capManagers } from './cap-managers.ts'
import { compare } from './compare.ts'
import { difference, isEmpty, LEAF, union } from './field-set.ts'
import { fieldsIn } from './fields-in.ts'
import { inOrder, isManager, type Manager, managerEntry, managersOf, sameOwners } from './managers.ts'
import { reconciled } from './reconcile.ts'
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
 * owns what it changed, everyone loses what changed under them or is gone. Of an object without owners nobody becomes
 * one by an update. `current` is absent for a new object; `written` is the object before others completed it, whose
 * additions nobody owns.
 */
export function trackUpdate(
  writer: Writer,
  current: KubeObject | undefined,
  next: KubeObject,
  written: KubeObject = next,
): KubeObject {
  const managers = startingPoint(writer, current, next)
  if (current !== undefined && managers.length === 0) return withManagers(next, managers)
  return withManagers(next, updatedManagers(writer, current, next, managers, written))
}

/** The owners after the writer has made `next` of `current`. */
export function updatedManagers(
  writer: Writer,
  current: KubeObject | undefined,
  next: KubeObject,
  managers: readonly Manager[],
  written: KubeObject = next,
): readonly Manager[] {
  const { resource, subresource, manager } = writer
  const schema = schemaOf(resource)
  const before = current === undefined ? blankOf(resource) : trackedPart(current, resource, subresource)
  const { changed: all, removed } = compare(before, trackedPart(written, resource, subresource), schema)
  const stays = written === next ? all : fieldsIn(all, trackedPart(next, resource, subresource), schema)
  const changed = withoutMetadataItself(stays)
  const known = reconciled(managers, resource)
  if (isEmpty(changed) && isEmpty(removed)) {
    return known === current?.metadata.managedFields ? known : inOrder(capManagers(known))
  }

  const id = {
    manager,
    operation: 'Update',
    apiVersion: ownedVersionOf(resource),
    ...(subresource !== undefined && { subresource }),
  } as const
  const entries: Manager[] = []
  let mine: Manager | undefined
  for (const entry of known) {
    let fields = difference(entry.fieldsV1, removed)
    if (isManager(entry, id)) {
      mine = fields === entry.fieldsV1 ? entry : managerEntry(entry, fields)
      continue
    }
    fields = difference(fields, changed)
    if (!isEmpty(fields)) entries.push(fields === entry.fieldsV1 ? entry : { ...entry, fieldsV1: fields })
  }
  if (!isEmpty(changed)) entries.push(managerEntry(id, union(mine?.fieldsV1 ?? LEAF, changed), writer.now))
  else if (mine !== undefined && !isEmpty(mine.fieldsV1)) entries.push(mine)
  return inOrder(capManagers(entries))
}

/** Whether a write says itself who owns what, other than the object it replaces. */
export function managedFieldsGiven(resource: ServedResource, next: KubeObject, current: KubeObject): boolean {
  const { managedFields: given } = next.metadata
  const { managedFields: live } = current.metadata
  if (given === undefined || equal(given, live)) return false
  const managers = isReset(given, resource) ? [] : entriesGiven(given)
  return managers !== undefined && !sameOwners(managers, managersOf(live) ?? [])
}

/** The entries before this write: those of the request when it brings some, none when it resets them. */
function startingPoint(
  { subresource, resource }: Writer,
  current: KubeObject | undefined,
  next: KubeObject,
): readonly Manager[] {
  const live = managersOf(current?.metadata.managedFields) ?? []
  const given = next.metadata.managedFields
  if (subresource !== undefined || given === undefined || equal(given, live)) return live
  return isReset(given, resource) ? [] : (entriesGiven(given) ?? live)
}

/** The entries of a request, in the form in which they are kept; `undefined` for none, and when one of them is none. */
function entriesGiven(managedFields: unknown): readonly Manager[] | undefined {
  const managers = managersOf(managedFields) ?? []
  if (managers.length === 0) return undefined
  // of several entries of one manager the last counts
  return managers
    .filter((entry, index) => !managers.slice(index + 1).some((later) => isManager(later, entry)))
    .map((entry) => managerEntry(entry, canonicalSet(entry.fieldsV1 ?? LEAF)))
}

/** One empty entry clears all of it, in built-in kinds also an empty list. */
function isReset(managedFields: unknown, { custom }: ServedResource): boolean {
  if (!Array.isArray(managedFields)) return false
  const [only] = managedFields
  if (managedFields.length === 0) return custom !== true
  return managedFields.length === 1 && typeof only === 'object' && only !== null && Object.keys(only).length === 0
}

/** The object with these entries, or without any. */
export function withManagers(object: KubeObject, managers: readonly Manager[]): KubeObject {
  if (object.metadata.managedFields === managers) return object
  const { managedFields: _, ...metadata } = object.metadata
  return { ...object, metadata: managers.length === 0 ? metadata : { ...metadata, managedFields: [...managers] } }
}
