import { ANCESTOR_TRAINER, type ConfigMap, type Volume } from '@trainjob/api'
import { upsertEnv } from '../../env.ts'
import { type Info, podSetOfAncestor } from '../../info.ts'
import { ownerReference } from '../../owner.ts'
import type { ComponentBuilderPlugin, EnforceMLPolicyPlugin, Plugin } from '../../plugin.ts'
import { upsertVolumeMounts, upsertVolumes } from '../../volumes.ts'
import {
  AUDIENCE_PREFIX,
  CA_FILE,
  CONFIG_MAP_SUFFIX,
  MOUNT_PATH,
  SERVER_CA_CERT,
  SERVER_TOKEN,
  SERVER_URL,
  TOKEN_FILE,
  TOKEN_SECONDS,
  TOKEN_VOLUME,
} from './constants.ts'

/**
 * Address, certificate and token of the server to which training code reports its progress.
 * Source: kubeflow/trainer v2.3.0, pkg/runtime/framework/plugins/trainjobstatus.
 */
export const trainJobStatusPlugin: Plugin & EnforceMLPolicyPlugin & ComponentBuilderPlugin = {
  name: 'trainjob-status',

  enforceMLPolicy(info) {
    const trainer = podSetOfAncestor(info, ANCESTOR_TRAINER)
    if (!info.statusServer || !trainer) return
    const { namespace } = info
    const name = info.trainJob.metadata.name ?? ''
    for (const container of trainer.containers) {
      upsertEnv(container, [
        {
          name: SERVER_URL,
          value: `${info.statusServer.url}/apis/trainer.kubeflow.org/v1alpha1/namespaces/${namespace}/trainjobs/${name}/status`,
        },
        { name: SERVER_CA_CERT, value: `${MOUNT_PATH}/${CA_FILE}` },
        { name: SERVER_TOKEN, value: `${MOUNT_PATH}/${TOKEN_FILE}` },
      ])
      upsertVolumeMounts(container, [{ name: TOKEN_VOLUME, mountPath: MOUNT_PATH, readOnly: true }])
    }
    upsertVolumes(trainer.podSpec, [tokenVolume(namespace, name)])
  },

  build(info) {
    return info.statusServer ? [certificate(info, info.statusServer.caCertificate)] : []
  },
}

function tokenVolume(namespace: string, name: string): Volume {
  return {
    name: TOKEN_VOLUME,
    projected: {
      sources: [
        {
          serviceAccountToken: {
            audience: `${AUDIENCE_PREFIX}/v1alpha1/namespaces/${namespace}/trainjobs/${name}/status`,
            expirationSeconds: TOKEN_SECONDS,
            path: TOKEN_FILE,
          },
        },
        { configMap: { name: `${name}${CONFIG_MAP_SUFFIX}`, items: [{ key: CA_FILE, path: CA_FILE }] } },
      ],
    },
  }
}

function certificate({ trainJob, namespace }: Info, caCertificate: string): ConfigMap {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name: `${trainJob.metadata.name}${CONFIG_MAP_SUFFIX}`,
      namespace,
      ownerReferences: [ownerReference(trainJob)],
    },
    data: { [CA_FILE]: caCertificate },
  }
}
