import { TrainJobs } from '@trainjob/api'
import { TRAIN_JOB_STATES, type TrainJobState } from '@trainjob/sdk/state'
import { CliError } from '../../cli-error.ts'
import type { Invocation } from '../../command.ts'
import type { CommandIO } from '../../command-io.ts'
import { type Connection, type ConnectionFlags, withConnection } from '../../connect/connection.ts'
import { codeOf } from '../../error-code.ts'
import { ExitCode } from '../../exit-code.ts'
import { parseDuration } from '../../output/parse-duration.ts'
import { clusterFailed } from '../cluster-failed.ts'
import { trainJobNames } from '../for-each-train-job.ts'
import { nameOf } from '../get/kind.ts'
import { untilGone } from '../until-gone.ts'

export interface WaitFlags extends ConnectionFlags {
  readonly for?: string
  readonly timeout?: string
  readonly output?: 'text' | 'json' | 'name'
}

interface Waited {
  readonly name: string
  readonly state: TrainJobState | 'deleted'
  readonly reason?: string
  readonly message?: string
}

/** Waits for all named jobs at once, see `waitHelp`. The exit code tells a failed job from a failed request. */
export async function wait({ flags, args }: Invocation<WaitFlags>, io: CommandIO): Promise<ExitCode> {
  const names = trainJobNames(args)
  const goal = readGoal(flags.for ?? 'Complete')
  const timeoutMs = flags.timeout === undefined ? undefined : parseDuration(flags.timeout, '--timeout')
  try {
    return await withConnection(flags, io, async (connection) => {
      const waits = names.map(async (name) => await waitFor(name, goal, timeoutMs, connection, io))
      const results = await Promise.allSettled(waits)
      if (io.signal.aborted) throw io.signal.reason
      return report(results, goal, names, flags, io)
    })
  } catch (error) {
    if (io.signal.aborted) throw error
    return clusterFailed(error, io)
  }
}

type Goal = TrainJobState | 'delete'

function readGoal(text: string): Goal {
  const word = text.replace(/^(condition|state)=/i, '').replace(/=true$/i, '')
  const goal = [...TRAIN_JOB_STATES, 'delete' as const].find((one) => one.toLowerCase() === word.toLowerCase())
  if (goal !== undefined) return goal
  if (/^completed?$/i.test(word)) return 'Complete'
  if (/^deleted$/i.test(word)) return 'delete'
  throw new CliError('usage', `--for wants one of ${TRAIN_JOB_STATES.join(', ')} or delete; found "${text}".`)
}

async function waitFor(
  name: string,
  goal: Goal,
  timeoutMs: number | undefined,
  { openTrainer, kube, namespace }: Connection,
  io: CommandIO,
): Promise<Waited> {
  const timeout = timeoutMs === undefined ? {} : { timeoutMs }
  if (goal === 'delete') {
    await untilGone(kube, TrainJobs, { namespace, name }, io, timeout)
    return { name, state: 'deleted' }
  }
  const trainer = await openTrainer()
  const run = await trainer.attach(name, { namespace, signal: io.signal })
  const outcome = await run.wait({ signal: io.signal, until: goal, ...timeout })
  switch (outcome.kind) {
    case 'complete':
      return { name, state: 'Complete' }
    case 'failed':
      return { name, state: 'Failed', reason: outcome.reason, message: outcome.message }
    case 'reached':
      return { name, state: outcome.state }
    case 'deleted':
      return { name, state: 'deleted' }
  }
}

function report(
  results: readonly PromiseSettledResult<Waited>[],
  goal: Goal,
  names: readonly string[],
  { output, timeout }: WaitFlags,
  io: CommandIO,
): ExitCode {
  let exitCode: ExitCode = ExitCode.ok
  const waited: Waited[] = []
  for (const [at, result] of results.entries()) {
    if (result.status === 'rejected') {
      if (codeOf(result.reason) === 'timeout') {
        io.stderr.write(`error: timed out after ${timeout ?? ''} waiting for ${goal} of "${names[at] ?? ''}"\n`)
        exitCode = Math.max(exitCode, ExitCode.timedOut) as ExitCode
      } else {
        exitCode = Math.max(exitCode, clusterFailed(result.reason, io)) as ExitCode
      }
      continue
    }
    const { value } = result
    waited.push(value)
    const reached = value.state === (goal === 'delete' ? 'deleted' : goal)
    if (!reached) {
      exitCode = Math.max(exitCode, ExitCode.failed) as ExitCode
      const why = [value.reason, value.message].filter((part) => part !== undefined && part !== '').join(': ')
      io.stderr.write(`error: "${value.name}" is ${value.state}, not ${goal}${why === '' ? '' : ` (${why})`}\n`)
    } else if (output !== 'json') {
      const full = nameOf(TrainJobs, { metadata: { name: value.name } })
      io.stdout.write(output === 'name' ? `${full}\n` : `${full} ${value.state}\n`)
    }
  }
  if (output === 'json') io.stdout.write(`${JSON.stringify(waited, null, 2)}\n`)
  return exitCode
}
