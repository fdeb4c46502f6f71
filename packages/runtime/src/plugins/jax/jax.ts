import { ANCESTOR_TRAINER, NODE_NAME } from '@trainjob/api'
import { COMPLETION_INDEX_FIELD, TRAINER_PORT } from '../../constants.ts'
import { upsertEnv } from '../../env.ts'
import { containerOfAncestor, podSetOfAncestor } from '../../info.ts'
import type { CustomValidationPlugin, EnforceMLPolicyPlugin, Plugin } from '../../plugin.ts'
import { addPort } from '../../ports.ts'
import { firstPodAddress } from '../first-pod-address.ts'
import { warnOfReservedEnv } from '../reserved-env.ts'
import { JAX_COORDINATOR_ADDRESS, JAX_NUM_PROCESSES, JAX_PROCESS_ID, JAX_RESERVED_ENV } from './constants.ts'

/**
 * One JAX process on each node; the first one coordinates.
 * Source: kubeflow/trainer v2.3.0, pkg/runtime/framework/plugins/jax.
 */
export const jaxPlugin: Plugin & EnforceMLPolicyPlugin & CustomValidationPlugin = {
  name: 'jax',

  enforceMLPolicy(info) {
    if (!info.mlPolicy?.jax) return
    const trainer = podSetOfAncestor(info, ANCESTOR_TRAINER)
    const numNodes = info.trainer?.numNodes
    if (trainer && numNodes !== undefined) trainer.count = numNodes
    const container = containerOfAncestor(info, ANCESTOR_TRAINER, NODE_NAME)
    if (!container || !(info.trainer || info.deviates('env-without-trainer'))) return
    upsertEnv(container, [
      { name: JAX_NUM_PROCESSES, value: String(trainer?.count ?? 1) },
      { name: JAX_PROCESS_ID, valueFrom: { fieldRef: { fieldPath: COMPLETION_INDEX_FIELD } } },
      { name: JAX_COORDINATOR_ADDRESS, value: `${firstPodAddress(info, trainer)}:${TRAINER_PORT}` },
    ])
    addPort(info, container, { containerPort: TRAINER_PORT })
  },

  /** Upstream lets a TrainJob set these variables, and the job's value wins. */
  validate(info, _old, findings) {
    if (!info.mlPolicy?.jax) return
    const reserved = (info.trainer?.env ?? []).map(({ name }) => name).filter((name) => JAX_RESERVED_ENV.has(name))
    if (reserved.length > 0) {
      findings.warning({
        path: 'spec.trainer.env',
        code: 'reserved-env',
        message: `${reserved.join(', ')} of the TrainJob replace what the jax runtime sets on each node: nodes will not find each other; leave them out`,
      })
    }
    warnOfReservedEnv('jax', [containerOfAncestor(info, ANCESTOR_TRAINER, NODE_NAME)], JAX_RESERVED_ENV, findings)
  },
}
