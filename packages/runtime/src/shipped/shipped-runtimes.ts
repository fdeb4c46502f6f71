import type { ClusterTrainingRuntime } from '@trainjob/api'
import { deepspeedDistributed } from './deepspeed-distributed.ts'
import { fluxDistributed } from './flux-distributed.ts'
import { jaxDistributed } from './jax-distributed.ts'
import { mlxDistributed } from './mlx-distributed.ts'
import { plain } from './plain.ts'
import { tensorFlowDistributed } from './tensorflow-distributed.ts'
import { torchDistributed } from './torch-distributed.ts'
import { torchElastic } from './torch-elastic.ts'
import { torchTuneRuntimes } from './torchtune.ts'
import { xgboostDistributed } from './xgboost-distributed.ts'

/**
 * The runtimes that come with the project, each of another name.
 *
 * @example
 * shippedRuntimes().some(({ metadata }) => metadata.name === 'torch-distributed') // => true
 */
export function shippedRuntimes(): readonly ClusterTrainingRuntime[] {
  return [
    plain,
    torchDistributed,
    deepspeedDistributed,
    fluxDistributed,
    jaxDistributed,
    mlxDistributed,
    tensorFlowDistributed,
    torchElastic,
    ...torchTuneRuntimes,
    xgboostDistributed,
  ]
}
