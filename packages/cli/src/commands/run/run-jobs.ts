import { render } from '@trainjob/runtime'
import type { TrainerClient, TrainJobRun } from '@trainjob/sdk'
import type { CommandIO } from '../../command-io.ts'
import { ExitCode } from '../../exit-code.ts'
import type { PlannedJob } from '../../input/manifests.ts'
import { painter } from '../../output/color.ts'
import { nodePrefix } from '../../output/node-prefix.ts'
import { createRecordWriter, type RecordWriter } from '../../record/record-writer.ts'
import { runsDir } from '../../record/runs-dir.ts'
import { type Followed, followJob } from './follow-job.ts'
import { localCopy } from './local-copy.ts'
import type { Metrics } from './metrics.ts'
import { type Progress, progressLine } from './progress.ts'
import { createProgressNews } from './progress-news.ts'
import type { RunOptions } from './run-options.ts'
import type { Screen } from './screen.ts'
import { summary } from './summary.ts'

/** What running jobs needs; the cluster is up, their runtimes are in it. */
export interface RunContext {
  readonly trainer: TrainerClient
  readonly screen: Screen
  readonly options: RunOptions
  readonly io: CommandIO
}

/** Submits every job, prints what they say and how they end. */
export async function runJobs(jobs: readonly PlannedJob[], context: RunContext): Promise<ExitCode> {
  const { screen, options, io } = context
  const live = createLiveStatus(context, jobs.length)
  try {
    const results = await Promise.all(jobs.map(async (job) => await runOne(job, live, jobs.length > 1, context)))
    const trainJobs = results.map(({ trainJob }) => trainJob)
    screen.close()
    if (options.output === 'json') {
      io.stdout.write(`${JSON.stringify(trainJobs.length === 1 ? trainJobs[0] : list(trainJobs), null, 2)}\n`)
    } else if (options.output === 'yaml') {
      const { toYaml } = await import('../../output/to-yaml.ts')
      io.stdout.write(await toYaml(trainJobs.length === 1 ? trainJobs[0] : list(trainJobs)))
    }
    return results.every(({ outcome }) => outcome.kind === 'complete') ? ExitCode.ok : ExitCode.failed
  } finally {
    live.stop()
  }
}

function list(items: readonly unknown[]): unknown {
  return { apiVersion: 'v1', kind: 'List', items }
}

async function runOne(job: PlannedJob, live: LiveStatus, several: boolean, context: RunContext): Promise<Followed> {
  const { trainer, screen, options, io } = context
  const { trainJob, notes } = localCopy(job.trainJob)
  const expected = render(job.trainJob, job.runtime).podSets.reduce((sum, { count }) => sum + count, 0)
  const startedAt = io.clock.now()
  const submitted = await trainer.submit(trainJob, {
    signal: io.signal,
    onWarning: (text) => screen.note(`warning: ${text}`),
  })
  const title = several ? `${submitted.name}: ` : ''
  const how =
    options.runner === 'process'
      ? 'image not pulled, commands run with the tools found here'
      : `containers of ${options.runner}`
  screen.note(
    `${title}${job.runtime.metadata.name} · ${expected} ${expected === 1 ? 'node' : 'nodes'} on this machine · ${how}`,
  )
  for (const note of notes) screen.note(`${title}${note}`)
  const record = await createRecordWriter({
    dir: runsDir(io.env),
    unique: `${submitted.name}-${io.randomHex(8)}`,
    onFailure: (error) => screen.note(`the logs of this run cannot be kept: ${error.message}`),
  })
  const prefix = nodePrefix(painter(options.output === 'text' ? io.stdout : io.stderr, io.env))
  const news = createProgressNews()
  try {
    const followed = await followJob(submitted, {
      signal: io.signal,
      expected,
      now: () => io.clock.now(),
      onLine: (line) => {
        record.write(line)
        screen.data(`${prefix(several ? `${submitted.name}/${line.node}` : line.node)}${line.text}`)
      },
      onProgress: (progress, metrics) => {
        const line = screen.live ? undefined : news(progress)
        if (line !== undefined) screen.note(`${title}${line}`)
        live.update(submitted.name, progress, metrics)
      },
    })
    live.end(submitted.name)
    const kept = await keep(record, submitted, followed, startedAt, io)
    const file = job.document?.file
    const lines = summary(followed, {
      name: submitted.name,
      ms: io.clock.now() - startedAt,
      program: io.program,
      title,
      recorded: kept,
      ...(file === undefined || file === 'stdin' ? {} : { file }),
    })
    for (const line of lines) screen.note(line)
    return followed
  } catch (error) {
    live.end(submitted.name)
    await keep(record, submitted, undefined, startedAt, io)
    throw error
  }
}

async function keep(
  record: RecordWriter,
  run: TrainJobRun,
  followed: Followed | undefined,
  startedAt: number,
  io: CommandIO,
): Promise<boolean> {
  const outcome = followed?.outcome.kind
  const folder = await record.close({
    version: 1,
    name: run.name,
    namespace: run.namespace,
    startedAt: new Date(startedAt).toISOString(),
    finishedAt: new Date(io.clock.now()).toISOString(),
    state:
      outcome === 'complete' ? 'Complete' : outcome === 'failed' ? 'Failed' : (followed?.progress.state ?? 'Running'),
    exitCode: outcome === 'complete' ? ExitCode.ok : outcome === undefined ? ExitCode.interrupted : ExitCode.failed,
    nodes: followed?.nodes ?? [],
    trainJob: followed?.trainJob ?? run.trainJob,
    objects: followed?.objects ?? [],
  })
  return folder !== undefined
}

/** The status line of all jobs that run, with a clock in it. */
interface LiveStatus {
  update(name: string, progress: Progress, metrics: Metrics): void
  end(name: string): void
  stop(): void
}

function createLiveStatus({ screen, io }: RunContext, count: number): LiveStatus {
  const jobs = new Map<string, { progress: Progress; metrics: Metrics }>()
  const startedAt = io.clock.now()
  let cancel = (): void => {}
  const show = (): void => {
    const lines = [...jobs].map(([name, { progress, metrics }]) => {
      const line = progressLine(progress, io.clock.now() - startedAt, metrics)
      return count > 1 ? `${name}: ${line}` : line
    })
    screen.status(lines.join('   '))
  }
  const tick = (): void => {
    show()
    cancel = io.clock.after(1000, tick)
  }
  if (screen.live) tick()
  return {
    update: (name, progress, metrics) => {
      jobs.set(name, { progress, metrics })
      show()
    },
    end: (name) => {
      jobs.delete(name)
      if (jobs.size === 0) screen.close()
      else show()
    },
    stop: () => cancel(),
  }
}
