import { GPUS_ANNOTATION, type ResourceRequirements } from '@trainjob/api'
import type { Info } from '../../info.ts'
import { gpusOf } from '../../resources.ts'
import { numberIn } from './number-in.ts'
import { trainingContainers } from './training-pods.ts'

/** Where a GPU is asked for when only their number is known. */
const GPU_RESOURCE = 'nvidia.com/gpu'

/** A node that is limited to another number of GPUs than `numGPUsPerNode` says; nothing when they agree. */
export function gpuMismatch(info: Info): { readonly wanted: number; readonly limit: number } | undefined {
  const wanted = numberIn(info.runtimeMetadata, GPUS_ANNOTATION)
  if (wanted === undefined) return undefined
  for (const { resources } of trainingContainers(info)) {
    const limit = gpuLimit(resources)
    if (limit > 0 && limit !== wanted) return { wanted, limit }
  }
  return undefined
}

/** How a mismatch is told. */
export function gpuMismatchMessage({ wanted, limit }: { readonly wanted: number; readonly limit: number }): string {
  return `expected the GPU limit of a node to be mlPolicy.torch.numGPUsPerNode of the runtime, found a limit of ${limit} and numGPUsPerNode: ${wanted}; make them equal`
}

/** Gives the nodes the GPUs that the runtime speaks of, where nothing else does. */
export function limitGpus(info: Info): void {
  const wanted = numberIn(info.runtimeMetadata, GPUS_ANNOTATION)
  if (wanted === undefined) return
  for (const container of trainingContainers(info)) {
    const { resources } = container
    if (gpuLimit(resources) > 0) continue
    container.resources = { ...resources, limits: { ...resources?.limits, [GPU_RESOURCE]: String(wanted) } }
  }
}

function gpuLimit(resources: ResourceRequirements | undefined): number {
  return resources?.limits === undefined ? 0 : gpusOf({ limits: resources.limits })
}

/** Says where patches have made the limit another one: that may well be meant. */
export function warnOfPatchedGpus(info: Info): void {
  const mismatch = gpuMismatch(info)
  if (mismatch === undefined) return
  info.warnings.push({
    path: 'spec.runtimePatches',
    code: 'gpu-count-patched',
    message: `the patches change the GPU limit of a node to ${mismatch.limit}, while numGPUsPerNode of the runtime is ${mismatch.wanted}: as many processes are started`,
  })
}
