import type { Event, TrainJob } from '@trainjob/api'
import type { ReportedProgress, Step } from '@trainjob/sdk'
import { state, type TrainJobState } from '@trainjob/sdk/state'
import type { Invocation } from '../../command.ts'
import type { CommandIO } from '../../command-io.ts'
import { type ConnectionFlags, withConnection } from '../../connect/connection.ts'
import { ExitCode } from '../../exit-code.ts'
import { hints } from '../../hints/hints.ts'
import { trainJobNames } from '../for-each-train-job.ts'
import { describeText } from './describe-text.ts'

export interface DescribeFlags extends ConnectionFlags {
  readonly output?: 'text' | 'json'
}

/** What `describe -o json` prints for a job. */
export interface Description {
  readonly trainJob: TrainJob
  readonly state: TrainJobState
  /** What the training code last reported, where it does. */
  readonly progress?: ReportedProgress
  readonly nodes: readonly Step[]
  readonly events: readonly Event[]
  /** What to do next. */
  readonly hints: readonly string[]
}

/** Everything about a job that helps to see why it does what it does. */
export async function describe({ flags, args }: Invocation<DescribeFlags>, io: CommandIO): Promise<ExitCode> {
  const names = trainJobNames(args)
  return await withConnection(flags, io, async ({ openTrainer, namespace }) => {
    const trainer = await openTrainer()
    const { reportedProgress } = await import('@trainjob/sdk')
    const descriptions = await Promise.all(
      names.map(async (name): Promise<Description> => {
        const run = await trainer.attach(name, { namespace, signal: io.signal })
        const [nodes, events] = await Promise.all([run.steps({ signal: io.signal }), run.events({ signal: io.signal })])
        const trainJob = run.trainJob
        const facts = {
          name,
          state: stateOf(trainJob, nodes),
          program: io.program,
          flags: connectionFlags(flags),
          steps: nodes,
          ...failureOf(trainJob, nodes),
        }
        const progress = reportedProgress(trainJob)
        return {
          trainJob,
          state: facts.state,
          ...(progress !== undefined && { progress }),
          nodes,
          events,
          hints: hints(facts),
        }
      }),
    )
    if (flags.output === 'json') {
      const [first] = descriptions
      io.stdout.write(`${JSON.stringify(descriptions.length === 1 ? first : descriptions, null, 2)}\n`)
    } else {
      io.stdout.write(descriptions.map((one) => describeText(one, io.clock.now())).join('\n\n'))
    }
    return ExitCode.ok
  })
}

/** As they would have to be given again. */
function connectionFlags({ namespace, local, context, kubeconfig }: ConnectionFlags): string {
  const given = { namespace, context, kubeconfig }
  const words = Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}=${value}`]))
  if (local !== undefined) words.unshift(local === 'default' ? '--local' : `--local=${local}`)
  return words.join(' ')
}

/** The nodes know more than the job's own status: a container that waits for its next try. */
function stateOf(trainJob: TrainJob, nodes: readonly Step[]): TrainJobState {
  const own = state(trainJob)
  if (own !== 'Pending' && own !== 'Running') return own
  if (nodes.some(({ reason }) => reason === 'CrashLoopBackOff')) return 'Restarting'
  return nodes.some(({ phase }) => phase === 'Running' || phase === 'Succeeded') ? 'Running' : own
}

function failureOf(
  trainJob: TrainJob,
  nodes: readonly Step[],
): { failure?: { exitCode: number; reason: string }; failedReason?: string } {
  const condition = trainJob.status?.conditions?.find(({ type, status }) => type === 'Failed' && status === 'True')
  const failed = nodes.find(({ exitCode }) => exitCode !== undefined && exitCode !== 0)
  return {
    ...(failed?.exitCode === undefined ? {} : { failure: { exitCode: failed.exitCode, reason: failed.reason ?? '' } }),
    ...(condition === undefined ? {} : { failedReason: condition.reason }),
  }
}
