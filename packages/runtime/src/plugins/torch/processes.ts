import type { Info } from '../../info.ts'
import { nodeResources } from '../../node-resources.ts'
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
  const resources = nodeResources(info)
  const gpus = gpusOf(resources)
  const wanted = info.trainer?.numProcPerNode
  return { gpus, processesPerNode: wanted ?? (gpus > 0 ? 'auto' : Math.max(1, cpusOf(resources))) }
}
