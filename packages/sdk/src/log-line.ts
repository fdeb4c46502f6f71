/** One line that a container of a job wrote. */
export interface LogLine {
  /** `node-0`, `launcher-0`, … */
  readonly node: string
  readonly pod: string
  readonly container: string
  /** Without the line end. */
  readonly text: string
  /** When it was written, RFC 3339 with nanoseconds as the node wrote it; only with `timestamps`. */
  readonly timestamp?: string
}

/** Which lines of a job, and for how long. */
export interface LogsOptions {
  /** Wait for pods that have not started, stream as lines come, end with the job. Default true. */
  readonly follow?: boolean
  /** Only these nodes: `node-1`, or the name of a replicated job for all of its nodes. */
  readonly node?: string | readonly string[]
  /** A container by name; default the main one of each pod. */
  readonly container?: string
  /** Only the last lines of each container. */
  readonly tail?: number
  /** Only lines since then: seconds back, or a time. */
  readonly since?: number | Date
  /** The run before the last restart of each container, without following. */
  readonly previous?: boolean
  readonly timestamps?: boolean
  readonly signal?: AbortSignal
}
