import type { Invocation } from '../../command.ts'
import type { CommandIO } from '../../command-io.ts'
import type { ConnectionFlags } from '../../connect/connection.ts'
import type { ExitCode } from '../../exit-code.ts'
import { forEachTrainJob } from '../for-each-train-job.ts'

/** Starts suspended TrainJobs again. */
export async function resume({ flags, args }: Invocation<ConnectionFlags>, io: CommandIO): Promise<ExitCode> {
  return await forEachTrainJob(args, flags, io, async ({ openTrainer, namespace }, name) => {
    const trainer = await openTrainer()
    await trainer.resume(name, { namespace, signal: io.signal })
    return 'resumed'
  })
}
