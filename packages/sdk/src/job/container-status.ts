import type { ContainerStatus, Pod } from '@trainjob/api'

/** Status of a container or an init container. */
export function containerStatusOf(pod: Pod, container: string): ContainerStatus | undefined {
  const { containerStatuses, initContainerStatuses } = pod.status ?? {}
  return (
    containerStatuses?.find((one) => one.name === container) ??
    initContainerStatuses?.find((one) => one.name === container)
  )
}

/** How often the container has been started, so far as its status says. */
export function startsOf(status: ContainerStatus | undefined): number {
  if (status === undefined) return 0
  const exists = status.state?.running ?? status.state?.terminated ?? status.lastState?.terminated
  return exists === undefined ? 0 : status.restartCount + 1
}

/** Nothing of the pod runs any more, nor will again. */
export function isPodOver(pod: Pod): boolean {
  return pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed'
}
