import type { ContainerStatus, Pod, PodCondition, PodStatus } from '@trainjob/api'
import type { PodState } from './scenario.ts'

const HOUR_MS = 3_600_000
/** Exit code of a process that SIGTERM ended. */
const TERMINATED = 143

/**
 * The status that a kubelet writes for a pod in this state.
 *
 * @param now in milliseconds since the epoch
 */
export function podStatus(pod: Pod, state: Exclude<PodState, 'vanished'>, now: number): PodStatus {
  if (state === 'running') return alive(pod, false, 0, now)
  if (state === 'ready') return alive(pod, true, 0, now)
  if (state === 'succeeded') return ended(pod, 0, now - HOUR_MS)
  if (state === 'gone') return ended(pod, TERMINATED, now)
  if ('restarts' in state) return alive(pod, true, state.restarts, now)
  if ('exitCode' in state) return ended(pod, state.exitCode, state.now ? now : now - HOUR_MS)
  const status = ended(pod, TERMINATED, now - HOUR_MS)
  const disruption = condition('DisruptionTarget', true, now, state.disrupted)
  return { ...status, conditions: [...(status.conditions ?? []), disruption] }
}

function alive(pod: Pod, ready: boolean, restartCount: number, now: number): PodStatus {
  const state: ContainerStatus['state'] = { running: { startedAt: time(now) } }
  return {
    phase: 'Running',
    startTime: time(now),
    conditions: conditions(ready, now),
    containerStatuses: containers(pod, { ready, restartCount, started: true, state }),
  }
}

function ended(pod: Pod, exitCode: number, at: number): PodStatus {
  const reason = exitCode === 0 ? 'Completed' : 'Error'
  const terminated = { exitCode, reason, startedAt: time(at), finishedAt: time(at) }
  return {
    phase: exitCode === 0 ? 'Succeeded' : 'Failed',
    startTime: time(at),
    conditions: conditions(false, at),
    containerStatuses: containers(pod, { ready: false, restartCount: 0, started: false, state: { terminated } }),
  }
}

function containers(
  pod: Pod,
  status: Pick<ContainerStatus, 'ready' | 'restartCount' | 'started' | 'state'>,
): ContainerStatus[] {
  return pod.spec.containers.map(({ name, image = '' }) => ({ name, image, imageID: image, ...status }))
}

function conditions(ready: boolean, now: number): PodCondition[] {
  return [
    condition('PodScheduled', true, now),
    condition('Initialized', true, now),
    condition('ContainersReady', ready, now),
    condition('Ready', ready, now),
  ]
}

function condition(type: string, isTrue: boolean, now: number, reason?: string): PodCondition {
  const status = isTrue ? 'True' : 'False'
  return { type, status, lastTransitionTime: time(now), ...(reason !== undefined && { reason }) }
}

function time(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d+/, '')
}
