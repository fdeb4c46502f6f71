import { ANCESTOR_TRAINER, NODE_NAME, type ResourceRequirements } from '@trainjob/api'
import type { Info } from '../../info.ts'
import { cpusOf, gpusOf } from '../../resources.ts'

/** What runs on each node of a job. */
export interface NodeSize {
  readonly processesPerNode: number | 'auto'
  readonly gpus: number
}

/**
 * GPUs of a node, and the processes that torchrun starts on it: the TrainJob's number; else `auto`, which is one per
 * GPU, where there are GPUs; else one per CPU, and at least one.
 */
export function nodeSize(info: Info): NodeSize {
  const resources = info.deviates('process-count-from-merged-resources')
    ? mergedResources(info)
    : upstreamResources(info)
  const gpus = gpusOf(resources)
  const wanted = info.trainer?.numProcPerNode
  return { gpus, processesPerNode: wanted ?? (gpus > 0 ? 'auto' : Math.max(1, cpusOf(resources))) }
}

/** What upstream looks at: the resources of the TrainJob when it has any, else those of the container. */
export function upstreamResources(info: Info): ResourceRequirements | undefined {
  return info.trainer?.resourcesPerNode ?? mergedResources(info)
}

/** What the container that trains ends up with. */
function mergedResources(info: Info): ResourceRequirements | undefined {
  for (const { name, ancestor, containers } of info.podSets) {
    if (name !== NODE_NAME && ancestor !== ANCESTOR_TRAINER) continue
    const container = containers.find((candidate) => candidate.name === NODE_NAME)
    if (container?.resources) return container.resources
  }
  return undefined
}
