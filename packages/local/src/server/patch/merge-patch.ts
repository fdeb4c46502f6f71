import { clone } from '../../object/clone.ts'

/** Applies an RFC 7386 patch to a tree without changing it; what is not touched stays shared. */
export function applyMergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch
  const result: Record<string, unknown> = isObject(target) ? { ...target } : {}
  for (const [key, value] of Object.entries(patch)) {
    if (key === '__proto__') continue
    if (value === null) delete result[key]
    else if (isObject(value)) result[key] = applyMergePatch(result[key], value)
    else result[key] = clone(value)
  }
  return result
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
