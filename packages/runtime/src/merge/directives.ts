import { RenderError } from '../error.ts'
import { type Fields, isFields } from './fields.ts'

/** `$patch`, `$retainKeys`, `$setElementOrder/…`, `$deleteFromPrimitiveList/…`. */
export function isDirective(key: string): boolean {
  return key.charCodeAt(0) === 36 // $
}

/**
 * A patch as a value of its own, where nothing is there to merge with: without nulls in objects, directives, and items
 * or fields that consist of a `$patch`. Shares what it can with `patch`.
 */
export function withoutDirectives(patch: unknown): unknown {
  if (Array.isArray(patch)) return cleanList(patch)
  return isFields(patch) ? cleanFields(patch) : patch
}

function cleanList(list: readonly unknown[]): readonly unknown[] {
  let copy: unknown[] | undefined
  for (let i = 0; i < list.length; i++) {
    const before = list[i]
    const drop = isPatchDirective(before)
    const after = drop ? undefined : withoutDirectives(before)
    if (copy === undefined && (drop || after !== before)) copy = list.slice(0, i)
    if (copy !== undefined && !drop) copy.push(after)
  }
  return copy ?? list
}

function cleanFields(fields: Fields): Fields {
  let copy: Record<string, unknown> | undefined
  for (const key in fields) {
    const before = fields[key]
    const drop = before === null || isDirective(key) || isPatchDirective(before)
    const after = drop ? undefined : withoutDirectives(before)
    if (copy === undefined) {
      if (!drop && after === before) continue
      copy = {}
      for (const earlier in fields) {
        if (earlier === key) break
        copy[earlier] = fields[earlier]
      }
    }
    if (!drop) copy[key] = after
  }
  return copy ?? fields
}

/** Whether the value says with `$patch` what becomes of the old one. */
export function isPatchDirective(value: unknown): boolean {
  return isFields(value) && value.$patch !== undefined
}

/**
 * A shallow copy of `original`, of the fields in `$retainKeys` only when there is one.
 *
 * @throws RenderError `invalid-patch` when `$retainKeys` lacks a field of the patch
 */
export function applyRetainKeys(original: Fields, patch: Fields, path: string): Record<string, unknown> {
  const retained = patch.$retainKeys
  if (retained === undefined) return { ...original }
  const where = path || 'the top'
  if (!Array.isArray(retained)) {
    throw new RenderError('invalid-patch', path, `$retainKeys at ${where} must be a list of field names.`)
  }
  const names = new Set<unknown>(retained)
  for (const key in patch) {
    if (patch[key] === null || isDirective(key) || names.has(key)) continue
    throw new RenderError(
      'invalid-patch',
      path,
      `$retainKeys at ${where} must name every field that the patch sets; it lacks ${key}.`,
    )
  }
  return Object.fromEntries(Object.entries(original).filter(([key]) => names.has(key)))
}
