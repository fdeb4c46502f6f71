import type { Invocation } from '../../command.ts'
import type { CommandIO } from '../../command-io.ts'
import { dataDir } from '../../connect/data-dir.ts'
import { ExitCode } from '../../exit-code.ts'

export interface LocalDownFlags {
  readonly name?: string
  readonly purge?: boolean
}

/** Stops a cluster in the background; that none runs is no failure. */
export async function localDown({ flags }: Invocation<LocalDownFlags>, io: CommandIO): Promise<ExitCode> {
  const { down } = await import('@trainjob/local/daemon')
  const name = flags.name ?? 'default'
  const purge = flags.purge === true
  const stopped = await down({ name, dataDir: dataDir(io.env), purge })
  io.stdout.write(
    `local cluster "${name}" ${stopped ? 'is down' : 'did not run'}${purge ? '; its data are removed' : ''}\n`,
  )
  return ExitCode.ok
}
