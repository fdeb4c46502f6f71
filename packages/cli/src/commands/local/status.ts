import type { Invocation } from '../../command.ts'
import type { CommandIO } from '../../command-io.ts'
import { dataDir } from '../../connect/data-dir.ts'
import { ExitCode } from '../../exit-code.ts'
import { age } from '../../output/age.ts'

export interface LocalStatusFlags {
  readonly name?: string
  readonly output?: 'text' | 'json'
}

/** Says whether a cluster runs in the background, and where. */
export async function localStatus({ flags }: Invocation<LocalStatusFlags>, io: CommandIO): Promise<ExitCode> {
  const { status } = await import('@trainjob/local/daemon')
  const server = await status({ name: flags.name ?? 'default', dataDir: dataDir(io.env) })
  if (flags.output === 'json') {
    io.stdout.write(`${JSON.stringify(server, null, 2)}\n`)
  } else if (server.state === 'running') {
    io.stdout.write(`local cluster "${server.name}" is up at ${server.url}
  since       ${server.startedAt} (${age(server.startedAt, io.clock.now())})
  process     ${server.pid}
  kubeconfig  ${server.kubeconfig}
  context     ${server.context}
  log         ${server.log}\n`)
  } else {
    io.stdout.write(`local cluster "${server.name}" does not run\n`)
  }
  return server.state === 'running' ? ExitCode.ok : ExitCode.failed
}
