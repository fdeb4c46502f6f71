import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** The program as it is published, in a folder of its own. */
export interface PackedProgram {
  /** The launcher. */
  readonly file: string
  /** Empty, for everything that a run leaves. */
  readonly home: string
  remove(): void
}

/** The launcher of the sources. */
export const sourceProgram: string = join(root, 'packages', 'cli', 'bin', 'trainjob.js')

/** Builds the packages and lays out what the tarball of the program holds, away from the workspace's modules. */
export function packProgram(): PackedProgram {
  execFileSync(process.execPath, [join(root, 'node_modules', 'tsdown', 'dist', 'run.mjs')], {
    cwd: root,
    stdio: 'ignore',
  })
  const dir = mkdtempSync(join(tmpdir(), 'trainjob-bench-'))
  cpSync(join(root, 'packages', 'cli', 'dist'), join(dir, 'dist'), { recursive: true })
  return {
    file: join(dir, 'dist', 'trainjob.mjs'),
    home: join(dir, 'home'),
    remove: () => rmSync(dir, { recursive: true, force: true }),
  }
}
