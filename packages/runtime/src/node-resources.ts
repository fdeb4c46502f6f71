import { ANCESTOR_TRAINER, NODE_NAME, type ResourceRequirements } from '@trainjob/api'
import type { Info } from './info.ts'

/** What a node has, for those who count processes by it. */
export function nodeResources(info: Info): ResourceRequirements | undefined {
  return info.deviates('process-count-from-merged-resources') ? mergedResources(info) : upstreamResources(info)
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
