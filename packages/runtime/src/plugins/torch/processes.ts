import { ANCESTOR_TRAINER, NODE_NAME, type ResourceRequirements } from '@trainjob/api'
import type { Info } from '../../info.ts'
import { cpusOf, gpusOf } from '../../resources.ts'

/**
 * Processes that torchrun starts on each node: the TrainJob's number; else `auto`, which is one per GPU, where there are
 * GPUs; else one per CPU, and at least one.
 */
export function processesPerNode(info: Info): number | 'auto' {
  const wanted = info.trainer?.numProcPerNode
  if (wanted !== undefined) return wanted
  const resources = resourcesPerNode(info)
  return gpusOf(resources) > 0 ? 'auto' : Math.max(1, cpusOf(resources))
}

/** What a node gets, as far as upstream looks. */
function resourcesPerNode(info: Info): ResourceRequirements | undefined {
  const own = info.trainer?.resourcesPerNode
  if (own && !info.deviates('process-count-from-merged-resources')) return own
  for (const { name, ancestor, containers } of info.podSets) {
    if (name !== NODE_NAME && ancestor !== ANCESTOR_TRAINER) continue
    const container = containers.find((candidate) => candidate.name === NODE_NAME)
    if (container?.resources) return container.resources
  }
  return undefined
}
