import { ownedVersionOf, type ServedResource } from '../served-resource.ts'
import { type FieldSchema, fieldOf } from './field-schema.ts'
import { childrenOf, type FieldSet, isEmpty, LEAF } from './field-set.ts'
import { type Manager, managerEntry } from './managers.ts'
import { schemaOf } from './schemas.ts'

/**
 * The owners as the schema of today has them: without those that used a version which is no more, and owning as a whole
 * what they owned in parts before the schema said so (source: structured-merge-diff, typed/reconcile_schema.go).
 */
export function reconciled(managers: readonly Manager[], resource: ServedResource): readonly Manager[] {
  const schema = schemaOf(resource)
  let result: Manager[] | undefined
  for (const [index, entry] of managers.entries()) {
    const known = isKnown(entry.apiVersion, resource)
    const fields = known ? reconcile(entry.fieldsV1 ?? LEAF, schema) : LEAF
    if (known && fields === entry.fieldsV1) {
      result?.push(entry)
      continue
    }
    result ??= managers.slice(0, index)
    if (known) result.push(managerEntry(entry, fields))
  }
  return result ?? managers
}

function isKnown(apiVersion: string, resource: ServedResource): boolean {
  if (apiVersion === ownedVersionOf(resource)) return true
  return resource.versions?.some((version) => apiVersion === `${resource.group}/${version}`) === true
}

/** Sets that were compared with a schema already: those of stored objects come again with every write. */
const SEEN = new WeakMap<FieldSet, FieldSchema>()

function reconcile(set: FieldSet, schema: FieldSchema): FieldSet {
  if (SEEN.get(set) === schema) return set
  const result = reconcileParts(set, schema)
  SEEN.set(result, schema)
  return result
}

function reconcileParts(set: FieldSet, schema: FieldSchema | undefined): FieldSet {
  let result: Record<string, FieldSet> | undefined
  for (const segment in set) {
    if (segment === '.') continue
    const part = set[segment] as FieldSet
    const child = segment.startsWith('f:') ? fieldOf(schema, segment.slice(2)) : schema?.items
    const next = reconcileNode(part, child)
    if (next === part) continue
    result ??= { ...set }
    result[segment] = next
  }
  return result ?? set
}

function reconcileNode(part: FieldSet, schema: FieldSchema | undefined): FieldSet {
  const below = childrenOf(part)
  if (isEmpty(below)) return part
  return isWhole(schema) ? LEAF : reconcileParts(part, schema)
}

/** Whether nobody can own a part of it. */
function isWhole(schema: FieldSchema | undefined): boolean {
  return schema?.atomic === true || (schema?.type === 'array' && schema.list === undefined)
}
