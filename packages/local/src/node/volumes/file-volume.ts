import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { KeyToPath } from '@trainjob/api'
import { pathInside } from './safe-path.ts'

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

/** Writes the files into `folder`. Returns what is wrong with the volume, if anything. */
export function writeFileVolume(folder: string, volume: FileVolume): string | undefined {
  mkdirSync(folder, { recursive: true })
  const items = volume.items ?? [...volume.files.keys()].map((key) => ({ key, path: key, mode: undefined }))
  for (const { key, path, mode } of items) {
    const content = volume.files.get(key)
    if (content === undefined) {
      if (volume.optional === true) continue
      return `references non-existent key: ${key}`
    }
    const file = pathInside(folder, path)
    if (file === undefined || file === folder) return `path ${JSON.stringify(path)} must stay inside of the volume`
    mkdirSync(dirname(file), { recursive: true })
    // Made anew: the file of the attempt before may be read-only, and its mode would stay.
    rmSync(file, { force: true })
    writeFileSync(file, content, { mode: mode ?? volume.mode ?? 0o644 })
  }
  return undefined
}
