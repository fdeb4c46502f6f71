import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { CliError } from '../../cli-error.ts'
import type { Invocation } from '../../command.ts'
import type { CommandIO } from '../../command-io.ts'
import type { FileFlags } from '../../input/read-files.ts'
import { wholeNumber } from '../../whole-number.ts'

export interface RunFlags extends FileFlags {
  readonly nodes?: string
  readonly runtime?: string
  readonly name?: string
  readonly env?: readonly string[]
  readonly workspace?: string
  readonly runner?: RunOptions['runner']
  readonly enforceLimits?: boolean
  readonly data?: string
  readonly hostPath?: readonly string[]
  readonly fit: boolean
  readonly namespace?: string
  readonly force?: boolean
  readonly output?: 'json' | 'yaml'
}

/** What `run` is asked to do. */
export interface RunOptions {
  /** Either the files … */
  readonly files: FileFlags
  /** … or a command; neither where the runtime has a command of its own. */
  readonly command?: readonly string[]
  readonly nodes?: number
  /** Always there without files and command. */
  readonly runtime?: string
  readonly name?: string
  readonly env: readonly string[]
  /** Absolute, a folder. */
  readonly workspace: string
  readonly runner: 'process' | 'podman' | 'docker'
  readonly enforceLimits: boolean
  /** Where claims are kept; absolute. */
  readonly data?: string
  /** Absolute. */
  readonly hostPaths: readonly string[]
  readonly fit: boolean
  readonly namespace: string
  readonly force: boolean
  readonly output: 'text' | 'json' | 'yaml'
}

/** Checks the flags against each other. Throws `CliError` `usage`. */
export function readRunOptions({ flags, args, rest }: Invocation<RunFlags>, io: CommandIO): RunOptions {
  const files = {
    ...(flags.filename === undefined ? {} : { filename: flags.filename }),
    recursive: flags.recursive === true,
  }
  if (args.length > 0) {
    throw new CliError(
      'usage',
      `"${args[0]}" stands alone; a file wants -f, a command wants -- in front: ${io.program} run -- ${args.join(' ')}`,
    )
  }
  if (rest !== undefined && flags.filename !== undefined)
    throw new CliError('usage', 'give either -f FILE or -- COMMAND, not both.')
  if (rest === undefined && flags.filename === undefined && flags.runtime === undefined)
    throw new CliError('usage', `expected -f FILE or -- COMMAND; see "${io.program} run --help".`)
  if (rest !== undefined && rest.length === 0) throw new CliError('usage', 'expected a command behind --.')
  if (flags.filename !== undefined) {
    for (const flag of ['nodes', 'runtime', 'name', 'env'] as const) {
      if (flags[flag] !== undefined)
        throw new CliError('usage', `--${flag} belongs to a command behind --; in a file, say it there.`)
    }
  }
  return {
    files,
    env: flags.env ?? [],
    workspace: workspace(flags.workspace, io.cwd),
    runner: flags.runner ?? 'process',
    enforceLimits: flags.enforceLimits === true,
    hostPaths: (flags.hostPath ?? []).map((path) => resolve(io.cwd, path)),
    ...(flags.data === undefined ? {} : { data: resolve(io.cwd, flags.data) }),
    fit: flags.fit,
    namespace: flags.namespace ?? 'default',
    force: flags.force === true,
    output: flags.output ?? 'text',
    ...(rest === undefined ? {} : { command: rest }),
    ...(flags.nodes === undefined ? {} : { nodes: wholeNumber('--nodes', flags.nodes, 1) }),
    ...(flags.runtime === undefined ? {} : { runtime: flags.runtime }),
    ...(flags.name === undefined ? {} : { name: flags.name }),
  }
}

function workspace(dir: string | undefined, cwd: string): string {
  const path = resolve(cwd, dir ?? '.')
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined) throw new CliError('input', `--workspace ${dir ?? '.'}: there is no such folder`)
  if (!found.isDirectory()) throw new CliError('input', `--workspace ${dir ?? '.'}: not a folder`)
  return path
}
