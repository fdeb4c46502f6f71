import type { Pod } from '@trainjob/api'

const REPLICATED_JOB = 'jobset.sigs.k8s.io/replicatedjob-name'
const REPLICAS = 'jobset.sigs.k8s.io/replicatedjob-replicas'
const JOB_INDEX = 'jobset.sigs.k8s.io/job-index'
const COMPLETION_INDEX = 'batch.kubernetes.io/job-completion-index'
const DEFAULT_CONTAINER = 'kubectl.kubernetes.io/default-container'

/** Name of the replicated job that a pod belongs to; `''` for a pod that no JobSet made. */
export function replicatedJobOf(pod: Pod): string {
  return pod.metadata.labels?.[REPLICATED_JOB] ?? ''
}

/** Rank within the replicated job as the Job controller counts it. */
export function completionIndexOf(pod: Pod): number {
  const { labels, annotations } = pod.metadata
  return Number(labels?.[COMPLETION_INDEX] ?? annotations?.[COMPLETION_INDEX] ?? 0)
}

/**
 * The name under which users know a pod: `node-2`, `launcher-0`; `worker-1-0` where a replicated job has several Jobs.
 * A replacement has the name of the pod it replaces.
 */
export function nodeNameOf(pod: Pod): string {
  const labels = pod.metadata.labels
  return nodeName(
    replicatedJobOf(pod),
    Number(labels?.[REPLICAS] ?? 1),
    Number(labels?.[JOB_INDEX] ?? 0),
    completionIndexOf(pod),
  )
}

export function nodeName(replicatedJob: string, replicas: number, jobIndex: number, completionIndex: number): string {
  return replicas > 1 ? `${replicatedJob}-${jobIndex}-${completionIndex}` : `${replicatedJob}-${completionIndex}`
}

/** The container whose output is the node's output. */
export function mainContainerOf(pod: Pod): string {
  const named = pod.metadata.annotations?.[DEFAULT_CONTAINER]
  const { containers } = pod.spec
  const names = [named, 'node', replicatedJobOf(pod)]
  const found = names.find((name) => name !== undefined && containers.some((container) => container.name === name))
  return found ?? containers[0]?.name ?? ''
}
