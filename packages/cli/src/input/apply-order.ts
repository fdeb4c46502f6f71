import type { KubernetesObject } from '@trainjob/api'

const EARLY = [
  'CustomResourceDefinition',
  'Namespace',
  'PriorityClass',
  'RuntimeClass',
  'StorageClass',
  'ServiceAccount',
  'Secret',
  'ConfigMap',
  'PersistentVolume',
  'PersistentVolumeClaim',
  'ClusterTrainingRuntime',
  'TrainingRuntime',
]

/** Objects so that each comes behind what it refers to; TrainJobs last. Otherwise the order stays. */
export function inApplyOrder<T extends { readonly object: KubernetesObject }>(documents: readonly T[]): readonly T[] {
  return documents.toSorted((a, b) => rank(a.object) - rank(b.object))
}

function rank({ kind }: KubernetesObject): number {
  const early = EARLY.indexOf(kind)
  if (early !== -1) return early
  return kind === 'TrainJob' ? EARLY.length + 1 : EARLY.length
}
