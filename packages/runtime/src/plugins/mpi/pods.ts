import { type Container, type EnvVar, LAUNCHER_NAME, type MPIPolicy, NODE_NAME, type Volume } from '@trainjob/api'
import { upsertEnv } from '../../env.ts'
import { RenderError } from '../../error.ts'
import type { Info } from '../../info.ts'
import { upsertVolumeMounts, upsertVolumes } from '../../volumes.ts'
import {
  DEFAULT_SSH_MOUNT_PATH,
  HOSTFILE,
  HOSTFILE_CONFIG_MAP_SUFFIX,
  HOSTFILE_FOLDER,
  HOSTFILE_MODE,
  HOSTFILE_VOLUME,
  MPI_JOBS,
  OMPI_ENV_LIST,
  OMPI_HOSTFILE,
  OMPI_KEEP_FQDN,
  OMPI_RSH_ARGS,
  OMPI_RSH_ARGS_VALUE,
  OMPI_SLOTS,
  SSH_DEFAULT_MODE,
  SSH_FILES,
  SSH_SECRET_SUFFIX,
  SSH_VOLUME,
} from './constants.ts'

/** Keys into launcher and workers; hostfile and environment into the launcher. Containers count when they are called `node`. */
export function equipPods(info: Info, mpi: MPIPolicy, slots: number): void {
  const job = info.trainJob.metadata.name ?? ''
  for (const { name, podSpec, containers } of info.podSets) {
    if (!MPI_JOBS.has(name)) continue
    const isLauncher = name === LAUNCHER_NAME
    upsertVolumes(podSpec, isLauncher ? [sshVolume(job), hostfileVolume(job)] : [sshVolume(job)])
    for (const container of containers) {
      if (container.name !== NODE_NAME) continue
      const keys = { name: SSH_VOLUME, mountPath: mpi.sshAuthMountPath ?? DEFAULT_SSH_MOUNT_PATH }
      upsertVolumeMounts(container, [keys])
      if (!isLauncher) continue
      upsertVolumeMounts(container, [{ name: HOSTFILE_VOLUME, mountPath: HOSTFILE_FOLDER }])
      assertOpenMpi(mpi)
      upsertEnv(container, launcherEnv(slots))
      if (info.deviates('env-in-mpi-workers')) forwardEnv(info, container)
    }
  }
}

function sshVolume(job: string): Volume {
  return {
    name: SSH_VOLUME,
    secret: {
      secretName: `${job}${SSH_SECRET_SUFFIX}`,
      defaultMode: SSH_DEFAULT_MODE,
      items: SSH_FILES.map((file) => ({ ...file })),
    },
  }
}

function hostfileVolume(job: string): Volume {
  return {
    name: HOSTFILE_VOLUME,
    configMap: {
      name: `${job}${HOSTFILE_CONFIG_MAP_SUFFIX}`,
      items: [{ key: HOSTFILE, path: HOSTFILE, mode: HOSTFILE_MODE }],
    },
  }
}

function launcherEnv(slots: number): readonly EnvVar[] {
  return [
    { name: OMPI_HOSTFILE, value: `${HOSTFILE_FOLDER}/${HOSTFILE}` },
    { name: OMPI_KEEP_FQDN, value: 'true' },
    { name: OMPI_SLOTS, value: String(slots) },
    { name: OMPI_RSH_ARGS, value: OMPI_RSH_ARGS_VALUE },
  ]
}

/**
 * Ranks on other hosts are started by sshd, which hands on nothing of its container's environment: the launcher must.
 * A command that names variables itself (`mpirun -x`) is left alone, because Open MPI refuses both together.
 */
function forwardEnv({ trainer, trainerEnv }: Info, container: Container): void {
  const names = trainerEnv.map(({ name }) => name)
  const words = [...(trainer?.command ?? container.command ?? []), ...(trainer?.args ?? container.args ?? [])]
  const isSet = [...trainerEnv, ...(container.env ?? [])].some(({ name }) => name === OMPI_ENV_LIST)
  if (names.length === 0 || isSet || words.some((word) => /(^|\s)-x(\s|$)/.test(word))) return
  upsertEnv(container, [{ name: OMPI_ENV_LIST, value: names.join(';') }])
}

function assertOpenMpi({ mpiImplementation = 'OpenMPI' }: MPIPolicy): void {
  if (mpiImplementation === 'OpenMPI') return
  throw new RenderError(
    'unsupported-mpi',
    'spec.mlPolicy.mpi.mpiImplementation',
    `Expected OpenMPI, found ${JSON.stringify(mpiImplementation)}: no other implementation is supported. Leave mpiImplementation out.`,
  )
}
