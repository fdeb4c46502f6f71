import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { LogLine, LogsOptions, TrainJobRun } from '@trainjob/sdk'
import { CliError } from '../../cli-error.ts'
import type { Invocation } from '../../command.ts'
import type { CommandIO } from '../../command-io.ts'
import { type Connection, type ConnectionFlags, connect } from '../../connect/connection.ts'
import { localDir } from '../../connect/local-kubeconfig-file.ts'
import { codeOf } from '../../error-code.ts'
import { ExitCode } from '../../exit-code.ts'
import { painter } from '../../output/color.ts'
import { nodePrefix } from '../../output/node-prefix.ts'
import { parseDuration } from '../../output/parse-duration.ts'
import { type FoundRecord, readRecord } from '../../record/read-record.ts'
import { runsDir } from '../../record/runs-dir.ts'
import { wholeNumber } from '../../whole-number.ts'
import { clusterFailed } from '../cluster-failed.ts'
import { trainJobNames } from '../for-each-train-job.ts'
import { recordedLogs } from './recorded-logs.ts'

export interface LogsFlags extends ConnectionFlags {
  readonly follow?: boolean
  readonly node?: readonly string[]
  readonly container?: string
  readonly tail?: string
  readonly since?: string
  readonly previous?: boolean
  readonly timestamps?: boolean
  readonly prefix?: 'always' | 'never' | 'auto'
  readonly output?: 'text' | 'json'
}

/** Prints the log lines of a TrainJob, or of the record of one that ran here; see `logsHelp`. */
export async function logs({ flags, args }: Invocation<LogsFlags>, io: CommandIO): Promise<ExitCode> {
  const [name, ...more] = trainJobNames(args)
  if (name === undefined || more.length > 0) throw new CliError('usage', 'expected the name of one TrainJob.')
  const options = logsOptions(flags, io)
  const source = await findSource(name, flags, io)
  if ('record' in source) {
    io.stderr.write(`from the record of the run that ended at ${source.record.finishedAt}, in ${source.folder}\n`)
    await print(recordedLogs(source, options, io.clock.now()), source.record.nodes, flags, io)
    return ExitCode.ok
  }
  const { connection, run } = source
  try {
    const steps = flags.prefix === undefined || flags.prefix === 'auto' ? await run.steps({ signal: io.signal }) : []
    await print(
      run.logs(options),
      steps.map(({ node }) => node),
      flags,
      io,
    )
    if (flags.follow !== true) return ExitCode.ok
    const outcome = await run.wait({ signal: io.signal })
    return outcome.kind === 'complete' ? ExitCode.ok : ExitCode.failed
  } catch (error) {
    if (io.signal.aborted || flags.follow !== true) throw error
    return clusterFailed(error, io)
  } finally {
    await connection.close()
  }
}

function logsOptions(flags: LogsFlags, io: CommandIO): LogsOptions {
  return {
    follow: flags.follow === true,
    signal: io.signal,
    ...(flags.node === undefined ? {} : { node: flags.node }),
    ...(flags.container === undefined ? {} : { container: flags.container }),
    ...(flags.tail === undefined || flags.tail === '-1' ? {} : { tail: wholeNumber('--tail', flags.tail) }),
    ...(flags.since === undefined ? {} : { since: Math.ceil(parseDuration(flags.since, '--since') / 1000) }),
    ...(flags.previous ? { previous: true } : {}),
    ...(flags.timestamps ? { timestamps: true } : {}),
  }
}

/**
 * Where a job's logs are: in the cluster that the flags name; without such flags also in the local cluster, and in the
 * record of a run.
 */
async function findSource(
  name: string,
  flags: LogsFlags,
  io: CommandIO,
): Promise<{ connection: Connection; run: TrainJobRun } | FoundRecord> {
  const named = flags.local !== undefined || flags.context !== undefined || flags.kubeconfig !== undefined
  try {
    return await attach(name, flags, io)
  } catch (error) {
    if (named || io.signal.aborted || !(error instanceof Error) || !LOOK_ELSEWHERE.has(codeOf(error))) throw error
    if (existsSync(join(localDir('default', io.env), 'kubeconfig'))) {
      const local = await attach(name, { ...flags, local: 'default' }, io).catch(() => undefined)
      if (local !== undefined) {
        io.stderr.write('from the local cluster, as with --local\n')
        return local
      }
    }
    const record = await readRecord(runsDir(io.env), name, flags.namespace ?? 'default')
    if (record !== undefined) return record
    if (codeOf(error) === 'not-found') throw error
    throw new CliError(
      'not-found',
      `no job "${name}" ran here lately, and there is no cluster to ask: ${error.message}`,
      { cause: error },
    )
  }
}

const LOOK_ELSEWHERE: ReadonlySet<string> = new Set(['not-found', 'unreachable', 'config', 'connection'])

async function attach(
  name: string,
  flags: ConnectionFlags,
  io: CommandIO,
): Promise<{ connection: Connection; run: TrainJobRun }> {
  const connection = await connect(flags, io)
  try {
    const trainer = await connection.openTrainer()
    const run = await trainer.attach(name, { namespace: connection.namespace, signal: io.signal })
    return { connection, run }
  } catch (error) {
    await connection.close()
    throw error
  }
}

async function print(
  lines: AsyncIterable<LogLine>,
  nodes: readonly string[],
  flags: LogsFlags,
  io: CommandIO,
): Promise<void> {
  if (flags.output === 'json') {
    for await (const line of lines) io.stdout.write(`${JSON.stringify(line)}\n`)
    return
  }
  const several = (flags.node === undefined ? nodes.length : flags.node.length) > 1
  const prefixed = flags.prefix === 'always' || (flags.prefix !== 'never' && several)
  const shown = flags.node === undefined ? nodes : []
  const prefix = prefixed ? nodePrefix(painter(io.stdout, io.env), shown) : () => ''
  for await (const { node, text, timestamp } of lines) {
    io.stdout.write(`${prefix(node)}${timestamp === undefined ? '' : `${timestamp} `}${text}\n`)
  }
}
