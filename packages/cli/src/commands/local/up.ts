import { realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Invocation } from '../../command.ts'
import type { CommandIO } from '../../command-io.ts'
import { dataDir } from '../../connect/data-dir.ts'
import { ExitCode } from '../../exit-code.ts'
import { wholeNumber } from '../../whole-number.ts'

export interface LocalUpFlags {
  readonly name?: string
  readonly port?: string
  readonly workspace?: string
  readonly runner?: 'process' | 'podman' | 'docker'
  readonly enforceLimits?: boolean
  readonly hostPath?: readonly string[]
  readonly output?: 'text' | 'json'
}

/** Starts a cluster in the background and says how to use it; one that runs is left as it is. */
export async function localUp({ flags }: Invocation<LocalUpFlags>, io: CommandIO): Promise<ExitCode> {
  const name = flags.name ?? 'default'
  const port = flags.port === undefined ? {} : { port: wholeNumber('--port', flags.port) }
  const { up } = await import('@trainjob/local/daemon')
  const server = await up({
    name,
    dataDir: dataDir(io.env),
    workspace: resolve(io.cwd, flags.workspace ?? '.'),
    command: [process.execPath, realpathSync(process.argv[1] ?? ''), 'local', 'serve'],
    signal: io.signal,
    ...(flags.runner === undefined ? {} : { runner: flags.runner }),
    enforceLimits: flags.enforceLimits === true,
    hostPaths: (flags.hostPath ?? []).map((path) => resolve(io.cwd, path)),
    ...port,
  })
  if (flags.output === 'json') {
    io.stdout.write(`${JSON.stringify(server, null, 2)}\n`)
    return ExitCode.ok
  }
  const { program } = io
  const local = name === 'default' ? '--local' : `--local=${name}`
  io.stdout.write(`local cluster "${name}" ${server.started ? 'is up' : 'was up already'} at ${server.url}\n`)
  io.stderr.write(`Use it with "${program} apply ${local} -f FILE", "${program} get ${local}", or
  export KUBECONFIG=${server.kubeconfig}
Stop it with "${program} local down${name === 'default' ? '' : ` --name ${name}`}".\n`)
  return ExitCode.ok
}
