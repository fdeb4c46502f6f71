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

/** Whether a container that ended this way gets another attempt. */
function restarts(record: ContainerRecord, policy: RestartPolicy, exitCode: number): boolean {
  if (record.role === 'sidecar') return true
  if (policy === 'Never') return false
  // An init container that succeeded has done its work, whatever the policy.
  return exitCode !== 0 || (policy === 'Always' && record.role === 'main')
}

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
  if (record.ending !== undefined) return wind(record)
  const policy = spec.restartPolicy ?? 'Always'
  const start: string[] = []
  const backingOff: string[] = []
  let wakeAt = Number.POSITIVE_INFINITY
  const begin = (container: ContainerRecord): void => {
    const { at } = nextRestart(container, backoff)
    if (at <= now) start.push(container.name)
    else {
      if (container.state.kind === 'terminated') backingOff.push(container.name)
      wakeAt = Math.min(wakeAt, at)
    }
  }
  const answer = (): Decision => ({
    start,
    terminate: [],
    backingOff,
    ...(wakeAt === Number.POSITIVE_INFINITY ? {} : { wakeAt }),
    done: false,
  })

  for (const container of record.containers) {
    if (container.role === 'main') continue
    const { state } = container
    if (state.kind === 'waiting') begin(container)
    else if (state.kind === 'terminated' && (container.role === 'sidecar' || state.exitCode !== 0)) {
      if (!restarts(container, policy, state.exitCode)) return wind(record)
      if (!mainsEnded(record, policy)) begin(container)
    }
    const passed =
      container.role === 'sidecar' ? container.started : state.kind === 'terminated' && state.exitCode === 0
    // A sidecar that crashes later does not send the main containers back behind it.
    if (!passed && !(container.role === 'sidecar' && mainsBegan(record))) return answer()
  }
  if (mainsEnded(record, policy)) return wind(record)
  for (const container of record.containers) {
    if (container.role !== 'main') continue
    if (container.state.kind === 'waiting') begin(container)
    else if (container.state.kind === 'terminated' && restarts(container, policy, container.state.exitCode)) {
      begin(container)
    }
  }
  return answer()
}

function mainsBegan(record: PodRecord): boolean {
  return record.containers.some((c) => c.role === 'main' && (c.state.kind !== 'waiting' || c.attempt > 0))
}

function mainsEnded(record: PodRecord, policy: RestartPolicy): boolean {
  return record.containers.every(
    (c) => c.role !== 'main' || (c.state.kind === 'terminated' && !restarts(c, policy, c.state.exitCode)),
  )
}

/** Main and init containers end first, then sidecars, the last started first. */
function wind(record: PodRecord): Decision {
  const running = record.containers.filter((c) => c.state.kind === 'running')
  const work = running.filter((c) => c.role !== 'sidecar')
  const next = work.length > 0 ? work : running.slice(-1)
  return { start: [], terminate: next.map((c) => c.name), backingOff: [], done: running.length === 0 }
}
