import { ANCESTOR_TRAINER, NODE_NAME } from '@trainjob/api'
import type { Info } from '../../../info.ts'
import { RUNTIME_ITEMS } from './constants.ts'
import { methodOf, modelOf, recipeOf, type Size } from './recipe.ts'

/**
 * The rest of a torchtune command: where the processes meet (when there are several), recipe, configuration, and the
 * items that the runtime sets.
 * Source: kubeflow/trainer v2.3.0, pkg/runtime/framework/plugins/torch/torch.go (`EnforceMLPolicy`).
 */
export function torchTuneArguments(info: Info, size: Size, endpoint: string): readonly string[] {
  const { numNodes, processesPerNode, gpus } = size
  const isDistributed = numNodes > 1 || (processesPerNode === 'auto' ? gpus > 1 : processesPerNode > 1)
  const { recipe, config } = recipeOf(methodOf(info.trainer?.args), size)
  const model = modelOf(info.trainJob.spec.runtimeRef.name)
  return [
    ...(isDistributed ? [`--rdzv_endpoint=${endpoint}`] : []),
    recipe,
    '--config',
    model + config,
    ...itemsOfRuntime(info),
  ]
}

function itemsOfRuntime(info: Info): readonly string[] {
  return info.podSets
    .filter(({ ancestor }) => ancestor === ANCESTOR_TRAINER)
    .flatMap(({ containers }) => containers.filter(({ name }) => name === NODE_NAME))
    .flatMap(({ command }) => command ?? [])
    .filter((word) => RUNTIME_ITEMS.has(itemOf(word)))
}

/** The key of `key=value`. */
export function itemOf(word: string): string {
  return word.split('=', 1)[0] ?? ''
}
