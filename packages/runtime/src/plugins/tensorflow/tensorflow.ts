import { FRAMEWORK_LABEL, NODE_NAME } from '@trainjob/api'
import { COMPLETION_INDEX_FIELD } from '../../constants.ts'
import { upsertEnv } from '../../env.ts'
import type { Info, PodSet } from '../../info.ts'
import type { CompleteTemplatePlugin, Plugin } from '../../plugin.ts'
import { trainingPods } from '../document/training-pods.ts'

/** Where TensorFlow's servers listen. Source: Training Operator v1, TFJob's default port. */
const TENSORFLOW_PORT = 2222
/** A pod's index among those of its type; `TF_CONFIG` refers to it. */
const TASK_INDEX = 'TF_TASK_INDEX'

/** Names of replicated jobs that are types of tasks; every other one is a `worker`. */
const TASK_TYPES: ReadonlySet<string> = new Set(['chief', 'master', 'ps', 'worker', 'evaluator'])

/**
 * `TF_CONFIG` in every pod that trains, for runtimes that are labelled as TensorFlow's. Upstream has no such runtime.
 * Source: tensorflow.org, tf.distribute (multi-worker training).
 */
export const tensorFlowPlugin: Plugin & CompleteTemplatePlugin = {
  name: 'tensorflow',

  completeTemplate(info) {
    if (info.runtimeMetadata.labels?.[FRAMEWORK_LABEL] !== 'tensorflow') return
    const tasks = tasksOf(info)
    const cluster: Record<string, string[]> = {}
    for (const [podSet, type] of tasks) {
      // an evaluator takes no part in the cluster
      if (type === 'evaluator') continue
      cluster[type] = [...(cluster[type] ?? []), ...hostsOf(podSet)]
    }
    for (const [podSet, type] of tasks) {
      for (const container of podSet.containers) {
        if (container.name !== NODE_NAME) continue
        const own = new Set(container.env?.map(({ name }) => name))
        if (own.has('TF_CONFIG')) continue
        upsertEnv(container, [
          { name: TASK_INDEX, valueFrom: { fieldRef: { fieldPath: COMPLETION_INDEX_FIELD } } },
          // the kubelet puts the index in
          {
            name: 'TF_CONFIG',
            value: `{"cluster":${JSON.stringify(cluster)},"task":{"type":"${type}","index":$(${TASK_INDEX})}}`,
          },
        ])
      }
    }
  },
}

/** The pods that compute, each with its type. An MPI launcher that is not a node itself computes nothing. */
function tasksOf(info: Info): readonly (readonly [PodSet, string])[] {
  const launcherIsNode = info.mlPolicy?.mpi?.runLauncherAsNode === true
  return trainingPods(info).flatMap((podSet) => {
    if (podSet.name === 'launcher' && info.mlPolicy?.mpi) return launcherIsNode ? [[podSet, 'chief'] as const] : []
    return [[podSet, TASK_TYPES.has(podSet.name) ? podSet.name : 'worker'] as const]
  })
}

function* hostsOf({ endpoints }: PodSet): Generator<string> {
  for (const host of endpoints()) yield `${host}:${TENSORFLOW_PORT}`
}
