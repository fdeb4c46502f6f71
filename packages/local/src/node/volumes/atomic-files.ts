import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'

/** What a file of a volume is. */
export interface VolumeFile {
  readonly content: Buffer
  readonly mode: number
}

/** Link to the folder with the files of now. */
const DATA = '..data'
/** What a new link is called before it takes the place of the old one. */
const NEW_DATA = '..data_new'
/** Folders with files of some time begin with it. */
const VERSION = '..v'

/**
 * Makes `files`, by their paths, all that is in a folder, in one step: readers see either all the old or all the new
 * ones. As a kubelet does it: each name is a link into `..data`, which is a link to a folder that never changes. Nothing
 * happens when the files are there already.
 */
export function writeAtomicFiles(folder: string, files: ReadonlyMap<string, VolumeFile>): void {
  mkdirSync(folder, { recursive: true })
  const before = versionOf(folder)
  if (before !== undefined && isSame(join(folder, before), files)) return
  const version = mkdtempSync(join(folder, VERSION))
  chmodSync(version, 0o755)
  for (const [path, { content, mode }] of files) {
    const file = join(version, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, content, { mode })
    // whatever the user's mask takes away
    chmodSync(file, mode)
  }
  rmSync(join(folder, NEW_DATA), { recursive: true, force: true })
  symlinkSync(basename(version), join(folder, NEW_DATA))
  renameSync(join(folder, NEW_DATA), join(folder, DATA))
  linkNames(folder, new Set([...files.keys()].map((path) => path.split('/', 1)[0] as string)))
  if (before !== undefined) rmSync(join(folder, before), { recursive: true, force: true })
}

/** Name of the folder that has the files of now. */
function versionOf(folder: string): string | undefined {
  try {
    const version = readlinkSync(join(folder, DATA))
    // a container may have put anything in its place
    return version.startsWith(VERSION) && basename(version) === version ? version : undefined
  } catch {
    return undefined
  }
}

function isSame(version: string, files: ReadonlyMap<string, VolumeFile>): boolean {
  try {
    let count = 0
    for (const entry of readdirSync(version, { recursive: true, withFileTypes: true })) {
      if (entry.isDirectory()) continue
      const path = join(entry.parentPath, entry.name)
      const file = files.get(relative(version, path))
      if (file === undefined || !file.content.equals(readFileSync(path))) return false
      if ((statSync(path).mode & 0o777) !== file.mode) return false
      count++
    }
    return count === files.size
  } catch {
    return false
  }
}

function linkNames(folder: string, names: ReadonlySet<string>): void {
  for (const entry of readdirSync(folder)) {
    if (!entry.startsWith('..') && !names.has(entry)) rmSync(join(folder, entry), { recursive: true, force: true })
  }
  for (const name of names) {
    const path = join(folder, name)
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true) continue
    rmSync(path, { recursive: true, force: true })
    symlinkSync(join(DATA, name), path)
  }
}
