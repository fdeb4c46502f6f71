import { ANCESTOR_TRAINER, NODE_NAME } from '@trainjob/api'
import { upsertEnv } from '../../env.ts'
import { containerOfAncestor, type Info, podSetOfAncestor } from '../../info.ts'
import type { EnforceMLPolicyPlugin, Plugin } from '../../plugin.ts'

/**
 * Node count and environment of the TrainJob, for runtimes without a framework of their own.
 * Source: kubeflow/trainer v2.3.0, pkg/runtime/framework/plugins/plainml.
 */
export const plainPlugin: Plugin & EnforceMLPolicyPlugin = {
  name: 'plain',

  enforceMLPolicy(info) {
    if (hasOwnPlugin(info)) return
    const numNodes = info.trainer?.numNodes
    const trainer = podSetOfAncestor(info, ANCESTOR_TRAINER)
    if (trainer && numNodes !== undefined) trainer.count = numNodes
    const container = containerOfAncestor(info, ANCESTOR_TRAINER, NODE_NAME)
    if (container) upsertEnv(container, info.trainerEnv)
  },
}

function hasOwnPlugin({ mlPolicy }: Info): boolean {
  return mlPolicy?.torch !== undefined || mlPolicy?.mpi !== undefined || mlPolicy?.jax !== undefined
}
