import type { KubeObject } from '@trainjob/kube'
import { equal } from '../../object/equal.ts'
import { unforeseen } from '../failures.ts'
import { ownedVersionOf, type ServedResource } from '../served-resource.ts'
import { checkApplied } from './check-applied.ts'
import { type Comparison, compare } from './compare.ts'
import { type ApplyConflict, conflictsFailure } from './conflicts.ts'
import { type FieldSchema, fieldOf } from './field-schema.ts'
import { difference, type FieldSet, intersection, isEmpty, LEAF, union } from './field-set.ts'
import { fieldsOf } from './fields-of.ts'
import { appliedByClient, KUBECTL, withLastApplied } from './last-applied.ts'
import { inOrder, isManager, type Manager, managerEntry, managersOf, sameOwners } from './managers.ts'
import { mergeApplied } from './merge-applied.ts'
import { METADATA } from './pod-schema.ts'
import { pruneApplied } from './prune-applied.ts'
import { reconciled } from './reconcile.ts'
import { schemaOf } from './schemas.ts'
import { updatedManagers, type Writer, withManagers } from './track-update.ts'
import { trackedPart, withoutMetadataItself } from './tracked.ts'

/**
 * Server-side apply: lays a configuration over the live object (absent for a new one), removes what this manager
 * applied before and nobody owns now, and records the owners. Answers the live object itself when nothing changes, else
 * one in which nulls of the configuration may stand. Throws `ApiFailure` 409 when others own a field that changes,
 * unless `force` takes it from them, and 500 for what is no configuration of the kind.
 */
export function applyConfiguration(
  writer: Writer,
  live: KubeObject | undefined,
  config: KubeObject,
  force: boolean,
): KubeObject {
  const { resource, subresource, manager } = writer
  const schema = schemaOf(resource)
  const id = {
    manager,
    operation: 'Apply',
    apiVersion: ownedVersionOf(resource),
    ...(subresource !== undefined && { subresource }),
  } as const
  checkApplied(config, resource, schema)
  const applied = trackedPart(config, resource, subresource)
  const fields = withoutMetadataItself(fieldsOf(applied, schema))

  const managers = ownersBefore(writer, live)
  const last = managers.find((entry) => isManager(entry, id))
  const others = managers.filter((entry) => entry !== last)
  const before = live === undefined ? {} : trackedPart(live, resource, subresource)
  let after = mergeApplied(before, applied, schema) as Record<string, unknown>
  if (last !== undefined && !isEmpty(difference(last.fieldsV1, fields))) {
    // an applier always says the name, so metadata is never left without an owner
    const owned = others.reduce((all, entry) => union(all, entry.fieldsV1), union(fields, NAMED))
    after = pruneApplied(after, last.fieldsV1, owned, schema)
  }

  const { conflicts, owners } = takenFrom(others, compare(before, after, schema))
  if (conflicts.length > 0 && !force) refuse(conflicts, writer, live)
  const same = equal(before, after) && (live === undefined || sayTheSame(config, live, applied, schema))
  if (!isEmpty(fields)) {
    // whoever only joins the owners has no time, or the one of its last change
    const time = last?.time
    owners.push(managerEntry({ ...id, ...(time !== undefined && { time }) }, fields, same ? undefined : writer.now))
  }
  const ordered = inOrder(owners)

  const result = assemble(live ?? config, after, resource, subresource)
  const tells = manager === KUBECTL && !(subresource !== undefined && resource.custom === true)
  const told = tells ? withLastApplied(result, config) : result
  const unchanged = live !== undefined && same && told === result
  if (unchanged && sameOwners(ordered, managersOf(live.metadata.managedFields) ?? [])) return live
  return withManagers(told, ordered)
}

const NAMED: FieldSet = { 'f:metadata': LEAF }

/** What others are left with, and which fields of theirs change. */
function takenFrom(
  others: readonly Manager[],
  { changed, removed }: Comparison,
): { readonly conflicts: readonly ApplyConflict[]; readonly owners: Manager[] } {
  const conflicts: ApplyConflict[] = []
  const owners: Manager[] = []
  for (const entry of others) {
    const hit = intersection(entry.fieldsV1, changed)
    if (!isEmpty(hit)) conflicts.push({ manager: entry, fields: hit })
    const left = difference(difference(entry.fieldsV1, hit), removed)
    if (!isEmpty(left)) owners.push(left === entry.fieldsV1 ? entry : { ...entry, fieldsV1: left })
  }
  return { conflicts, owners }
}

/** The owners of the live object; one for all of it when nobody was recorded. */
function ownersBefore(writer: Writer, live: KubeObject | undefined): readonly Manager[] {
  const { resource } = writer
  const managers = managersOf(live?.metadata.managedFields)
  if (managers === undefined) throw unforeseen('failed to decode managed fields')
  if (live === undefined || managers.length > 0) return reconciled(managers, resource)
  return updatedManagers({ ...writer, manager: 'before-first-apply' }, undefined, live, [])
}

/** Throws unless all that stands in the way is what kubectl itself wrote before it applied on the server's side. */
function refuse(
  conflicts: readonly ApplyConflict[],
  { manager, resource }: Writer,
  live: KubeObject | undefined,
): void {
  if (manager !== KUBECTL || live === undefined) throw conflictsFailure(conflicts)
  const allowed = appliedByClient(live, resource)
  const left = conflicts
    .map((conflict) => ({ ...conflict, fields: difference(conflict.fields, allowed) }))
    .filter(({ fields }) => !isEmpty(fields))
  if (left.length > 0) throw conflictsFailure(left)
}

/**
 * Whether what is applied besides the part that can be owned through this path is as in the live object. It has no
 * effect in any case, but counts as a change of the applier's.
 */
function sayTheSame(
  config: KubeObject,
  live: KubeObject,
  applied: Record<string, unknown>,
  schema: FieldSchema,
): boolean {
  const { apiVersion: _, kind: __, metadata: given, ...content } = config as KubeObject & Record<string, unknown>
  const there = live as KubeObject & Record<string, unknown>
  const owned = applied.metadata as Record<string, unknown> | undefined
  return (
    Object.entries(content).every(
      ([key, value]) => Object.hasOwn(applied, key) || isAsApplied(there[key], value, fieldOf(schema, key)),
    ) &&
    Object.entries(given).every(([key, value]) => {
      const known = owned !== undefined && Object.hasOwn(owned, key)
      return known || isAsApplied(there.metadata[key as keyof typeof there.metadata], value, METADATA.fields?.[key])
    })
  )
}

function isAsApplied(live: unknown, config: unknown, schema: FieldSchema | undefined): boolean {
  return equal(mergeApplied(live, config, schema), live)
}

/** The object with its owned part replaced. */
function assemble(
  base: KubeObject,
  part: Record<string, unknown>,
  resource: ServedResource,
  subresource: string | undefined,
): KubeObject {
  const before = trackedPart(base, resource, subresource)
  const { metadata: owned, ...content } = part as Record<string, unknown> & { metadata?: object }
  const metadata: Record<string, unknown> = { ...base.metadata }
  for (const field of Object.keys((before.metadata as object | undefined) ?? {})) delete metadata[field]
  const kept: Record<string, unknown> = { ...base }
  for (const field of Object.keys(before)) delete kept[field]
  return { ...kept, ...content, metadata: { ...metadata, ...owned } } as unknown as KubeObject
}
