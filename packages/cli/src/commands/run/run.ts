import type { JobSet } from '@trainjob/api'
import { render, shippedRuntimes, validate } from '@trainjob/runtime'
import { TrainerClient } from '@trainjob/sdk'
import { CliError } from '../../cli-error.ts'
import type { Invocation } from '../../command.ts'
import type { CommandIO } from '../../command-io.ts'
import type { ExitCode } from '../../exit-code.ts'
import { refuseFaulty } from '../../input/blocking.ts'
import { isRuntime, type Manifests, type PlannedJob, readManifests, runtimeOf } from '../../input/manifests.ts'
import { readFiles } from '../../input/read-files.ts'
import { interrupted } from '../../interrupted.ts'
import { warningLines } from '../../output/warning-lines.ts'
import { commandJob } from './command-job.ts'
import { createObjects } from './create-objects.ts'
import { commandIn, ownCommand } from './own-command.ts'
import { duplicates, preflight } from './preflight.ts'
import { runJobs } from './run-jobs.ts'
import { type RunFlags, type RunOptions, readRunOptions } from './run-options.ts'
import { createScreen } from './screen.ts'
import { startRunCluster } from './start-cluster.ts'

/** Runs TrainJobs on this machine to their end, see `runHelp`. Nothing is started when anything is wrong. */
export async function run(invocation: Invocation<RunFlags>, io: CommandIO): Promise<ExitCode> {
  const options = readRunOptions(invocation, io)
  const manifests = await input(options, io)
  const machine = { env: io.env, workspace: options.workspace }
  // what is in an image only its engine knows
  const missing = options.runner === 'process' ? preflight(manifests.jobs, machine) : []
  const faults = [...duplicates(manifests.jobs), ...missing]
  const warnings = refuseFaulty(manifests, { force: options.force, more: faults })
  if (manifests.jobs.length === 0) throw new CliError('input', 'there is no TrainJob in the files.')
  const screen = createScreen(options.output === 'text' ? io : { ...io, stdout: io.stderr })
  for (const line of warningLines(warnings, io.program)) screen.note(line)
  if (options.files.filename === undefined && options.command === undefined) {
    for (const job of manifests.jobs) screen.note(whatRuns(job))
  }
  const cluster = await startRunCluster(options, io)
  try {
    // the first line of each job says it already
    cluster.onNote((note) => {
      if (!/^images? (is|are) not pulled/.test(note)) screen.note(note)
    })
    const namespaces = [
      ...manifests.jobs.map(({ trainJob }) => trainJob),
      ...manifests.others.map(({ object }) => object),
    ]
      .map(({ metadata }) => metadata.namespace)
      .filter((namespace) => namespace !== undefined && namespace !== 'default')
    await createObjects(cluster.client, manifests.others, namespaces as string[], io, screen.note)
    const trainer = TrainerClient.over(cluster.client, { namespace: options.namespace, clock: io.clock })
    return await runJobs(manifests.jobs, { trainer, screen, options, io })
  } catch (error) {
    if (!io.signal.aborted) throw error
    screen.close()
    screen.note('stopping …')
    await cluster.stop()
    screen.note('stopped; nothing is left running')
    return interrupted(io.signal)
  } finally {
    screen.close()
    await cluster.stop()
  }
}

async function input(options: RunOptions, io: CommandIO): Promise<Manifests> {
  const { files, namespace } = options
  if (files.filename !== undefined) return readManifests(await readFiles(files, io), { namespace })
  const runtimes = shippedRuntimes()
  const trainJob = commandJob({
    ...options,
    runtime: options.runtime ?? 'torch-distributed',
    suffix: io.randomHex(4),
  })
  const runtime = runtimeOf(trainJob, runtimes.filter(isRuntime))
  if (runtime === undefined) {
    const names = runtimes.map(({ metadata }) => metadata.name).join(', ')
    throw new CliError(
      'input',
      `there is no runtime "${options.runtime}"; the shipped ones are ${names}. For one of your own, write a file: run -f FILE.`,
    )
  }
  if (options.command === undefined && ownCommand(runtime) === undefined) {
    throw new CliError(
      'usage',
      `the runtime ${options.runtime} has no command of its own; write one: run --runtime ${options.runtime} -- COMMAND.`,
    )
  }
  const { validateTrainJob } = await import('@trainjob/api/validate')
  const own = validateTrainJob(trainJob)
  const further = own.errors.length > 0 ? own : validate(trainJob, runtime)
  return { jobs: [{ trainJob, runtime }], unplanned: [], others: [], ...further }
}

/** Said where the command stands in the runtime, so that nobody has written it here. */
function whatRuns({ trainJob, runtime }: PlannedJob): string {
  const jobSet = render(trainJob, runtime).objects.find((object): object is JobSet => object.kind === 'JobSet')
  return `runs the command of the runtime: ${commandIn(jobSet?.spec.replicatedJobs)?.join(' ')}`
}
