import { RenderError } from '../error.ts'
import type { FieldSchema, StructSchema } from '../schema/schema.ts'
import { applyRetainKeys, isDirective, isPatchDirective, withoutDirectives } from './directives.ts'
import { applyElementOrder, SET_ELEMENT_ORDER } from './element-order.ts'
import { type Fields, isFields } from './fields.ts'
import { mergeList } from './list.ts'

/**
 * Strategic merge patch: `patch` on top of `original`, with the list rules of `schema`. Neither is changed; parts that
 * stay the same are shared with the result.
 *
 * Knows `null` (delete), `$patch: replace|delete`, `$retainKeys`, `$setElementOrder/<list>` and
 * `$deleteFromPrimitiveList/<list>`. Fields without a schema merge as plain maps; their lists are replaced whole.
 *
 * Source: k8s.io/apimachinery, pkg/util/strategicpatch.
 *
 * @throws RenderError `invalid-patch`
 * @example
 * const original = { hostNetwork: true, containers: [{ name: 'node', image: 'one' }, { name: 'sidecar', image: 'two' }] }
 * const patch = { hostNetwork: null, containers: [{ name: 'node', image: 'three' }] }
 * const merged: object = strategicMerge(original, patch, structSchema('core.PodSpec'))
 * // => { containers: [{ name: 'node', image: 'three' }, { name: 'sidecar', image: 'two' }] }
 */
export function strategicMerge<T extends object>(original: T, patch: object, schema?: StructSchema): T {
  return mergeStruct(original as Fields, patch as Fields, schema, '') as T
}

function mergeStruct(original: Fields, patch: Fields, schema: StructSchema | undefined, path: string): Fields {
  const directive = patch.$patch
  if (directive === 'delete') return {}
  if (directive === 'replace') {
    const { $patch: _, ...rest } = patch
    return withoutDirectives(rest) as Fields
  }
  if (directive !== undefined) {
    throw new RenderError(
      'invalid-patch',
      path,
      `$patch at ${path || 'the top'} must be replace or delete, found ${JSON.stringify(directive)}.`,
    )
  }

  const merged = applyRetainKeys(original, patch, path)
  const ordered = applyListDirectives(merged, patch, schema, path)
  for (const key in patch) {
    if (isDirective(key) || ordered?.has(key)) continue
    const value = patch[key]
    const isVoid = value === null || (isPatchDirective(value) && !isFields(merged[key]))
    if (isVoid) delete merged[key]
    else merged[key] = mergeValue(merged[key], value, schema?.fields.get(key), join(path, key))
  }
  return merged
}

const DELETE_FROM_LIST = '$deleteFromPrimitiveList/'

/** Deletions and orders of whole lists, before the fields; returns the lists that need nothing more. */
function applyListDirectives(
  merged: Record<string, unknown>,
  patch: Fields,
  schema: StructSchema | undefined,
  path: string,
): ReadonlySet<string> | undefined {
  let done: Set<string> | undefined
  for (const key in patch) {
    if (!isDirective(key)) continue
    if (key.startsWith(DELETE_FROM_LIST)) {
      deleteFromList(merged, key.slice(DELETE_FROM_LIST.length), patch[key])
    } else if (key.startsWith(SET_ELEMENT_ORDER)) {
      const name = key.slice(SET_ELEMENT_ORDER.length)
      const field = schema?.fields.get(name)
      applyElementOrder({ merged, patch, name, path: join(path, name), mergeKey: field?.mergeKey }, (list, changes) =>
        mergeListValue(list, changes, field, join(path, name)),
      )
      done ??= new Set()
      done.add(name)
    }
  }
  return done
}

function deleteFromList(merged: Record<string, unknown>, name: string, values: unknown): void {
  const list = merged[name]
  if (!Array.isArray(list) || !Array.isArray(values)) return
  const gone = new Set<unknown>(values)
  merged[name] = list.filter((value) => !gone.has(value))
}

function mergeValue(original: unknown, patch: unknown, field: FieldSchema | undefined, path: string): unknown {
  if (isFields(original) && isFields(patch)) {
    return mergeStruct(original, patch, field?.shape === 'struct' ? field.struct : undefined, path)
  }
  if (Array.isArray(original) && Array.isArray(patch)) return mergeListValue(original, patch, field, path)
  return withoutDirectives(patch)
}

function mergeListValue(
  original: readonly unknown[],
  patch: readonly unknown[],
  field: FieldSchema | undefined,
  path: string,
): readonly unknown[] {
  return mergeList(original, patch, field?.mergeKey, path, (item, change, itemPath) =>
    mergeStruct(item, change, field?.struct, itemPath),
  )
}

function join(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`
}
