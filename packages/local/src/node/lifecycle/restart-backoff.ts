import type { ContainerRecord } from './container-record.ts'

/** Waits between attempts of a container in its pod, in milliseconds. */
export interface RestartBackoff {
  readonly initialMs: number
  readonly maxMs: number
  /** A run at least this long is healthy: what follows it starts from the beginning. */
  readonly resetAfterMs: number
}

/** Shorter than a kubelet's 10 s to 5 min: on a laptop someone is waiting. */
export const DEFAULT_RESTART_BACKOFF: RestartBackoff = { initialMs: 1_000, maxMs: 30_000, resetAfterMs: 600_000 }

/**
 * When an ended container may start again (milliseconds since the epoch) and the wait that its next restart will know.
 * As a kubelet does: the first restart comes at once, the second after `initialMs`, then the wait doubles.
 */
export function nextRestart(record: ContainerRecord, backoff: RestartBackoff): { at: number; backoffMs: number } {
  if (record.state.kind === 'waiting') return { at: record.state.until ?? 0, backoffMs: record.backoffMs }
  if (record.state.kind === 'running') return { at: record.state.startedAt, backoffMs: record.backoffMs }
  const { startedAt, finishedAt } = record.state
  const wait = finishedAt - startedAt >= backoff.resetAfterMs ? 0 : record.backoffMs
  const grown = wait === 0 ? backoff.initialMs : wait * 2
  return { at: finishedAt + wait, backoffMs: Math.min(grown, backoff.maxMs) }
}
