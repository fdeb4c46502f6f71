import { ANCESTOR_TRAINER, type Container, NODE_NAME, type Volume } from '@trainjob/api'
import { containerOfAncestor, type Info } from '../../info.ts'
import { upsertVolumeMounts, upsertVolumes } from '../../volumes.ts'
import {
  CONFIG_FOLDER,
  CURVE_FOLDER,
  CURVE_MODE,
  CURVE_SECRET_SUFFIX,
  CURVE_VOLUME,
  ENTRYPOINT_SCRIPT,
  ENTRYPOINT_SUFFIX,
  INIT_SCRIPT,
  INSTALL_FOLDER,
  INSTALL_VOLUME,
  INSTALLER_NAME,
  MEMORY_FOLDER,
  MEMORY_VOLUME,
  SCRIPT_MODE,
  SOFTWARE_FOLDER,
  SOFTWARE_VOLUME,
} from './constants.ts'
import { brokerSettings } from './settings.ts'

/** The command of the job becomes an argument of the entry script. Arguments of the runtime stay behind it. */
export function wrapCommand(info: Info): void {
  const { args: _, ...trainer } = info.trainer ?? {}
  info.trainer = { ...trainer, command: ['/bin/bash', `${CONFIG_FOLDER}/${ENTRYPOINT_SCRIPT}`, writtenCommand(info)] }
}

function writtenCommand(info: Info): string {
  const command = info.trainer?.command ?? containerOfAncestor(info, ANCESTOR_TRAINER, NODE_NAME)?.command ?? []
  return [...command, ...(info.trainer?.args ?? [])].join(' ').trim()
}

/** An init container that installs Flux, and what it shares with the container that trains. */
export function equipPods(info: Info): void {
  const job = info.trainJob.metadata.name ?? ''
  const scripts = `${job}${ENTRYPOINT_SUFFIX}`
  const installer = installerOf(scripts, brokerSettings(info).FLUX_VIEW_IMAGE)
  for (const podSet of info.podSets) {
    if (podSet.name !== NODE_NAME) continue
    upsertVolumes(podSet.podSpec, volumesOf(job, scripts))
    podSet.initContainers.push({ ...installer })
    podSet.podSpec.initContainers = podSet.initContainers
    for (const container of podSet.containers) {
      if (container.name !== NODE_NAME) continue
      upsertVolumeMounts(container, [
        { name: INSTALL_VOLUME, mountPath: INSTALL_FOLDER },
        { name: SOFTWARE_VOLUME, mountPath: SOFTWARE_FOLDER },
        { name: scripts, mountPath: CONFIG_FOLDER, readOnly: true },
        { name: CURVE_VOLUME, mountPath: CURVE_FOLDER, readOnly: true },
        { name: MEMORY_VOLUME, mountPath: MEMORY_FOLDER, readOnly: true },
      ])
    }
  }
}

function installerOf(scripts: string, image: string): Container {
  return {
    name: INSTALLER_NAME,
    ...(image !== '' && { image }),
    command: ['/bin/bash', `${CONFIG_FOLDER}/${INIT_SCRIPT}`],
    volumeMounts: [
      { name: INSTALL_VOLUME, mountPath: INSTALL_FOLDER },
      { name: scripts, mountPath: CONFIG_FOLDER, readOnly: true },
    ],
  }
}

function volumesOf(job: string, scripts: string): readonly Volume[] {
  return [
    { name: SOFTWARE_VOLUME, emptyDir: {} },
    { name: INSTALL_VOLUME, emptyDir: {} },
    { name: scripts, configMap: { name: scripts, defaultMode: SCRIPT_MODE } },
    { name: MEMORY_VOLUME, emptyDir: { medium: 'Memory' } },
    { name: CURVE_VOLUME, secret: { secretName: `${job}${CURVE_SECRET_SUFFIX}`, defaultMode: CURVE_MODE } },
  ]
}
