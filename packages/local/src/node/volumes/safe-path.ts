import { realpathSync } from 'node:fs'
import { join, sep } from 'node:path'

/**
 * The path of `relative` inside of `folder`, or `undefined` when it would lead out of it: an absolute path, a `..`, or
 * a symbolic link to somewhere else.
 */
export function pathInside(folder: string, relative: string): string | undefined {
  if (relative.startsWith('/') || relative.includes('\0')) return undefined
  const parts = relative.split('/').filter((part) => part !== '' && part !== '.')
  if (parts.includes('..')) return undefined
  const root = realpathSync(folder)
  // The deepest part that exists decides: what does not exist yet cannot be a link.
  for (let depth = parts.length; depth > 0; depth--) {
    try {
      const real = realpathSync(join(folder, ...parts.slice(0, depth)))
      if (real !== root && !real.startsWith(root + sep)) return undefined
      break
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') return undefined
    }
  }
  return join(folder, ...parts)
}
