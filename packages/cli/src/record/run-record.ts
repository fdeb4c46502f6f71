import type { KubernetesObject, TrainJob } from '@trainjob/api'
import type { TrainJobState } from '@trainjob/sdk'

/** What is kept of a job that `run` ran, as `record.json`. The log lines stand beside it, one JSON object a line. */
export interface RunRecord {
  readonly version: 1
  readonly name: string
  readonly namespace: string
  /** RFC 3339. */
  readonly startedAt: string
  readonly finishedAt: string
  readonly state: TrainJobState
  readonly exitCode: number
  /** Every node that the job had, in order. */
  readonly nodes: readonly string[]
  /** As of the end. */
  readonly trainJob: TrainJob
  /** The job's JobSet, Jobs, Pods and Events as of the end. */
  readonly objects: readonly KubernetesObject[]
}

/** A line of `log.jsonl`. */
export interface RecordedLine {
  readonly node: string
  readonly container: string
  readonly text: string
  /** RFC 3339. */
  readonly at: string
}

/** How many runs are kept. */
export const RUNS_KEPT = 20
