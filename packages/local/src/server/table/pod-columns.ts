import type { ContainerState, ContainerStatus, Pod } from '@trainjob/api'
import type { KubeObject } from '@trainjob/kube'
import { type Column, column, NAME, WIDE } from './column.ts'
import { ageText } from './duration-text.ts'

const NONE = '<none>'

/** What kubectl shows of a pod (source: pkg/printers/internalversion, printPod). */
export const POD_COLUMNS: readonly Column[] = [
  NAME,
  column('Ready', (object) => {
    const { spec } = object as Pod
    const { ready } = summaryOf(object as Pod)
    return `${ready}/${spec.containers.length + sidecarsOf(object as Pod).length}`
  }),
  column('Status', (object) => summaryOf(object as Pod).reason),
  column('Restarts', (object, now) => {
    const { restarts, lastRestart } = summaryOf(object as Pod)
    return lastRestart === undefined ? String(restarts) : `${restarts} (${ageText(lastRestart, now)} ago)`
  }),
  column('Age', ({ metadata }, now) => ageText(metadata.creationTimestamp, now)),
  column('IP', (object) => (object as Pod).status?.podIP || NONE, WIDE),
  column('Node', (object) => (object as Pod).spec.nodeName || NONE, WIDE),
  column('Nominated Node', (object) => statusText(object, 'nominatedNodeName'), WIDE),
  column('Readiness Gates', (object) => gatesOf(object as Pod), WIDE),
]

/** Conditions of the row of a pod that is done: clients may leave such rows out. */
export function podRowConditions(object: KubeObject): readonly object[] | undefined {
  const phase = (object as Pod).status?.phase
  if (phase === 'Succeeded') return [completed('Succeeded', 'The pod has completed successfully.')]
  return phase === 'Failed' ? [completed('Failed', 'The pod failed.')] : undefined
}

function completed(reason: string, message: string): object {
  return { type: 'Completed', status: 'True', reason, message }
}

interface Summary {
  readonly reason: string
  readonly ready: number
  readonly restarts: number
  readonly lastRestart: string | undefined
}

/** Status and counters of a pod in the words of kubectl. */
function summaryOf(pod: Pod): Summary {
  const { status, metadata } = pod
  const counts = new Counts()
  let reason = status?.reason || status?.phase || ''
  if (conditionOf(pod, 'PodScheduled')?.reason === 'SchedulingGated') reason = 'SchedulingGated'
  const initializing = initReason(pod, counts)
  if (initializing !== undefined) reason = initializing
  if (initializing === undefined || conditionOf(pod, 'Initialized')?.status === 'True') {
    counts.forgetAllBut(counts.sidecarRestarts)
    let running = false
    for (const container of (status?.containerStatuses ?? []).toReversed()) {
      counts.add(container)
      const { state = {}, ready } = container
      reason = state.waiting?.reason || endReason(state) || reason
      if (ready === true && state.running !== undefined) {
        running = true
        counts.ready++
      }
    }
    if (reason === 'Completed' && running) {
      reason = conditionOf(pod, 'Ready')?.status === 'True' ? 'Running' : 'NotReady'
    }
  }
  const ended = status?.phase === 'Succeeded' || status?.phase === 'Failed'
  if (metadata.deletionTimestamp !== undefined && !ended) {
    reason = status?.reason === 'NodeLost' ? 'Unknown' : 'Terminating'
  }
  return { reason, ready: counts.ready, restarts: counts.restarts, lastRestart: counts.lastRestart }
}

class Counts {
  ready = 0
  restarts = 0
  sidecarRestarts = 0
  lastRestart: string | undefined

  add({ restartCount, lastState }: ContainerStatus): void {
    this.restarts += restartCount ?? 0
    const at = lastState?.terminated?.finishedAt
    if (at !== undefined && (this.lastRestart === undefined || at > this.lastRestart)) this.lastRestart = at
  }

  /** Restarts of init containers that are done count no more. */
  forgetAllBut(restarts: number): void {
    this.restarts = restarts
  }
}

/** Why the pod is not initialized yet; `undefined` when it is. */
function initReason(pod: Pod, counts: Counts): string | undefined {
  const statuses = pod.status?.initContainerStatuses ?? []
  const sidecars = new Set(sidecarsOf(pod))
  for (const [index, container] of statuses.entries()) {
    counts.add(container)
    const { state = {}, started, ready } = container
    if (sidecars.has(container.name)) counts.sidecarRestarts += container.restartCount ?? 0
    if (state.terminated?.exitCode === 0) continue
    if (sidecars.has(container.name) && started === true) {
      if (ready === true) counts.ready++
      continue
    }
    const end = endReason(state)
    if (end !== undefined) return `Init:${end}`
    const waiting = state.waiting?.reason
    if (waiting && waiting !== 'PodInitializing') return `Init:${waiting}`
    return `Init:${index}/${pod.spec.initContainers?.length ?? 0}`
  }
  return undefined
}

function endReason({ terminated }: ContainerState): string | undefined {
  if (terminated === undefined || terminated === null) return undefined
  if (terminated.reason) return terminated.reason
  return terminated.signal ? `Signal:${terminated.signal}` : `ExitCode:${terminated.exitCode}`
}

function sidecarsOf({ spec }: Pod): string[] {
  return (spec.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always').map(({ name }) => name)
}

function conditionOf({ status }: Pod, type: string) {
  return status?.conditions?.find((condition) => condition.type === type)
}

function gatesOf(pod: Pod): string {
  const { readinessGates } = pod.spec as { readinessGates?: readonly { conditionType: string }[] }
  if (readinessGates === undefined || readinessGates.length === 0) return NONE
  const met = readinessGates.filter(({ conditionType }) => conditionOf(pod, conditionType)?.status === 'True')
  return `${met.length}/${readinessGates.length}`
}

function statusText(object: KubeObject, field: string): string {
  const value = ((object as Pod).status as Record<string, unknown> | undefined)?.[field]
  return typeof value === 'string' && value !== '' ? value : NONE
}
