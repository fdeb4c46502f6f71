import type { PodSpec } from '@trainjob/api'
import type { ContainerRecord, PodRecord } from './container-record.ts'
import { nextRestart, type RestartBackoff } from './restart-backoff.ts'

/** What has to happen to a pod now. */
export interface Decision {
  /** Containers to start, first attempts and restarts. */
  readonly start: readonly string[]
  /** Containers to terminate within the grace period. */
  readonly terminate: readonly string[]
  /** Ended containers that wait for their next attempt. */
  readonly backingOff: readonly string[]
  /** Look again at this time (milliseconds since the epoch). */
  readonly wakeAt?: number
  /** Nothing runs and nothing will. */
  readonly done: boolean
}

type RestartPolicy = NonNullable<PodSpec['restartPolicy']>

/**
 * The next step of a pod, from what its containers do now: a kubelet's rules for init containers, sidecars and restart
 * policies. It looks at nothing else and changes nothing.
 */
export function decide(
  spec: Pick<PodSpec, 'restartPolicy'>,
  record: PodRecord,
  now: number,
  backoff: RestartBackoff,
): Decision {
  const policy = spec.restartPolicy ?? 'Always'
  if (isOver(record, policy)) return wind(record)
  const start: string[] = []
  const backingOff: string[] = []
  let wakeAt = Number.POSITIVE_INFINITY
  for (const container of due(record, policy)) {
    const { at } = nextRestart(container, backoff)
    if (at <= now) {
      start.push(container.name)
      continue
    }
    if (container.state.kind === 'terminated') backingOff.push(container.name)
    wakeAt = Math.min(wakeAt, at)
  }
  return {
    start,
    terminate: [],
    backingOff,
    ...(wakeAt === Number.POSITIVE_INFINITY ? {} : { wakeAt }),
    done: false,
  }
}

/** The containers that should run and do not, as far as those before them let them. */
function due(record: PodRecord, policy: RestartPolicy): ContainerRecord[] {
  const waiting: ContainerRecord[] = []
  for (const container of record.containers) {
    if (container.role !== 'main' && wantsAttempt(container, policy)) waiting.push(container)
    if (!letsOthersStart(container, record)) return waiting
  }
  return [...waiting, ...record.containers.filter((c) => c.role === 'main' && wantsAttempt(c, policy))]
}

/** Whether a container should get its first or another attempt. */
function wantsAttempt({ role, state }: ContainerRecord, policy: RestartPolicy): boolean {
  if (state.kind !== 'terminated') return state.kind === 'waiting'
  if (role === 'sidecar') return true
  if (policy === 'Never') return false
  // An init container that succeeded has done its work, whatever the policy.
  return state.exitCode !== 0 || (policy === 'Always' && role === 'main')
}

/** Init containers run one after the other, and before the main ones. */
function letsOthersStart(container: ContainerRecord, record: PodRecord): boolean {
  if (container.role === 'main') return true
  if (container.role === 'init') return container.state.kind === 'terminated' && container.state.exitCode === 0
  // A sidecar that crashes later does not send the main containers back behind it.
  return container.started || record.containers.some((c) => c.role === 'main' && hasBegun(c))
}

function hasBegun({ state, attempt }: ContainerRecord): boolean {
  return state.kind !== 'waiting' || attempt > 0
}

/** The pod has to end, has failed to initialise, or its main containers have done what they will do. */
function isOver(record: PodRecord, policy: RestartPolicy): boolean {
  if (record.ending !== undefined) return true
  const ended = (c: ContainerRecord): boolean => c.state.kind === 'terminated' && !wantsAttempt(c, policy)
  const failedInit = record.containers.some(
    (c) => c.role === 'init' && ended(c) && c.state.kind === 'terminated' && c.state.exitCode !== 0,
  )
  return failedInit || record.containers.every((c) => c.role !== 'main' || ended(c))
}

/** Main and init containers end first, then sidecars, the last started first. */
function wind(record: PodRecord): Decision {
  const running = record.containers.filter((c) => c.state.kind === 'running')
  const work = running.filter((c) => c.role !== 'sidecar')
  const next = work.length > 0 ? work : running.slice(-1)
  return { start: [], terminate: next.map((c) => c.name), backingOff: [], done: running.length === 0 }
}
