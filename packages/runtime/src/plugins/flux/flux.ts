import { ANCESTOR_TRAINER, type ConfigMap, NODE_NAME } from '@trainjob/api'
import { RenderError } from '../../error.ts'
import { type Info, podSetOfAncestor } from '../../info.ts'
import { ownerReference } from '../../owner.ts'
import type { ComponentBuilderPlugin, CustomValidationPlugin, EnforceMLPolicyPlugin, Plugin } from '../../plugin.ts'
import { ENTRYPOINT_SCRIPT, ENTRYPOINT_SUFFIX, INIT_SCRIPT, INSTALLER_NAME } from './constants.ts'
import { curveSecret } from './curve-secret.ts'
import { equipPods, wrapCommand } from './pods.ts'
import { entrypointScript, initScript } from './scripts.ts'
import { fluxBounds, fluxSize } from './settings.ts'

/**
 * The Flux workload manager: brokers on all nodes, the first of which runs the job's command on them.
 * Source: kubeflow/trainer v2.3.0, pkg/runtime/framework/plugins/flux.
 */
export const fluxPlugin: Plugin & EnforceMLPolicyPlugin & ComponentBuilderPlugin & CustomValidationPlugin = {
  name: 'flux',

  enforceMLPolicy(info) {
    if (!info.mlPolicy?.flux) return
    assertNodes(info)
    keepBounds(info)
    equipPods(info)
    wrapCommand(info)
  },

  build(info) {
    return info.mlPolicy?.flux ? [scripts(info), curveSecret(info)] : []
  },

  validate(info, _old, findings) {
    if (!info.mlPolicy?.flux) return
    const { processes } = fluxSize(info)
    if (processes < 1) {
      findings.error({
        path: 'spec.trainer.numProcPerNode',
        code: 'invalid-value',
        message: `expected at least 1 process per node, found ${processes}`,
      })
    }
    const isTaken = info.podSets.some(
      ({ name, initContainers }) =>
        name === NODE_NAME && initContainers.some((container) => container.name === INSTALLER_NAME),
    )
    if (!isTaken) return
    findings.error({
      path: 'spec.trainer.initContainers',
      code: 'reserved-name',
      message: `expected no init container ${INSTALLER_NAME} in the runtime: the flux policy adds one of that name; give it another name`,
    })
  },
}

/** Upstream's controller crashes where these are missing. */
function assertNodes(info: Info): void {
  if (info.trainJob.spec.trainer?.numNodes !== undefined || info.deviates('flux-without-trainer')) return
  throw new RenderError(
    'flux-needs-nodes',
    'spec.trainer.numNodes',
    'Expected spec.trainer.numNodes, which Kubeflow Trainer needs with the flux policy; found none. Set it.',
  )
}

/** As many pods as the runtime's clusters may have brokers; upstream knows no bounds. */
function keepBounds(info: Info): void {
  const podSet = podSetOfAncestor(info, ANCESTOR_TRAINER)
  const bounds = fluxBounds(info)
  if (podSet === undefined || bounds === undefined) return
  const wanted = podSet.count
  podSet.count = fluxSize(info).nodes
  if (podSet.count === wanted) return
  info.warnings.push({
    path: 'spec.trainer.numNodes',
    code: 'nodes-out-of-bounds',
    message: `expected ${bounds.min} to ${bounds.max} nodes, found ${wanted}: the job gets ${podSet.count}`,
  })
}

function scripts(info: Info): ConfigMap {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name: `${info.trainJob.metadata.name}${ENTRYPOINT_SUFFIX}`,
      namespace: info.namespace,
      ownerReferences: [ownerReference(info.trainJob)],
    },
    data: { [ENTRYPOINT_SCRIPT]: entrypointScript(info), [INIT_SCRIPT]: initScript(info) },
  }
}
