import type { RunView, TrainJobState } from '@trainjob/sdk'
import { elapsed } from '../../output/elapsed.ts'
import type { Metrics } from './metrics.ts'

/** Where a job stands, in numbers. */
export interface Progress {
  readonly state: TrainJobState
  /** Nodes that run or ran to their end, of all that are known. */
  readonly ready: number
  readonly nodes: number
  /** Of containers, pods and the whole job, together. */
  readonly restarts: number
  /** Why a node waits, if one does. */
  readonly waiting?: string
}

/** `expected`: how many nodes the job will have, before they are there. */
export function progressOf({ state, steps, jobSet }: RunView, expected: number): Progress {
  const ready = steps.filter((step) => step.ready || step.phase === 'Succeeded').length
  const restarts = steps.reduce((sum, step) => sum + step.restarts, jobSet?.status?.restarts ?? 0)
  const waits = steps.find(({ phase, reason }) => phase === 'Pending' && reason !== undefined && !PASSING.has(reason))
  const waiting = waits === undefined ? undefined : [waits.reason, waits.message].filter(Boolean).join(': ')
  return {
    state,
    ready,
    nodes: Math.max(expected, steps.length),
    restarts,
    ...(waits === undefined ? {} : { waiting: `${waits.node}: ${waiting}` }),
  }
}

/** Reasons that every pod has for a moment. */
const PASSING: ReadonlySet<string> = new Set(['ContainerCreating', 'PodInitializing', 'Scheduled'])

/** `Running · 3/4 nodes ready · 2 restarts · 41 s · loss 0.061`; without `metrics` as it stands in a log. */
export function progressLine(progress: Progress, ms: number | undefined, metrics?: Metrics): string {
  const { state, ready, nodes, restarts, waiting } = progress
  const parts = [state, `${ready}/${nodes} ${nodes === 1 ? 'node' : 'nodes'} ready`]
  if (restarts > 0) parts.push(`${restarts} ${restarts === 1 ? 'restart' : 'restarts'}`)
  if (waiting !== undefined && state === 'Pending') parts.push(waiting)
  if (ms !== undefined) parts.push(ms < 60_000 ? `${Math.floor(ms / 1000)} s` : elapsed(ms))
  for (const [name, value] of metrics?.latest() ?? []) parts.push(`${name} ${value}`)
  return parts.join(' · ')
}
