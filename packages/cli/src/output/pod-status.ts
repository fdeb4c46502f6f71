import type { Pod } from '@trainjob/api'

/** The STATUS column of kubectl: the phase, unless a container or a deletion says more. */
export function podStatus(pod: Pod): string {
  const { status } = pod
  if (pod.metadata.deletionTimestamp !== undefined) return 'Terminating'
  const inits = status?.initContainerStatuses ?? []
  for (const [at, { state }] of inits.entries()) {
    const reason = state?.waiting?.reason ?? failureOf(state?.terminated)
    if (reason !== undefined && reason !== 'PodInitializing') return `Init:${reason}`
    if (state?.running !== undefined) return `Init:${at}/${inits.length}`
  }
  for (const { state } of (status?.containerStatuses ?? []).toReversed()) {
    if (state?.waiting?.reason !== undefined) return state.waiting.reason
    if (state?.terminated !== undefined && status?.phase !== 'Running') {
      return state.terminated.reason ?? failureOf(state.terminated) ?? 'Completed'
    }
  }
  return status?.reason ?? status?.phase ?? 'Pending'
}

function failureOf(terminated: { exitCode: number; signal?: number; reason?: string } | undefined): string | undefined {
  if (terminated === undefined || terminated.exitCode === 0) return undefined
  if (terminated.reason !== undefined && terminated.reason !== '') return terminated.reason
  return terminated.signal === undefined ? `ExitCode:${terminated.exitCode}` : `Signal:${terminated.signal}`
}
