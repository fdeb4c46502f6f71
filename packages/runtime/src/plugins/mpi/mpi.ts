import { type ConfigMap, LAUNCHER_NAME, NODE_NAME, type Secret } from '@trainjob/api'
import { base64 } from '../../base64.ts'
import { findFact } from '../../find-fact.ts'
import type { Info } from '../../info.ts'
import { ownerReference } from '../../owner.ts'
import type { ComponentBuilderPlugin, CustomValidationPlugin, EnforceMLPolicyPlugin, Plugin } from '../../plugin.ts'
import { HOSTFILE as HOSTFILE_TEMPLATE } from '../../templates/compiled.generated.ts'
import { template } from '../../templates/template.ts'
import {
  HOSTFILE,
  HOSTFILE_CONFIG_MAP_SUFFIX,
  SSH_PRIVATE_KEY,
  SSH_PUBLIC_KEY,
  SSH_SECRET_SUFFIX,
  SSH_SECRET_TYPE,
} from './constants.ts'
import { setCounts, slotsOf } from './counts.ts'
import { equipPods } from './pods.ts'
import { validateMpi } from './validate.ts'

/**
 * Open MPI: keys by which the launcher reaches the workers, the list of hosts, and the launcher's environment.
 * Source: kubeflow/trainer v2.3.0, pkg/runtime/framework/plugins/mpi.
 */
export const mpiPlugin: Plugin & EnforceMLPolicyPlugin & ComponentBuilderPlugin & CustomValidationPlugin = {
  name: 'mpi',

  enforceMLPolicy(info) {
    const mpi = info.mlPolicy?.mpi
    if (!mpi) return
    setCounts(info, mpi)
    const numProcPerNode = slotsOf(info, mpi)
    info.mlPolicy = { ...info.mlPolicy, mpi: { ...mpi, numProcPerNode } }
    equipPods(info, mpi, numProcPerNode)
  },

  build(info) {
    if (!info.mlPolicy?.mpi) return []
    const secret = findFact(info.facts, sshSecretKey(info)) ? [] : [sshSecret(info)]
    return [...secret, hostfile(info)]
  },

  factsWanted: ({ metadata }, { spec }) =>
    spec.mlPolicy?.mpi
      ? [{ ...SECRET, namespace: metadata.namespace ?? 'default', name: `${metadata.name}${SSH_SECRET_SUFFIX}` }]
      : [],

  validate: validateMpi,
}

const SECRET = { group: '', kind: 'Secret' } as const

function sshSecretKey({ trainJob, namespace }: Info) {
  return { ...SECRET, namespace, name: `${trainJob.metadata.name}${SSH_SECRET_SUFFIX}` }
}

const PLACEHOLDER = { privateKey: '(made by the controller)', publicKey: '(made by the controller)' }

/** It is made once and never changes. */
function sshSecret(info: Info): Secret {
  const { name, namespace } = sshSecretKey(info)
  const { privateKey, publicKey } = info.keys.ssh?.() ?? PLACEHOLDER
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, namespace, ownerReferences: [ownerReference(info.trainJob)] },
    data: { [SSH_PRIVATE_KEY]: base64(privateKey), [SSH_PUBLIC_KEY]: base64(publicKey) },
    immutable: true,
    type: SSH_SECRET_TYPE,
  }
}

const fillHostfile = template<{ readonly hosts: readonly string[]; readonly slots: number }>(HOSTFILE_TEMPLATE)

/** Every host with its number of processes. */
function hostfile({ trainJob, namespace, mlPolicy, podSets }: Info): ConfigMap {
  const { mpiImplementation = 'OpenMPI', runLauncherAsNode = false, numProcPerNode = 1 } = mlPolicy?.mpi ?? {}
  const hosts: string[] = []
  for (const { name, endpoints } of podSets) {
    const isNode = name === NODE_NAME || (runLauncherAsNode && name === LAUNCHER_NAME)
    if (isNode && mpiImplementation === 'OpenMPI') hosts.push(...endpoints())
  }
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name: `${trainJob.metadata.name}${HOSTFILE_CONFIG_MAP_SUFFIX}`,
      namespace,
      ownerReferences: [ownerReference(trainJob)],
    },
    data: { [HOSTFILE]: fillHostfile({ hosts, slots: numProcPerNode }) },
  }
}
