import { type Pod, WRITTEN_AS_ANNOTATION } from '@trainjob/api'
import { containerStatusOf } from '../job/container-status.ts'
import { mainContainerOf, nodeNameOf, replicatedJobOf } from '../job/node-name.ts'
import type { LogsOptions } from '../log-line.ts'

/**
 * Whether the pod is one of the nodes that were asked for, each named by itself or by its replicated job; where its
 * runtime was translated, also by the name that was written there.
 */
export function isSelected(pod: Pod, node: LogsOptions['node']): boolean {
  if (node === undefined) return true
  const names = typeof node === 'string' ? [node] : node
  const own = nodeNameOf(pod)
  const job = replicatedJobOf(pod)
  const [written] = writtenNames(pod)
  return [own, job, ...(written === undefined ? [] : [written, `${written}${own.slice(job.length)}`])].some((name) =>
    names.includes(name),
  )
}

/** How the replicated job and the container were called in the runtime, where they are called otherwise now. */
function writtenNames(pod: Pod): readonly (string | undefined)[] {
  return pod.metadata.annotations?.[WRITTEN_AS_ANNOTATION]?.split('/') ?? []
}

/** The container to read, or nothing when this pod has none of that name. */
export function containerToRead(pod: Pod, container: string | undefined): string | undefined {
  if (container === undefined) return mainContainerOf(pod)
  const { containers, initContainers = [] } = pod.spec
  const has = [...containers, ...initContainers].some((one) => one.name === container)
  if (has || containerStatusOf(pod, container) !== undefined) return container
  const [, written] = writtenNames(pod)
  return written === container ? mainContainerOf(pod) : undefined
}
