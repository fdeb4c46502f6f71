import type { KubernetesObject, TrainJob } from '@trainjob/api'
import type { Outcome, RunView, TrainJobRun } from '@trainjob/sdk'
import type { RecordedLine } from '../../record/run-record.ts'
import { createMetrics, type Metrics } from './metrics.ts'
import { type Progress, progressOf } from './progress.ts'

/** How a job went. */
export interface Followed {
  readonly outcome: Outcome
  readonly metrics: Metrics
  /** As of the last change seen. */
  readonly progress: Progress
  readonly trainJob: TrainJob
  readonly nodes: readonly string[]
  /** JobSet, Pods and Events as of the end. */
  readonly objects: readonly KubernetesObject[]
}

export interface FollowOptions {
  readonly signal: AbortSignal
  /** Nodes that the job will have. */
  readonly expected: number
  readonly onLine: (line: RecordedLine) => void
  readonly onProgress: (progress: Progress, metrics: Metrics) => void
  readonly now: () => number
}

/** Follows a job to its end: every line, every change. Resolves when the last line has been told. */
export async function followJob(run: TrainJobRun, options: FollowOptions): Promise<Followed> {
  const { signal, expected, onLine, onProgress, now } = options
  const metrics = createMetrics()
  let view: RunView = { trainJob: run.trainJob, state: 'Pending', pods: [], steps: [] }
  const nodes = new Set<string>()

  async function readLines(): Promise<void> {
    for await (const { node, container, text } of run.logs({ follow: true, signal })) {
      metrics.see(node, text)
      onLine({ node, container, text, at: new Date(now()).toISOString() })
    }
  }

  async function watchChanges(): Promise<void> {
    for await (const next of run.watch({ signal })) {
      view = next
      for (const { node } of next.steps) nodes.add(node)
      onProgress(progressOf(next, expected), metrics)
    }
  }

  // the first to fail must not leave the others unobserved
  const [outcome] = await Promise.all([run.wait({ signal }), readLines(), watchChanges()])
  const events = await run.events({ signal }).catch(() => [])
  const trainJob = 'trainJob' in outcome ? outcome.trainJob : view.trainJob
  const jobSet = view.jobSet === undefined ? [] : [view.jobSet]
  return {
    outcome,
    metrics,
    progress: progressOf(view, expected),
    trainJob,
    nodes: [...nodes],
    objects: [...jobSet, ...view.pods, ...events],
  }
}
