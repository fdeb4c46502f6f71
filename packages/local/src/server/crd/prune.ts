import { isObject, pathTo, type StructuralSchema, valuesOf } from './structural-schema.ts'

/** A value without what its schema does not know, and the paths of what that was. */
export interface Pruned {
  readonly value: unknown
  readonly unknown: readonly string[]
}

/** What every object has, whether its schema says so or not. */
const OBJECT_FIELDS: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata'])

/**
 * Leaves out the fields that a structural schema does not declare; parts that need no change are shared. The root is an
 * object of Kubernetes, so its `apiVersion`, `kind` and `metadata` stay (source: apiextensions-apiserver,
 * pkg/apiserver/schema/pruning).
 */
export function pruneUnknown(object: unknown, schema: StructuralSchema): Pruned {
  const unknown: string[] = []
  return { value: prune(object, schema, '', true, unknown), unknown }
}

function prune(value: unknown, schema: StructuralSchema, path: string, root: boolean, unknown: string[]): unknown {
  if (Array.isArray(value)) return pruneItems(value, schema, path, unknown)
  if (!isObject(value)) return value
  const keep = schema['x-kubernetes-preserve-unknown-fields'] === true || schema.additionalProperties === true
  const embedded = root || schema['x-kubernetes-embedded-resource'] === true
  let result: Record<string, unknown> | undefined
  for (const [name, child] of Object.entries(value)) {
    if (embedded && OBJECT_FIELDS.has(name)) continue
    const known =
      schema.properties !== undefined && Object.hasOwn(schema.properties, name)
        ? schema.properties[name]
        : valuesOf(schema)
    const at = pathTo(path, name)
    if (known === undefined) {
      if (keep) continue
      unknown.push(at)
      result ??= { ...value }
      delete result[name]
      continue
    }
    const kept = prune(child, known, at, false, unknown)
    if (kept === child) continue
    result ??= { ...value }
    result[name] = kept
  }
  return result ?? value
}

function pruneItems(list: readonly unknown[], { items }: StructuralSchema, path: string, unknown: string[]): unknown {
  if (items === undefined) return list
  let result: unknown[] | undefined
  for (const [index, item] of list.entries()) {
    const kept = prune(item, items, pathTo(path, index), false, unknown)
    if (kept === item) continue
    result ??= [...list]
    result[index] = kept
  }
  return result ?? list
}
