import { ANCESTOR_TRAINER, NODE_NAME } from '@trainjob/api'
import { COMPLETION_INDEX_FIELD, TRAINER_PORT } from '../../constants.ts'
import { upsertEnv } from '../../env.ts'
import { containerOfAncestor, podSetOfAncestor } from '../../info.ts'
import { nodeResources } from '../../node-resources.ts'
import type { CustomValidationPlugin, EnforceMLPolicyPlugin, Plugin } from '../../plugin.ts'
import { addPort } from '../../ports.ts'
import { gpusOf } from '../../resources.ts'
import { firstPodAddress } from '../first-pod-address.ts'
import { warnOfReservedEnv } from '../reserved-env.ts'
import {
  DMLC_NUM_WORKER,
  DMLC_TASK_ID,
  DMLC_TRACKER_PORT,
  DMLC_TRACKER_URI,
  XGBOOST_RESERVED_ENV,
} from './constants.ts'

/**
 * One XGBoost worker for each GPU, or for each node without any. The program on the first node starts the tracker.
 * Source: kubeflow/trainer v2.3.0, pkg/runtime/framework/plugins/xgboost.
 */
export const xgboostPlugin: Plugin & EnforceMLPolicyPlugin & CustomValidationPlugin = {
  name: 'xgboost',

  enforceMLPolicy(info) {
    if (!info.mlPolicy?.xgboost) return
    const trainer = podSetOfAncestor(info, ANCESTOR_TRAINER)
    if (!trainer) return
    const numNodes = info.trainer?.numNodes
    if (numNodes !== undefined) trainer.count = numNodes
    const container = containerOfAncestor(info, ANCESTOR_TRAINER, NODE_NAME)
    if (!container || !(info.trainer || info.deviates('env-without-trainer'))) return
    const workers = trainer.count * Math.max(1, gpusOf(nodeResources(info)))
    upsertEnv(container, [
      { name: DMLC_TRACKER_URI, value: firstPodAddress(info, trainer) },
      { name: DMLC_TRACKER_PORT, value: String(TRAINER_PORT) },
      { name: DMLC_TASK_ID, valueFrom: { fieldRef: { fieldPath: COMPLETION_INDEX_FIELD } } },
      { name: DMLC_NUM_WORKER, value: String(workers) },
    ])
    addPort(info, container, { containerPort: TRAINER_PORT })
  },

  validate(info, _old, findings) {
    if (!info.mlPolicy?.xgboost) return
    info.trainer?.env?.forEach(({ name }, i) => {
      if (!XGBOOST_RESERVED_ENV.has(name)) return
      findings.error({
        path: `spec.trainer.env[${i}]`,
        code: 'reserved-env',
        message: `expected a variable other than those that the xgboost runtime sets, found ${name}; leave it out`,
      })
    })
    const container = containerOfAncestor(info, ANCESTOR_TRAINER, NODE_NAME)
    warnOfReservedEnv('xgboost', [container], XGBOOST_RESERVED_ENV, findings)
  },
}
