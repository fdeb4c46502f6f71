import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Volume } from '@trainjob/api'
import { type ConfigReader, loadConfigSources } from '../env/config-sources.ts'
import type { DownwardContext } from './downward-files.ts'
import { prepareVolume, type VolumeFolders } from './prepare-volume.ts'

/** Writes the files of a pod's volumes anew, of those that a container has had. What is missing now stays as it was. */
export async function refreshVolumes(
  folders: VolumeFolders,
  reader: ConfigReader,
  context: DownwardContext,
  signal: AbortSignal,
): Promise<void> {
  const { pod } = context
  const volumes = (pod.spec.volumes ?? []).filter(
    (volume) => hasFiles(volume) && existsSync(join(folders.pod, 'volumes', volume.name)),
  )
  if (volumes.length === 0) return
  const sources = await loadConfigSources(reader, pod, { name: '' }, volumes, signal)
  // it may be gone meanwhile
  for (const volume of volumes) if (existsSync(folders.pod)) prepareVolume(volume, folders, sources, context)
}

function hasFiles({ configMap, secret, downwardAPI, projected }: Volume): boolean {
  return (configMap ?? secret ?? downwardAPI ?? projected) !== undefined
}
