import type { Pod } from '@trainjob/api'
import { containerStatusOf } from '../job/container-status.ts'
import { mainContainerOf, nodeNameOf, replicatedJobOf } from '../job/node-name.ts'
import type { LogsOptions } from '../log-line.ts'

/** Whether the pod is one of the nodes that were asked for, each named by itself or by its replicated job. */
export function isSelected(pod: Pod, node: LogsOptions['node']): boolean {
  if (node === undefined) return true
  const names = typeof node === 'string' ? [node] : node
  return names.includes(nodeNameOf(pod)) || names.includes(replicatedJobOf(pod))
}

/** The container to read, or nothing when this pod has none of that name. */
export function containerToRead(pod: Pod, container: string | undefined): string | undefined {
  if (container === undefined) return mainContainerOf(pod)
  const { containers, initContainers = [] } = pod.spec
  const has = [...containers, ...initContainers].some((one) => one.name === container)
  return has || containerStatusOf(pod, container) !== undefined ? container : undefined
}
