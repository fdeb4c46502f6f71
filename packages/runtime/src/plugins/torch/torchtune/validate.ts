import type { Info } from '../../../info.ts'
import { upstreamResources } from '../../../node-resources.ts'
import type { FindingsCollector } from '../../../plugin.ts'
import { gpusOf } from '../../../resources.ts'
import { itemOf } from './command.ts'
import {
  LLAMA_3_2_1B,
  LLAMA_3_2_3B,
  LLAMA_3_3_70B,
  QWEN_2_5_1_5B,
  RUNTIME_ITEMS,
  SUPPORTED_MODELS,
} from './constants.ts'
import { methodOf, modelOf, recipeOf } from './recipe.ts'

const RUNTIME_NAME = 'spec.runtimeRef.name'
const NUM_NODES = 'spec.trainer.numNodes'

/** Source: kubeflow/trainer v2.3.0, pkg/runtime/framework/plugins/torch/torchtune.go (`validateTorchTune`). */
export function validateTorchTune(info: Info, findings: FindingsCollector): void {
  const error = (path: string, message: string): void => findings.error({ path, code: 'torchtune', message })
  const { name } = info.trainJob.spec.runtimeRef
  const model = modelOf(name)
  if (!SUPPORTED_MODELS.includes(model)) {
    error(RUNTIME_NAME, `expected a torchtune runtime for one of ${SUPPORTED_MODELS.join(', ')}, found ${name}`)
  }
  const numNodes = info.trainer?.numNodes ?? 1
  if (numNodes > 1 && model !== LLAMA_3_3_70B) {
    error(NUM_NODES, `expected 1 node for ${model}, found ${numNodes}; only ${LLAMA_3_3_70B} trains on several`)
  }
  validateMethod(info, model, numNodes, error)
  info.trainer?.args?.forEach((arg, i) => {
    if (!RUNTIME_ITEMS.has(itemOf(arg))) return
    error(
      `spec.trainer.args[${i}]`,
      `expected items that the runtime does not set itself, found ${itemOf(arg)}; leave it out`,
    )
  })
}

function validateMethod(
  info: Info,
  model: string,
  numNodes: number,
  error: (path: string, message: string) => void,
): void {
  const method = methodOf(info.trainer?.args)
  const gpus = gpusOf(upstreamResources(info))
  const processesPerNode = info.trainer?.numProcPerNode ?? 'auto'
  const { config } = recipeOf(method, { numNodes, processesPerNode, gpus })
  if (config.startsWith('_qlora')) {
    if (model === QWEN_2_5_1_5B) error(RUNTIME_NAME, `expected full or LoRA fine-tuning of ${model}, found QLoRA`)
    if (config === '_qlora' && (model === LLAMA_3_2_1B || model === LLAMA_3_2_3B)) {
      const found = `found ${processesPerNode} processes and ${gpus} GPUs`
      error('spec.trainer.numProcPerNode', `expected 1 process or auto for QLoRA of ${model}, ${found}`)
      error('spec.trainer.resourcesPerNode', `expected 1 GPU for QLoRA of ${model}, ${found}`)
    }
  }
  if (numNodes > 1 && method !== 'full') {
    error(NUM_NODES, `expected 1 node for LoRA fine-tuning, found ${numNodes}; torchtune does it on one node only`)
  }
}
