import { CliError } from '../../cli-error.ts'
import type { Invocation } from '../../command.ts'
import type { CommandIO } from '../../command-io.ts'
import type { ConnectionFlags } from '../../connect/connection.ts'
import type { ExitCode } from '../../exit-code.ts'
import { wholeNumber } from '../../whole-number.ts'
import { forEachTrainJob } from '../for-each-train-job.ts'

export interface ScaleFlags extends ConnectionFlags {
  readonly nodes?: string
  readonly replicas?: string
}

/** Gives elastic TrainJobs another number of nodes. */
export async function scale({ flags, args }: Invocation<ScaleFlags>, io: CommandIO): Promise<ExitCode> {
  const nodes = nodesOf(flags)
  return await forEachTrainJob(args, flags, io, async ({ openTrainer, namespace }, name) => {
    const trainer = await openTrainer()
    await trainer.scale(name, nodes, { namespace, signal: io.signal })
    return 'scaled'
  })
}

/** Throws `CliError` `usage`. */
function nodesOf({ nodes, replicas }: ScaleFlags): number {
  if (nodes !== undefined && replicas !== undefined) throw new CliError('usage', 'give either --nodes or --replicas.')
  if (nodes !== undefined) return wholeNumber('--nodes', nodes, 1)
  if (replicas !== undefined) return wholeNumber('--replicas', replicas, 1)
  throw new CliError('usage', 'expected --nodes N: how many nodes the job shall have.')
}
