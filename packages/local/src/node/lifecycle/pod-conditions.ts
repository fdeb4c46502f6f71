import type { PodCondition, PodStatus } from '@trainjob/api'
import type { ContainerRecord, PodRecord } from './container-record.ts'

const OWN_TYPES: readonly string[] = ['PodScheduled', 'Initialized', 'ContainersReady', 'Ready']

/**
 * The conditions a kubelet writes. Those of other writers are kept; `lastTransitionTime` moves only with `status`.
 * `now` is an RFC 3339 time.
 */
export function podConditions(
  phase: NonNullable<PodStatus['phase']>,
  record: PodRecord,
  before: readonly PodCondition[],
  now: string,
): PodCondition[] {
  const condition = (type: string, wanted: Verdict): PodCondition => {
    const old = before.find((c) => c.type === type)
    const lastTransitionTime = old?.status === wanted.status ? (old.lastTransitionTime ?? now) : now
    return { type, ...wanted, lastTransitionTime }
  }
  const ready = readiness(phase, record)
  const own = [
    condition('PodScheduled', { status: 'True' }),
    condition('Initialized', initialized(phase, record)),
    condition('ContainersReady', ready),
    condition('Ready', ready),
  ]
  return [...own, ...before.filter((c) => !OWN_TYPES.includes(c.type))]
}

interface Verdict {
  readonly status: 'True' | 'False'
  readonly reason?: string
  readonly message?: string
}

function initialized(phase: string, record: PodRecord): Verdict {
  if (phase === 'Succeeded') return { status: 'True', reason: 'PodCompleted' }
  const incomplete = record.containers.filter((c) =>
    c.role === 'init'
      ? !(c.state.kind === 'terminated' && c.state.exitCode === 0)
      : c.role === 'sidecar' && !c.started && c.last === undefined,
  )
  if (incomplete.length === 0) return { status: 'True' }
  return {
    status: 'False',
    reason: 'ContainersNotInitialized',
    message: `containers with incomplete status: [${names(incomplete)}]`,
  }
}

function readiness(phase: string, record: PodRecord): Verdict {
  if (phase === 'Succeeded') return { status: 'False', reason: 'PodCompleted' }
  if (phase === 'Failed') return { status: 'False', reason: 'PodFailed' }
  const unready = record.containers.filter((c) => c.role !== 'init' && !c.ready)
  if (unready.length === 0) return { status: 'True' }
  return {
    status: 'False',
    reason: 'ContainersNotReady',
    message: `containers with unready status: [${names(unready)}]`,
  }
}

function names(containers: readonly ContainerRecord[]): string {
  return containers.map((c) => c.name).join(' ')
}
