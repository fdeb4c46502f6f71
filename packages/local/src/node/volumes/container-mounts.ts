import { mkdirSync } from 'node:fs'
import { posix } from 'node:path'
import type { Container, Pod } from '@trainjob/api'
import { type Attempt, configFault } from '../config-fault.ts'
import type { ConfigSources } from '../env/config-sources.ts'
import type { Mount } from '../runner.ts'
import type { DownwardContext } from './downward-files.ts'
import { prepareVolume, type VolumeFolders } from './prepare-volume.ts'
import { pathInside } from './safe-path.ts'

/** Jobs ask for more shared memory with a volume here; a process has all of the machine's. */
const SHARED_MEMORY = '/dev/shm'

/** The volumes that a container mounts. */
export function mountedVolumes(pod: Pod, container: Container): NonNullable<Pod['spec']['volumes']> {
  if (container.volumeMounts === undefined || container.volumeMounts.length === 0) return []
  const names = new Set(container.volumeMounts.map((mount) => mount.name))
  return (pod.spec.volumes ?? []).filter((volume) => names.has(volume.name))
}

/** Prepares the volumes of a container, and says what has to appear where. */
export function containerMounts(
  pod: Pod,
  container: Container,
  folders: VolumeFolders,
  sources: ConfigSources,
  context: DownwardContext,
): Attempt<readonly Mount[]> {
  const prepared = new Map<string, string>()
  for (const volume of mountedVolumes(pod, container)) {
    const folder = prepareVolume(volume, folders, sources, context)
    if (!folder.ok) return folder
    prepared.set(volume.name, folder.value)
  }
  const mounts: Mount[] = []
  for (const { name, mountPath, subPath, readOnly } of container.volumeMounts ?? []) {
    const folder = prepared.get(name)
    if (folder === undefined)
      return configFault(`container ${container.name} mounts volume ${name}, which the pod does not have`)
    const target = posix.normalize(mountPath).replace(/(?<=.)\/$/, '')
    if (!target.startsWith('/') || target === '/') {
      return configFault(`mountPath ${JSON.stringify(mountPath)} of volume ${name} must be an absolute path below /`)
    }
    if (target === SHARED_MEMORY && isMemory(pod, name)) continue
    const source = subPath === undefined || subPath === '' ? folder : pathInside(folder, subPath)
    if (source === undefined)
      return configFault(`subPath ${JSON.stringify(subPath)} must stay inside of volume ${name}`)
    if (source !== folder) mkdirUnlessFile(source)
    mounts.push({ source, target, ...(readOnly === undefined ? {} : { readOnly }) })
  }
  return { ok: true, value: mounts }
}

function isMemory(pod: Pod, volume: string): boolean {
  return pod.spec.volumes?.find(({ name }) => name === volume)?.emptyDir?.medium === 'Memory'
}

/** A subPath that does not exist becomes a folder; one that names a file is left as it is. */
function mkdirUnlessFile(path: string): void {
  try {
    mkdirSync(path, { recursive: true })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}
