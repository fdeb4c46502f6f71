import type { Event, JobSet, Pod, TrainJob } from '@trainjob/api'
import type { LogLine, LogsOptions } from './log-line.ts'
import type { Outcome, WaitOptions } from './outcome.ts'
import type { TrainJobState } from './state.ts'
import type { Step } from './step.ts'
import type { ResumeOptions } from './trainer-client.ts'

/** What `watch` yields: the job and all that belongs to it, as of now. */
export interface RunView {
  readonly trainJob: TrainJob
  readonly state: TrainJobState
  readonly jobSet?: JobSet
  readonly pods: readonly Pod[]
  readonly steps: readonly Step[]
}

/**
 * One submitted job. Everything watches the API: nothing polls. All of it ends with `TrainerError` `aborted` when the
 * signal fires.
 *
 * @example
 * import type { TrainJob } from '@trainjob/api'
 *
 * const job: TrainJob = {
 *   apiVersion: 'trainer.kubeflow.org/v1alpha1',
 *   kind: 'TrainJob',
 *   metadata: { name: 'greet' },
 *   spec: { runtimeRef: { name: 'plain' }, trainer: { numNodes: 2, command: ['echo', 'hello'] } },
 * }
 * const run = await trainer.submit(job)
 * const seen: string[] = []
 * for await (const { node, text } of run.logs()) seen.push(`${node} ${text}`)
 * seen.sort() // => ['node-0 hello', 'node-1 hello']
 * const { kind } = await run.wait()
 * kind // => 'complete'
 */
export interface TrainJobRun {
  readonly name: string
  readonly namespace: string
  /** Ties the handle to this very job, also when another one takes its name. */
  readonly uid: string
  /** The job as it was submitted or found. */
  readonly trainJob: TrainJob
  /** Reads the job again; `TrainerError` `deleted` when it is gone. */
  refresh(options?: { signal?: AbortSignal }): Promise<TrainJob>
  /**
   * Lines of all pods as they come; survives restarts of containers and pods, ends when the job is finished or deleted.
   * A job that was found, not submitted, begins with the current start of each container, as in kubectl.
   */
  logs(options?: LogsOptions): AsyncIterable<LogLine>
  /** Resolves when the job is finished or gone. */
  wait(options?: WaitOptions): Promise<Outcome>
  /** Events of the TrainJob, its JobSet, Jobs and Pods, oldest first. */
  events(options?: { signal?: AbortSignal }): Promise<readonly Event[]>
  /** The nodes of the job, in order. */
  steps(options?: { signal?: AbortSignal }): Promise<readonly Step[]>
  /** The job after each change, the latest only; ends when it is finished or gone. */
  watch(options?: { signal?: AbortSignal }): AsyncIterable<RunView>
  suspend(options?: { signal?: AbortSignal }): Promise<TrainJob>
  resume(options?: ResumeOptions): Promise<TrainJob>
  /** As `TrainerClient.scale`. */
  scale(nodes: number, options?: { signal?: AbortSignal }): Promise<TrainJob>
  delete(options?: { signal?: AbortSignal }): Promise<void>
}
