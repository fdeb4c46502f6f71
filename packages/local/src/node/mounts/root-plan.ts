import { posix } from 'node:path'
import type { Mount } from '../runner.ts'

/** What of the machine's file system the plan looks at. */
export interface FolderView {
  /** Entries of a folder; empty when it is none or may not be read. */
  list(path: string): readonly FolderEntry[]
  exists(path: string): boolean
  isFolder(path: string): boolean
}

interface FolderEntry {
  readonly name: string
  readonly kind: 'folder' | 'link' | 'other'
  /** Where a link points to. */
  readonly to?: string
}

/** A file system view of its own for one container. All paths in `folders`, `files` and `links` are below the new root. */
export interface RootPlan {
  /** A new root is needed; otherwise the mounts go over the machine's own tree. */
  readonly newRoot: boolean
  readonly folders: readonly string[]
  readonly files: readonly string[]
  readonly links: readonly { readonly path: string; readonly to: string }[]
  /** In order. */
  readonly binds: readonly Mount[]
}

/**
 * How to show `mounts` at their targets without creating anything on the machine. Targets that exist are mounted over.
 * For one that does not, the folders above it are rebuilt as a skeleton in which everything else is bound: what is
 * below `/home` stays the machine's, only the missing name is added.
 */
export function planRoot(mounts: readonly Mount[], view: FolderView): RootPlan {
  const ordered = [...mounts].sort((a, b) => a.target.length - b.target.length)
  // A target inside of another mount exists there: whoever prepares the volumes has made it.
  const outer = ordered.filter((m) => !ordered.some((other) => other !== m && m.target.startsWith(`${other.target}/`)))
  const rebuilt = new Set<string>()
  for (const { target } of outer) {
    if (view.exists(target)) continue
    for (let at = posix.dirname(target); ; at = posix.dirname(at)) {
      rebuilt.add(at)
      if (at === '/') break
    }
  }
  if (rebuilt.size === 0) return { newRoot: false, folders: [], files: [], links: [], binds: ordered }

  const folders: string[] = []
  const files: string[] = []
  const links: { path: string; to: string }[] = []
  const binds: Mount[] = []
  const visit = (folder: string): void => {
    for (const { name, kind, to } of view.list(folder)) {
      const path = posix.join(folder, name)
      if (kind === 'link') links.push({ path, to: to as string })
      else if (rebuilt.has(path)) {
        folders.push(path)
        visit(path)
      } else {
        if (kind === 'folder') folders.push(path)
        else files.push(path)
        binds.push({ source: path, target: path })
      }
    }
  }
  visit('/')
  for (const { target, source } of outer) {
    if (view.exists(target)) continue
    if (view.isFolder(source)) folders.push(target)
    else {
      folders.push(posix.dirname(target))
      files.push(target)
    }
  }
  return { newRoot: true, folders, files, links, binds: [...binds, ...ordered] }
}
