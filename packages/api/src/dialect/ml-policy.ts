import type { FieldPath } from '../field-path.ts'
import {
  CPUS_ANNOTATION,
  ELASTIC_ANNOTATION,
  FLUX_REPLICAS_ANNOTATION,
  GPUS_ANNOTATION,
  PROCESSES_ANNOTATION,
  SSHD_PORT_ANNOTATION,
} from './annotations.ts'
import { type Draft, fieldsOf } from './draft.ts'
import { takeOver } from './take-over.ts'

const POLICY = ['spec', 'mlPolicy'] as const

/** Whole numbers of the document that the canonical policies have no field for. */
const NUMBERS: readonly (readonly [policy: string, field: string, annotation: string])[] = [
  ['torch', 'numGPUsPerNode', GPUS_ANNOTATION],
  ['mpi', 'numCPUsPerNode', CPUS_ANNOTATION],
  ['jax', 'numCPUsPerNode', CPUS_ANNOTATION],
  ['xgboost', 'numCPUsPerNode', CPUS_ANNOTATION],
  ['flux', 'numCPUsPerNode', CPUS_ANNOTATION],
  ['xgboost', 'numXGBoostWorkersPerNode', PROCESSES_ANNOTATION],
  ['mpi', 'sshdPort', SSHD_PORT_ANNOTATION],
]

/** What the document says of each framework, and `torch.numProcPerNode` of earlier releases. */
export function translateMlPolicy(draft: Draft, isUpdate: boolean): void {
  if (draft.get(POLICY) === undefined) return
  for (const [policy, field, annotation] of NUMBERS) {
    const path = [...POLICY, policy, field]
    const value = draft.get(path)
    if (value === undefined || !isCount(draft, path, value)) continue
    draft.move(path, ['metadata', 'annotations', annotation], String(value))
    draft.documentNote(path, `${policy}.${field} is kept in the annotation ${annotation}`)
  }
  const workers = [...POLICY, 'mpi', 'numMPIWorkersPerNode']
  if (draft.get(workers) !== undefined && takeOver(draft, workers, [...POLICY, 'mpi', 'numProcPerNode'], isUpdate)) {
    draft.documentNote(workers, 'mpi.numMPIWorkersPerNode is mpi.numProcPerNode')
  }
  translateElastic(draft)
  translateFluxReplicas(draft)
  translateProcesses(draft)
  const nodes = [...POLICY, 'torch', 'numNodes']
  if (draft.get(nodes) !== undefined && takeOver(draft, nodes, [...POLICY, 'numNodes'], isUpdate)) {
    draft.note(nodes, 'numNodes stands beside the policy, not in it')
  }
}

function translateElastic(draft: Draft): void {
  const path = [...POLICY, 'torch', 'elastic']
  const written = draft.get(path)
  if (written === undefined) return
  const { minReplicas = 1, maxReplicas, nprocPerNode } = fieldsOf(written)
  const before = draft.errors.length
  if (maxReplicas === undefined) {
    draft.error(path, 'expected maxReplicas, found nothing; write elastic: {minReplicas: 1, maxReplicas: 4}')
  } else isCount(draft, [...path, 'maxReplicas'], maxReplicas)
  isCount(draft, [...path, 'minReplicas'], minReplicas)
  if (nprocPerNode !== undefined) isCount(draft, [...path, 'nprocPerNode'], nprocPerNode)
  if (draft.errors.length > before) return
  if (Number(minReplicas) > Number(maxReplicas)) {
    draft.error(path, `expected minReplicas of at most maxReplicas, found ${minReplicas} and ${maxReplicas}`)
    return
  }
  const elastic = { minReplicas, maxReplicas, ...(nprocPerNode !== undefined && { nprocPerNode }) }
  draft.move(path, ['metadata', 'annotations', ELASTIC_ANNOTATION], JSON.stringify(elastic))
  draft.documentNote(path, `torch.elastic is kept in the annotation ${ELASTIC_ANNOTATION}`)
}

function translateFluxReplicas(draft: Draft): void {
  const path = [...POLICY, 'flux']
  const { fluxMinReplicas, fluxMaxReplicas } = draft.fields(path)
  if (fluxMinReplicas === undefined && fluxMaxReplicas === undefined) return
  const min = fluxMinReplicas ?? 1
  const max = fluxMaxReplicas ?? min
  if (!isCount(draft, [...path, 'fluxMinReplicas'], min) || !isCount(draft, [...path, 'fluxMaxReplicas'], max)) return
  if (Number(min) > Number(max)) {
    draft.error(path, `expected fluxMinReplicas of at most fluxMaxReplicas, found ${min} and ${max}`)
    return
  }
  draft.set([...path, 'fluxMinReplicas'], undefined)
  draft.set([...path, 'fluxMaxReplicas'], undefined)
  draft.annotate(FLUX_REPLICAS_ANNOTATION, `${min}:${max}`)
  draft.documentNote(path, `the bounds of flux are kept in the annotation ${FLUX_REPLICAS_ANNOTATION}`)
}

/** Upstream's releases 2.0 and 2.1: a number, or how torchrun is to find it. */
function translateProcesses(draft: Draft): void {
  const path = [...POLICY, 'torch', 'numProcPerNode']
  const value = draft.get(path)
  if (value === undefined) return
  if (value === 'auto') {
    draft.set(path, undefined)
    draft.note(path, 'numProcPerNode: auto of earlier releases is what happens when it is left out')
    return
  }
  if (value !== 'cpu' && value !== 'gpu' && !isCount(draft, path, value)) return
  draft.move(path, ['metadata', 'annotations', PROCESSES_ANNOTATION], String(value))
  draft.note(path, `torch.numProcPerNode of earlier releases is kept in the annotation ${PROCESSES_ANNOTATION}`)
}

function isCount(draft: Draft, path: FieldPath, value: unknown): boolean {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1) return true
  draft.error(path, `expected a whole number of at least 1, found ${JSON.stringify(value)}`)
  return false
}
