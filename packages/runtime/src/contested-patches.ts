import type { RuntimePatch } from '@trainjob/api'
import { deepEqual } from './deep-equal.ts'

/** A field that two managers set to different values. */
export interface Contest {
  /** As in `replicatedJobs[node].template.spec.template.spec.nodeSelector.zone`. */
  readonly path: string
  readonly first: string
  /** Whose value counts. */
  readonly second: string
}

interface Claim {
  readonly manager: string
  readonly value: unknown
}

/** Where the patches of two managers say different things; lists whose items have names are merged by them, others replaced. */
export function contestedPatches(patches: readonly RuntimePatch[]): readonly Contest[] {
  if (patches.length < 2) return []
  const claims = new Map<string, Claim>()
  const contests: Contest[] = []
  for (const { manager, trainingRuntimeSpec } of patches) {
    const { metadata, spec } = trainingRuntimeSpec?.template ?? {}
    forEachField({ ...(metadata && { metadata }), ...spec }, '', (path, value) => {
      const claim = claims.get(path)
      claims.set(path, { manager, value })
      if (claim === undefined || claim.manager === manager || deepEqual(claim.value, value)) return
      contests.push({ path, first: claim.manager, second: manager })
    })
  }
  return contests
}

function forEachField(value: unknown, path: string, visit: (path: string, value: unknown) => void): void {
  if (Array.isArray(value) && value.every(isNamed)) {
    // the name is the item's place
    for (const { name, ...item } of value) forEachField(item, `${path}[${name}]`, visit)
    return
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    if (value !== undefined) visit(path, value)
    return
  }
  for (const [field, below] of Object.entries(value)) {
    forEachField(below, path === '' ? field : `${path}.${field}`, visit)
  }
}

function isNamed(value: unknown): value is { readonly name: string } {
  return typeof (value as { name?: unknown } | null)?.name === 'string'
}
