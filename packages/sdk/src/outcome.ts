import type { TrainJob } from '@trainjob/api'
import type { TrainJobState } from './state.ts'

/** How waiting for a job ended. */
export type Outcome =
  | { readonly kind: 'complete'; readonly trainJob: TrainJob }
  | {
      readonly kind: 'failed'
      readonly trainJob: TrainJob
      /** Reason of the Failed condition: `FailedJobs`, `DeadlineExceeded`, … */
      readonly reason: string
      readonly message: string
      /** The node that failed first in the last attempt; absent when no container failed or nobody was watching. */
      readonly firstFailure?: FirstFailure
    }
  | { readonly kind: 'deleted' }
  /** Only with `until`. */
  | { readonly kind: 'reached'; readonly trainJob: TrainJob; readonly state: TrainJobState }

/** The container that ended badly first, and its last words. */
export interface FirstFailure {
  readonly node: string
  readonly pod: string
  readonly container: string
  readonly exitCode: number
  /** `Error`, `OOMKilled`, `StartError`, … */
  readonly reason: string
  readonly message?: string
  /** The last lines it wrote, oldest first. */
  readonly lastLines: readonly string[]
}

/** How long to wait, and for what. */
export interface WaitOptions {
  readonly signal?: AbortSignal
  /** Rejects with `TrainerError` `timeout` after this time. Default: waits for ever. */
  readonly timeoutMs?: number
  /** Also ends (`reached`) in this state. */
  readonly until?: TrainJobState
  /** How many of the last lines of the first failing node are kept. Default 20. */
  readonly lastLines?: number
}
