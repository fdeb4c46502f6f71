import { editDistance } from './edit-distance.ts'

/**
 * What fields are called elsewhere: in other releases of Trainer, in its Python SDK, in the Training Operator v1, in
 * Kubernetes. Spellings that differ only in case, `_` and `-` need no entry.
 */
const SYNONYMS: ReadonlyMap<string, string> = new Map([
  ['nodes', 'numNodes'],
  ['replicas', 'numNodes'],
  ['workers', 'numNodes'],
  ['numworkers', 'numNodes'],
  ['nnodes', 'numNodes'],
  ['numprocs', 'numProcPerNode'],
  ['nprocpernode', 'numProcPerNode'],
  ['procpernode', 'numProcPerNode'],
  ['numgpuspernode', 'numProcPerNode'],
  ['resources', 'resourcesPerNode'],
  ['runtime', 'runtimeRef'],
  ['trainingruntimeref', 'runtimeRef'],
  ['podspecoverrides', 'runtimePatches'],
  ['podtemplateoverrides', 'runtimePatches'],
  ['overrides', 'runtimePatches'],
  ['managerkey', 'manager'],
  ['entrypoint', 'command'],
  ['cmd', 'command'],
  ['arguments', 'args'],
  ['environment', 'env'],
  ['envs', 'env'],
  ['uri', 'storageUri'],
  ['secret', 'secretRef'],
  ['timeout', 'activeDeadlineSeconds'],
  ['deadline', 'activeDeadlineSeconds'],
  ['paused', 'suspend'],
  ['datasetconfig', 'dataset'],
  ['modelconfig', 'model'],
  ['maxretries', 'maxRestarts'],
  ['mlpolicysource', 'mlPolicy'],
  ['pytorch', 'torch'],
  ['openmpi', 'mpi'],
  ['serviceaccount', 'serviceAccountName'],
])

/**
 * The one of `names` that was probably meant by `word`, or nothing when none is near.
 *
 * @example
 * nearestName('num_nodes', ['image', 'numNodes']) // => 'numNodes'
 * nearestName('replicas', ['image', 'numNodes']) // => 'numNodes'
 * nearestName('colour', ['image', 'numNodes']) // => undefined
 */
export function nearestName(word: string, names: readonly string[]): string | undefined {
  const plain = simplified(word)
  const same = names.find((name) => simplified(name) === plain)
  if (same !== undefined) return same
  const synonym = SYNONYMS.get(plain)
  if (synonym !== undefined && names.includes(synonym)) return synonym
  let best: string | undefined
  let least = Math.min(3, Math.floor(plain.length / 3)) + 1
  if (plain.length === 2) least = 2
  for (const name of names) {
    if (Math.abs(name.length - plain.length) >= least) continue
    const distance = editDistance(plain, simplified(name))
    if (distance < least) {
      least = distance
      best = name
    }
  }
  return best
}

function simplified(word: string): string {
  return word.toLowerCase().replaceAll(/[_\-\s]/g, '')
}
