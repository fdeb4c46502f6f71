import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createPublicNames, type PublicName } from './public-names.ts'

/** Absolute path of the repository. */
export const root: string = join(import.meta.dirname, '../..')

/** A published package. */
export interface Package {
  /** `packages/api`. */
  readonly folder: string
  readonly name: string
  /** What can be imported: from `@trainjob/api`, `@trainjob/api/parse`, and so on. */
  readonly modules: ReadonlyMap<string, ReadonlyMap<string, PublicName>>
}

/** Reads the packages and what they export. */
export function readPackages(): Package[] {
  const names = createPublicNames()
  return files('packages/*/package.json').map((file) => {
    const manifest = JSON.parse(read(file)) as { name: string; exports: Record<string, string> }
    const folder = file.replace(/\/package\.json$/, '')
    const modules = Object.entries(manifest.exports).filter(([, source]) => source.endsWith('.ts'))
    return {
      folder,
      name: manifest.name,
      modules: new Map(
        modules.map(([path, source]) => [manifest.name + path.slice(1), names.of(join(root, folder, source))]),
      ),
    }
  })
}

/** Paths of the repository that match, in alphabetical order, nothing of dependencies and builds among them. */
export function files(...patterns: readonly string[]): string[] {
  return globSync(patterns, { cwd: root, exclude: ['**/node_modules/**', '**/dist/**', '**/build/**'] }).toSorted()
}

/** The text of a file of the repository. */
export function read(file: string): string {
  return readFileSync(join(root, file), 'utf8')
}
