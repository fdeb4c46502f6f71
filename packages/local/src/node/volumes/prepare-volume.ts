import { existsSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import type { Volume } from '@trainjob/api'
import { type Attempt, configFault } from '../config-fault.ts'
import type { ConfigSources } from '../env/config-sources.ts'
import { writeAtomicFiles } from './atomic-files.ts'
import type { DownwardContext } from './downward-files.ts'
import { type FileVolume, filesOf } from './file-volume.ts'
import { projectedFiles, sourceFiles } from './volume-files.ts'

/** Where volumes live on this machine. */
export interface VolumeFolders {
  /** Of the pod: its volumes go with it. */
  readonly pod: string
  /** Of the namespace's claims: they stay. */
  readonly claims: string
  /** The only folders that hostPath may name or lead into: the user's project, and what is allowed besides. */
  readonly hostPaths: readonly string[]
}

/** Makes the folder of a volume, with its files, and says where it is. Safe to repeat. */
export function prepareVolume(
  volume: Volume,
  folders: VolumeFolders,
  sources: ConfigSources,
  context: DownwardContext,
): Attempt<string> {
  const folder = join(folders.pod, 'volumes', volume.name)
  if (volume.emptyDir !== undefined) return made(folder)
  const files: readonly FileVolume[] | string | undefined =
    volume.projected === undefined
      ? inList(sourceFiles(volume, sources, context))
      : projectedFiles(volume.projected.sources ?? [], volume.projected.defaultMode, sources, context)
  if (files !== undefined) {
    const written = typeof files === 'string' ? files : filesOf(files)
    if (typeof written === 'string') return missing(volume, written)
    writeAtomicFiles(folder, written)
    return { ok: true, value: folder }
  }
  if (volume.persistentVolumeClaim !== undefined) {
    const { claimName } = volume.persistentVolumeClaim
    if (!/^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/.test(claimName)) {
      return missing(volume, `${JSON.stringify(claimName)} is no name of a claim`)
    }
    return made(join(folders.claims, claimName))
  }
  if (volume.hostPath !== undefined) return hostPath(volume, volume.hostPath, folders.hostPaths)
  const kind = Object.keys(volume).find((key) => key !== 'name') ?? 'without a source'
  return missing(
    volume,
    `${kind} is not available on this machine; use emptyDir, configMap, secret, projected, downwardAPI, persistentVolumeClaim or hostPath`,
  )
}

function hostPath(volume: Volume, at: NonNullable<Volume['hostPath']>, hostPaths: readonly string[]): Attempt<string> {
  const { path, type = '' } = at
  const allowed = hostPaths.filter((folder) => existsSync(folder)).map((folder) => realpathSync(folder))
  const create = type === 'DirectoryOrCreate' || type === 'FileOrCreate'
  let parent = path
  while (create && !existsSync(parent) && dirname(parent) !== parent) parent = dirname(parent)
  const real = path.startsWith('/') && existsSync(parent) ? realpathSync(parent) + path.slice(parent.length) : undefined
  const inside = allowed.some((folder) => real === folder || real?.startsWith(folder === sep ? sep : folder + sep))
  if (allowed.length === 0 || (real !== undefined && !inside)) {
    const where = allowed.length === 0 ? 'there is none' : allowed.join(', ')
    return missing(
      volume,
      `hostPath ${path} is outside of the project folder (${where}); only paths inside are allowed`,
    )
  }
  if (real === undefined || real.includes(`${sep}..${sep}`)) {
    return missing(volume, `hostPath ${path} does not exist`)
  }
  if (type === 'DirectoryOrCreate') mkdirSync(real, { recursive: true })
  if (type === 'FileOrCreate' && !existsSync(real)) {
    mkdirSync(dirname(real), { recursive: true })
    writeFileSync(real, '')
  }
  return { ok: true, value: real }
}

function inList(files: FileVolume | string | undefined): readonly FileVolume[] | string | undefined {
  return files === undefined || typeof files === 'string' ? files : [files]
}

function made(folder: string): Attempt<string> {
  mkdirSync(folder, { recursive: true })
  return { ok: true, value: folder }
}

function missing(volume: Volume, message: string): Attempt<string> {
  return configFault(`volume ${volume.name}: ${message}`)
}
