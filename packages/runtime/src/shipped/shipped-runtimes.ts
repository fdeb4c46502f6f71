import type { ClusterTrainingRuntime } from '@trainjob/api'
import { plain } from './plain.ts'
import { torchDistributed } from './torch-distributed.ts'

/**
 * The runtimes that come with the project, by name.
 *
 * @example
 * shippedRuntimes().some(({ metadata }) => metadata.name === 'torch-distributed') // => true
 */
export function shippedRuntimes(): readonly ClusterTrainingRuntime[] {
  return [plain, torchDistributed]
}
