import { checkCluster } from '@trainjob/controller'
import { CliError } from '../../cli-error.ts'
import type { Invocation } from '../../command.ts'
import type { CommandIO } from '../../command-io.ts'
import { type ConnectionFlags, withConnection } from '../../connect/connection.ts'
import { ExitCode } from '../../exit-code.ts'
import { printTable } from '../../output/table.ts'

export interface DoctorFlags extends ConnectionFlags {
  readonly output?: 'json'
}

/** Prints what a cluster has and lacks, see `doctorHelp`. */
export async function doctor({ flags, args }: Invocation<DoctorFlags>, io: CommandIO): Promise<ExitCode> {
  if (args[0] !== undefined) throw new CliError('usage', `expected no argument, found "${args[0]}"`)
  const checks = await withConnection(flags, io, ({ kube }) => checkCluster(kube, { signal: io.signal }))
  if (flags.output === 'json') io.stdout.write(`${JSON.stringify({ checks }, null, 2)}\n`)
  else {
    const rows = checks.map(({ name, state, message }) => [name, state, message])
    io.stdout.write(printTable(['CHECK', 'STATE', 'FOUND'], rows))
    for (const { name, todo } of checks) if (todo !== undefined) io.stderr.write(`${name}: ${todo}\n`)
  }
  return checks.some(({ state }) => state === 'failed') ? ExitCode.failed : ExitCode.ok
}
