import { join } from 'node:path'
import { CliError } from '../cli-error.ts'
import type { CommandIO } from '../command-io.ts'
import { dataDir } from './data-dir.ts'

// not imported: that would load node:fs/promises, too
const { existsSync } = process.getBuiltinModule('node:fs')

/** Folder in which an embedded cluster in the background keeps everything. */
export function localDir(name: string, env: CommandIO['env']): string {
  if (!/^[a-z0-9]([a-z0-9-]{0,40}[a-z0-9])?$/.test(name)) {
    throw new CliError('usage', `"${name}" is no name for a local cluster; use small letters, digits and "-".`)
  }
  return join(dataDir(env), 'clusters', name)
}

/** The kubeconfig of an embedded cluster in the background. Throws `CliError` `not-found` when none runs. */
export function localKubeconfigFile(name: string, io: CommandIO): string {
  const file = join(localDir(name, io.env), 'kubeconfig')
  if (existsSync(file)) return file
  throw new CliError('not-found', notRunning(name, io))
}

/** What to say of a local cluster that is not there. */
export function notRunning(name: string, io: Pick<CommandIO, 'program'>): string {
  const flag = name === 'default' ? '' : ` --name ${name}`
  return `the local cluster "${name}" does not run. Start it with "${io.program} local up${flag}".`
}
