import type { KeyToPath } from '@trainjob/api'
import type { VolumeFile } from './atomic-files.ts'

/** What a volume of files (configMap, secret) consists of. */
export interface FileVolume {
  /** Content by key. */
  readonly files: ReadonlyMap<string, Buffer>
  /** Which keys appear, and where; all of them under their own names when left out. */
  readonly items?: readonly KeyToPath[] | undefined
  /** Mode of the files, 0644 when left out. */
  readonly mode?: number | undefined
  /** A key in `items` that does not exist is left out instead of being a fault. */
  readonly optional?: boolean | undefined
}

/** The files by their paths, or what is wrong with the volume. Of two with one path the later is meant. */
export function filesOf(volumes: readonly FileVolume[]): ReadonlyMap<string, VolumeFile> | string {
  const files = new Map<string, VolumeFile>()
  for (const volume of volumes) {
    const items = volume.items ?? [...volume.files.keys()].map((key) => ({ key, path: key, mode: undefined }))
    for (const { key, path, mode } of items) {
      const content = volume.files.get(key)
      if (content === undefined) {
        if (volume.optional === true) continue
        return `references non-existent key: ${key}`
      }
      const parts = path.split('/').filter((part) => part !== '' && part !== '.')
      // names that begin with two dots are the volume's own
      if (path.startsWith('/') || path.includes('\0') || parts.includes('..') || !isName(parts[0])) {
        return `path ${JSON.stringify(path)} must stay inside of the volume`
      }
      files.set(parts.join('/'), { content, mode: mode ?? volume.mode ?? 0o644 })
    }
  }
  return files
}

function isName(part: string | undefined): boolean {
  return part !== undefined && !part.startsWith('..')
}
