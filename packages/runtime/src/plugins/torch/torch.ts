import { ANCESTOR_TRAINER, type EnvVar, NODE_NAME } from '@trainjob/api'
import { COMPLETION_INDEX_FIELD, TRAINER_PORT } from '../../constants.ts'
import { upsertEnv } from '../../env.ts'
import { RenderError } from '../../error.ts'
import { containerOfAncestor, containerOfPodSet, type Info, podSetOfAncestor } from '../../info.ts'
import type { CustomValidationPlugin, EnforceMLPolicyPlugin, Plugin } from '../../plugin.ts'
import { addPort } from '../../ports.ts'
import { firstPodAddress } from '../first-pod-address.ts'
import { PET_MASTER_ADDR, PET_MASTER_PORT, PET_NNODES, PET_NODE_RANK, PET_NPROC_PER_NODE } from './constants.ts'
import { nodeSize } from './processes.ts'
import { torchTuneArguments } from './torchtune/command.ts'
import { isTorchTune, type Size } from './torchtune/recipe.ts'
import { validateTorch } from './validate.ts'

/**
 * The environment of torchrun, and the command line of torchtune.
 * Source: kubeflow/trainer v2.3.0, pkg/runtime/framework/plugins/torch.
 */
export const torchPlugin: Plugin & EnforceMLPolicyPlugin & CustomValidationPlugin = {
  name: 'torch',

  enforceMLPolicy(info) {
    if (!info.mlPolicy?.torch) return
    const trainer = podSetOfAncestor(info, ANCESTOR_TRAINER)
    const numNodes = info.trainer?.numNodes
    if (trainer && numNodes !== undefined) trainer.count = numNodes

    const size = { numNodes: trainer?.count ?? 1, ...nodeSize(info) }
    const address = firstPodAddress(info, trainer)
    const env = processEnv(size)
    const master = masterEnv(address)
    const container = containerOfAncestor(info, ANCESTOR_TRAINER, NODE_NAME)
    if (container) {
      upsertEnv(container, info.trainerEnv)
      if (info.trainer || info.deviates('env-without-trainer')) {
        upsertEnv(container, env)
        if (isTorchTune(info.trainer?.command)) runTorchTune(info, size, `${address}:${TRAINER_PORT}`)
        else upsertEnv(container, master)
        addPort(info, container, { containerPort: TRAINER_PORT })
      }
    }
    injectEnv(info, [...env, ...master])
  },

  validate: validateTorch,
}

function processEnv({ numNodes, processesPerNode }: Size): readonly EnvVar[] {
  return [
    { name: PET_NNODES, value: String(numNodes) },
    { name: PET_NPROC_PER_NODE, value: String(processesPerNode) },
    { name: PET_NODE_RANK, valueFrom: { fieldRef: { fieldPath: COMPLETION_INDEX_FIELD } } },
  ]
}

function masterEnv(address: string): readonly EnvVar[] {
  return [
    { name: PET_MASTER_ADDR, value: address },
    { name: PET_MASTER_PORT, value: String(TRAINER_PORT) },
  ]
}

/** torchtune takes the meeting point from its command line, not from the environment. */
function runTorchTune(info: Info, size: Size, endpoint: string): void {
  const { command = [] } = info.trainer ?? {}
  info.trainer = { ...info.trainer, command: [...command, ...torchTuneArguments(info, size, endpoint)] }
}

/** The same variables in the containers that the runtime's `envInjection` names. */
function injectEnv(info: Info, env: readonly EnvVar[]): void {
  for (const { jobName, containerNames } of info.mlPolicy?.torch?.envInjection?.targets ?? []) {
    for (const name of containerNames) {
      const container = containerOfPodSet(info, jobName, name)
      if (!container) {
        throw new RenderError(
          'env-injection-target-not-found',
          'spec.mlPolicy.torch.envInjection.targets',
          `Expected container ${name} in replicated job ${jobName} of the runtime, which envInjection names; there is none.`,
        )
      }
      upsertEnv(container, env)
    }
  }
}
