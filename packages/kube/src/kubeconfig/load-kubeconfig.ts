import { readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { KubeError } from '../error.ts'
import type { Kubeconfig } from './kubeconfig.ts'
import { mergeKubeconfigs } from './merge-kubeconfigs.ts'
import { parseKubeconfig } from './parse-kubeconfig.ts'

/** Environment variables, like `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Where to look for kubeconfig files. */
export interface LoadKubeconfigOptions {
  /** One file, which must exist. Otherwise the list in `KUBECONFIG`, else `~/.kube/config`; missing files are ignored. */
  readonly path?: string
  /** `process.env` by default. */
  readonly env?: Environment
  readonly homeDir?: string
}

/**
 * Reads and merges the kubeconfig files that kubectl would. Answers `undefined` when there is none.
 * Throws `KubeError` (`config`) for files that cannot be read or understood.
 *
 * @example
 * const kubeconfig = await loadKubeconfig()
 * kubeconfig?.['current-context'] // => 'trainjob-local'
 * await loadKubeconfig({ path: '/nowhere/config' }) // throws config
 */
export async function loadKubeconfig(options: LoadKubeconfigOptions = {}): Promise<Kubeconfig | undefined> {
  const { env = process.env, homeDir = env.HOME ?? homedir() } = options
  const files =
    options.path !== undefined
      ? [options.path]
      : (env.KUBECONFIG ?? '') !== ''
        ? (env.KUBECONFIG ?? '').split(delimiter).filter((path) => path !== '')
        : [join(homeDir, '.kube', 'config')]
  const configs = await Promise.all(files.map((file) => readOne(resolve(file), options.path !== undefined)))
  const found = configs.filter((config) => config !== undefined)
  return found.length === 0 ? undefined : mergeKubeconfigs(found)
}

async function readOne(file: string, required: boolean): Promise<Kubeconfig | undefined> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' && !required) return undefined
    const found = code === 'ENOENT' ? 'no such file' : (error as Error).message
    throw new KubeError(
      'config',
      `expected a kubeconfig at ${file}, found: ${found}; check --kubeconfig or KUBECONFIG`,
      {
        cause: error,
      },
    )
  }
  return parseKubeconfig(text, file)
}
