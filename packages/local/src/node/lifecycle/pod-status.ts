import type { ContainerState, ContainerStatus, PodCondition, PodSpec, PodStatus } from '@trainjob/api'
import type { ContainerRecord, ContainerRecordState, PodRecord } from './container-record.ts'
import { podConditions } from './pod-conditions.ts'
import { podPhase } from './pod-phase.ts'

/** What a pod's status says besides its containers. */
export interface PodPlace {
  readonly hostIP: string
  readonly podIP: string
  readonly uid: string
  /** `name_namespace(uid)`, as in a kubelet's messages. */
  readonly name: string
}

/**
 * The whole status of a pod, as a kubelet would write it. `backingOff` names the ended containers that wait for their
 * next attempt: they are shown as waiting.
 */
export function podStatus(
  spec: Pick<PodSpec, 'restartPolicy'>,
  record: PodRecord,
  backingOff: readonly string[],
  before: readonly PodCondition[],
  place: PodPlace,
  now: number,
): PodStatus {
  const phase = podPhase(spec, record)
  const final = phase === 'Failed' || phase === 'Succeeded'
  const waitsForInit = record.containers.some((c) => c.role === 'init' && c.state.kind !== 'terminated')
  const status = (c: ContainerRecord): ContainerStatus =>
    containerStatus(backingOff.includes(c.name) ? inBackOff(c, place) : c, place, final, waitsForInit)
  const inits = record.containers.filter((c) => c.role !== 'main').map(status)
  return {
    phase,
    conditions: podConditions(phase, record, before, timestamp(now)),
    ...(record.ending?.reason === undefined ? {} : { reason: record.ending.reason }),
    ...(record.ending?.message === undefined ? {} : { message: record.ending.message }),
    hostIP: place.hostIP,
    podIP: place.podIP,
    podIPs: [{ ip: place.podIP }],
    startTime: timestamp(record.startTime),
    ...(inits.length === 0 ? {} : { initContainerStatuses: inits }),
    containerStatuses: record.containers.filter((c) => c.role === 'main').map(status),
  }
}

function inBackOff(c: ContainerRecord, place: PodPlace): ContainerRecord {
  if (c.state.kind !== 'terminated') return c
  const message = `back-off ${c.backoffMs / 1000}s restarting failed container=${c.name} pod=${place.name}`
  // The attempt that ended keeps its number until the next one begins.
  return { ...c, state: { kind: 'waiting', reason: 'CrashLoopBackOff', message }, last: c.state }
}

function containerStatus(c: ContainerRecord, place: PodPlace, final: boolean, waitsForInit: boolean): ContainerStatus {
  const containerID = `process://${place.uid}/${c.name}/${c.attempt}`
  const previous = c.state.kind === 'waiting' && c.state.reason === 'CrashLoopBackOff' ? c.attempt : c.attempt - 1
  let state = stateOnTheWire(c.state, containerID)
  if (state.waiting !== undefined && final) {
    // A pod that is over has no container that may still start; a kubelet reports those that never did like this.
    state = {
      terminated: { exitCode: 137, reason: 'ContainerStatusUnknown', message: 'the container did not start' },
    }
  } else if (state.waiting?.reason === 'ContainerCreating' && c.role === 'main' && waitsForInit) {
    state = { waiting: { reason: 'PodInitializing' } }
  }
  return {
    name: c.name,
    ready: c.role === 'init' ? c.state.kind === 'terminated' && c.state.exitCode === 0 : c.ready,
    started: c.started,
    restartCount: c.attempt,
    image: c.spec.image ?? '',
    imageID: '',
    ...(c.state.kind === 'waiting' && c.last === undefined ? {} : { containerID }),
    state,
    lastState: c.last === undefined ? {} : stateOnTheWire(c.last, `process://${place.uid}/${c.name}/${previous}`),
  }
}

function stateOnTheWire(state: ContainerRecordState, containerID: string): ContainerState {
  switch (state.kind) {
    case 'waiting':
      return { waiting: { reason: state.reason, ...(state.message === undefined ? {} : { message: state.message }) } }
    case 'running':
      return { running: { startedAt: timestamp(state.startedAt) } }
    case 'terminated':
      return {
        terminated: {
          exitCode: state.exitCode,
          ...(state.signal === undefined ? {} : { signal: state.signal }),
          reason: state.reason,
          ...(state.message === undefined ? {} : { message: state.message }),
          startedAt: timestamp(state.startedAt),
          finishedAt: timestamp(state.finishedAt),
          containerID,
        },
      }
  }
}

/** `metav1.Time`: whole seconds. */
function timestamp(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`
}
