import type { Container, Pod } from '@trainjob/api'

/** Why a container has not started. */
interface Waiting {
  readonly kind: 'waiting'
  readonly reason: string
  readonly message?: string
  /** No attempt before this time (milliseconds since the epoch). */
  readonly until?: number
}

/** A process of the container lives. */
interface Running {
  readonly kind: 'running'
  /** Milliseconds since the epoch. */
  readonly startedAt: number
}

/** The container ended; times in milliseconds since the epoch. */
export interface Terminated {
  readonly kind: 'terminated'
  readonly exitCode: number
  readonly signal?: number
  readonly reason: string
  readonly message?: string
  readonly startedAt: number
  readonly finishedAt: number
}

export type ContainerRecordState = Waiting | Running | Terminated

/**
 * What the node agent knows about one container of a pod. `init` containers run to their end one after the other,
 * `sidecar` ones (init containers that restart always) keep running beside the `main` ones.
 */
export interface ContainerRecord {
  readonly name: string
  readonly role: 'init' | 'sidecar' | 'main'
  readonly spec: Container
  /** Number of the attempt that `state` is about; 0 is the first. */
  readonly attempt: number
  readonly state: ContainerRecordState
  /** How the attempt before ended. */
  readonly last?: Terminated
  /** Wait before the restart after the next one, in ms; 0 before the first restart. */
  readonly backoffMs: number
  /** The startup probe has passed, or there is none and it runs. */
  readonly started: boolean
  /** The readiness probe passes, or there is none and it runs. */
  readonly ready: boolean
}

/** Everything that decides what happens to a pod next and what its status says. */
export interface PodRecord {
  /** Init containers in order, then the main ones. */
  readonly containers: readonly ContainerRecord[]
  /** Milliseconds since the epoch. */
  readonly startTime: number
  /** Set once the pod must end, whatever its containers would do. */
  readonly ending?: {
    readonly reason?: string
    readonly message?: string
    /** The engine stops, the pod does not: when the engine comes back, its restart policy decides. */
    readonly suspended?: true
  }
}

/** The record of a pod that this node takes over: fresh, or with what its status says about attempts before. */
export function takeOver(pod: Pod, now: number): PodRecord {
  const known = new Map(
    [...(pod.status?.initContainerStatuses ?? []), ...(pod.status?.containerStatuses ?? [])].map((status) => [
      status.name,
      status,
    ]),
  )
  const record = (spec: Container, role: ContainerRecord['role']): ContainerRecord => {
    const before = known.get(spec.name)
    const fresh = { name: spec.name, role, spec, backoffMs: 0, started: false, ready: false }
    const waiting: Waiting = { kind: 'waiting', reason: 'ContainerCreating' }
    const ended = before?.state?.terminated ?? (before?.state?.waiting && before.lastState?.terminated)
    if (before === undefined || (ended === undefined && before.state?.running === undefined)) {
      return { ...fresh, attempt: before?.restartCount ?? 0, state: waiting }
    }
    const since = (text: string | undefined): number => (text === undefined ? now : Date.parse(text))
    const state: Terminated = {
      kind: 'terminated',
      exitCode: ended?.exitCode ?? 137,
      reason: ended?.reason ?? 'ContainerStatusUnknown',
      ...(ended === undefined ? { message: 'the engine stopped while the container ran' } : {}),
      ...(ended?.message === undefined ? {} : { message: ended.message }),
      ...(ended?.signal === undefined ? {} : { signal: ended.signal }),
      startedAt: since(ended?.startedAt ?? before.state?.running?.startedAt),
      finishedAt: since(ended?.finishedAt),
    }
    return { ...fresh, attempt: before.restartCount, state }
  }
  return {
    containers: [
      ...(pod.spec.initContainers ?? []).map((c) => record(c, c.restartPolicy === 'Always' ? 'sidecar' : 'init')),
      ...pod.spec.containers.map((c) => record(c, 'main')),
    ],
    startTime: pod.status?.startTime === undefined ? now : Date.parse(pod.status.startTime),
  }
}
