import { existsSync, readdirSync, readlinkSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { FolderView } from './root-plan.ts'

/** The file system of this machine. */
export const machineFolders: FolderView = {
  list(path) {
    try {
      return readdirSync(path, { withFileTypes: true }).map((entry) => {
        if (!entry.isSymbolicLink()) return { name: entry.name, kind: entry.isDirectory() ? 'folder' : 'other' }
        return { name: entry.name, kind: 'link', to: readlinkSync(join(path, entry.name)) }
      })
    } catch {
      return []
    }
  },
  exists: existsSync,
  isFolder(path) {
    try {
      return statSync(path).isDirectory()
    } catch {
      return false
    }
  },
}
