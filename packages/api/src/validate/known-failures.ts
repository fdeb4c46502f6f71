import type { Fault } from './check-schema.ts'

/** Counts below these cannot run; upstream v2.3.0 takes them (kubeflow/trainer#3805). */
const LEAST: readonly (readonly [path: readonly string[], least: number])[] = [
  [['spec', 'trainer', 'numNodes'], 0],
  [['spec', 'trainer', 'numProcPerNode'], 1],
  [['spec', 'mlPolicy', 'numNodes'], 0],
  [['spec', 'mlPolicy', 'mpi', 'numProcPerNode'], 1],
]

/** Warnings about what a server accepts although nothing can come of it. */
export function knownFailures(object: unknown): readonly Fault[] {
  const faults: Fault[] = []
  for (const [path, least] of LEAST) {
    const count = valueAt(object, path)
    if (typeof count !== 'number' || count >= least) continue
    const message = `expected at least ${least}, found ${count}: a server accepts it, but no job can run with it`
    faults.push({ path, code: 'out-of-range', message })
  }
  return faults
}

function valueAt(object: unknown, path: readonly string[]): unknown {
  let at = object
  for (const field of path) {
    if (typeof at !== 'object' || at === null) return undefined
    at = (at as Readonly<Record<string, unknown>>)[field]
  }
  return at
}
