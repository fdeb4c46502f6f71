import { apiVersionOf, type KubeObject } from '@trainjob/kube'
import { equal } from '../../object/equal.ts'
import { withoutNulls } from '../../object/without-nulls.ts'
import type { ServedResource } from '../served-resource.ts'
import { appliedFields } from './applied-fields.ts'
import { compare } from './compare.ts'
import { type ApplyConflict, conflictsFailure } from './conflicts.ts'
import { difference, differenceBelow, intersection, isEmpty, union } from './field-set.ts'
import { inOrder, isManager, type Manager, managerEntry, managersOf, sameOwners } from './managers.ts'
import { mergeApplied } from './merge-applied.ts'
import { removeOwned } from './remove-owned.ts'
import { schemaOf } from './schemas.ts'
import { type Writer, withManagers } from './track-update.ts'
import { trackedPart, withoutMetadataItself } from './tracked.ts'

/**
 * Server-side apply: lays a configuration over the live object (absent for a new one), removes what this manager
 * applied before and nobody owns now, and records the owners. Answers the live object itself when nothing changes.
 * Throws `ApiFailure` 409 when others own a field that changes, unless `force` takes it from them.
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
    apiVersion: apiVersionOf(resource),
    ...(subresource !== undefined && { subresource }),
  } as const
  const applied = withoutNulls(trackedPart(config, resource, subresource)) as Record<string, unknown>
  const fields = withoutMetadataItself(appliedFields(applied, schema, describe(resource, config)))

  const managers = managersOf(live?.metadata.managedFields)
  const last = managers.find((entry) => isManager(entry, id))
  const others = managers.filter((entry) => entry !== last)
  const before = live === undefined ? {} : trackedPart(live, resource, subresource)
  const merged = mergeApplied(before, applied, schema)
  const kept = others.reduce((all, entry) => union(all, entry.fieldsV1), fields)
  const after = (last === undefined ? merged : removeOwned(merged, last.fieldsV1, kept, schema)) as Record<
    string,
    unknown
  >

  const { changed, removed } = compare(before, after, schema)
  const conflicts: ApplyConflict[] = []
  const owners: Manager[] = []
  for (const entry of others) {
    const hit = intersection(entry.fieldsV1, changed)
    if (!isEmpty(hit)) conflicts.push({ manager: entry, fields: hit })
    const left = difference(differenceBelow(entry.fieldsV1, removed), hit)
    if (!isEmpty(left)) owners.push(left === entry.fieldsV1 ? entry : { ...entry, fieldsV1: left })
  }
  if (conflicts.length > 0 && !force) throw conflictsFailure(conflicts)
  if (!isEmpty(fields)) owners.push(managerEntry(id, fields, writer.now))

  if (live !== undefined && equal(before, after) && sameOwners(owners, managers)) return live
  return withManagers(assemble(live ?? config, after, resource, subresource), inOrder(owners))
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

function describe(resource: ServedResource, { metadata }: KubeObject): string {
  const name = metadata.namespace === undefined ? metadata.name : `${metadata.namespace}/${metadata.name}`
  return `${name}; ${apiVersionOf(resource)}, Kind=${resource.kind}`
}
