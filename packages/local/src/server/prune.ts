import type { KubeObject } from '@trainjob/kube'

/** The object without what stands at these paths (`spec.trainer.env[0].extra`); only what changes is copied. */
export function prune(object: KubeObject, paths: readonly string[]): KubeObject {
  let result: unknown = object
  for (const path of paths) result = without(result, partsOf(path), 0)
  return result as KubeObject
}

function without(value: unknown, parts: readonly string[], depth: number): unknown {
  const part = parts[depth]
  if (part === undefined || typeof value !== 'object' || value === null) return value
  if (Array.isArray(value))
    return value.map((item, index) => (String(index) === part ? without(item, parts, depth + 1) : item))
  if (!Object.hasOwn(value, part)) return value
  const { [part]: child, ...rest } = value as Record<string, unknown>
  return depth === parts.length - 1 ? rest : { ...value, [part]: without(child, parts, depth + 1) }
}

/** A key with a dot in it is written in brackets: `metadata.labels[app.kubernetes.io/name]`. */
function partsOf(path: string): string[] {
  return [...path.matchAll(/\[([^\]]*)\]|[^.[\]]+/g)].map(([part, bracketed]) => bracketed ?? part)
}
