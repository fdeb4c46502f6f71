import { ELASTIC_ANNOTATION, type ElasticPolicy, NODES_ANNOTATION, readAnnotation } from '@trainjob/api'
import { TRAINER_PORT } from '../../constants.ts'
import { upsertEnv } from '../../env.ts'
import type { Info } from '../../info.ts'
import type { CustomValidationPlugin, EnforceMLPolicyPlugin, Plugin } from '../../plugin.ts'
import { numberIn } from '../document/number-in.ts'
import { trainingContainers, trainingPods } from '../document/training-pods.ts'
import { PET_MASTER_ADDR, PET_NNODES } from '../torch/constants.ts'
import {
  DEFAULT_MAX_RESTARTS,
  PET_MAX_RESTARTS,
  PET_RDZV_BACKEND,
  PET_RDZV_ENDPOINT,
  PET_RDZV_ID,
} from './constants.ts'

/**
 * torchrun that may lose and gain nodes: bounds in place of a number, and a meeting at the first node. How many nodes
 * there are now comes from `numNodes`, or from the annotation by which a running job is scaled, and stays in the bounds.
 */
export const elasticPlugin: Plugin & EnforceMLPolicyPlugin & CustomValidationPlugin = {
  name: 'elastic',

  enforceMLPolicy(info) {
    const policy = elasticPolicy(info)
    const [podSet] = trainingPods(info)
    const [container] = trainingContainers(info)
    if (policy === undefined || !podSet || !container) return
    const { minReplicas, maxReplicas } = policy
    const wanted = numberIn(info.trainJob.metadata, NODES_ANNOTATION) ?? podSet.count
    podSet.count = Math.min(Math.max(wanted, minReplicas), maxReplicas)
    if (podSet.count !== wanted) {
      info.warnings.push({
        path: 'spec.trainer.numNodes',
        code: 'nodes-out-of-bounds',
        message: `expected ${minReplicas} to ${maxReplicas} nodes, found ${wanted}: the job gets ${podSet.count}`,
      })
    }
    const address = container.env?.find(({ name }) => name === PET_MASTER_ADDR)?.value
    // without it the first lost node would end the workers of all others for good
    const isLimited = container.env?.some(({ name }) => name === PET_MAX_RESTARTS)
    upsertEnv(container, [
      ...(isLimited ? [] : [{ name: PET_MAX_RESTARTS, value: String(DEFAULT_MAX_RESTARTS) }]),
      { name: PET_NNODES, value: `${minReplicas}:${maxReplicas}` },
      { name: PET_RDZV_BACKEND, value: 'c10d' },
      { name: PET_RDZV_ENDPOINT, value: `${address}:${TRAINER_PORT}` },
      { name: PET_RDZV_ID, value: info.trainJob.metadata.name ?? '' },
    ])
  },

  /** The bounds are looked at when it is rendered. */
  validate(info, _old, findings) {
    const { metadata, spec } = info.trainJob
    const text = metadata.annotations?.[NODES_ANNOTATION]
    if (text === undefined) return
    const path = `metadata.annotations[${NODES_ANNOTATION}]`
    if (numberIn(metadata, NODES_ANNOTATION) === undefined) {
      const message = `expected a number of nodes, found ${JSON.stringify(text)}: it is ignored`
      findings.warning({ path, code: 'nodes-not-a-number', message })
    } else if (elasticPolicy(info) === undefined) {
      const message = `expected an elastic runtime, and ${spec.runtimeRef.name} is none: the number of nodes stays as it is`
      findings.warning({ path, code: 'nodes-of-rigid-job', message })
    }
  },
}

function elasticPolicy({ mlPolicy, runtimeMetadata }: Info): ElasticPolicy | undefined {
  if (!mlPolicy?.torch) return undefined
  return readAnnotation({ metadata: runtimeMetadata }, ELASTIC_ANNOTATION) as ElasticPolicy | undefined
}
