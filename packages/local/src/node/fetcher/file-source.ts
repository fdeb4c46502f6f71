import type { Stats } from 'node:fs'
import { createReadStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { basename, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { FetchError } from './fetch-error.ts'
import type { RemoteFile, Source } from './remote-file.ts'

/** A file of this machine, or everything below a folder. @param place where a path of the container is on this machine */
export function fileSource(uri: string, place: (path: string) => string): Source {
  let path: string
  try {
    path = fileURLToPath(uri)
  } catch (cause) {
    throw new FetchError(`${uri} names no file of this machine: expected file:///absolute/path`, { cause })
  }
  const root = place(path)
  return {
    name: path,
    async list() {
      const found = await statOf(root)
      if (found === undefined) throw new FetchError(`${path} does not exist on this machine`)
      if (found.isFile()) return [localFile(root, basename(root), found.size, found.mtimeMs)]
      const entries = await readdir(root, { recursive: true, withFileTypes: true })
      const files: RemoteFile[] = []
      for (const entry of entries) {
        if (entry.isDirectory()) continue
        const at = join(entry.parentPath, entry.name)
        // a link is what it leads to; folders behind links are left out, they may lead in circles
        const about = await statOf(at)
        if (about?.isFile() === true) files.push(localFile(at, relative(root, at), about.size, about.mtimeMs))
      }
      return files
    },
  }
}

function localFile(at: string, path: string, size: number, mtimeMs: number): RemoteFile {
  return {
    path,
    size,
    version: `${size}-${mtimeMs}`,
    open: async (from) => ({ from, size, chunks: createReadStream(at, { start: from }) }),
  }
}

async function statOf(path: string): Promise<Stats | undefined> {
  try {
    return await stat(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new FetchError(`${path} cannot be read: ${(error as Error).message}`, { cause: error })
  }
}
