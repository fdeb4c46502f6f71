import type { ContainerStatus, Pod } from '@trainjob/api'
import type { LogOptions } from '@trainjob/kube'
import type { ApiCall } from '../api-call.ts'
import type { ApiResponse } from '../api-response.ts'
import { badRequest, notFound } from '../failures.ts'
import { storeKey } from '../served-resource.ts'
import type { ServerContext } from '../server-context.ts'
import { chooseContainer } from './choose-container.ts'
import { logOptionsOf } from './log-options.ts'

/** GET of what a container of a pod printed: 204 while the pod has no node, then plain text. */
export function podLog(context: ServerContext, call: ApiCall): ApiResponse {
  const { resource, namespace = '', name = '', query, signal } = call
  const pod = context.store.get(call.collection, storeKey(resource, namespace, name)) as Pod | undefined
  if (pod === undefined) throw notFound(resource, name)
  const options: LogOptions = { ...logOptionsOf(query, name), ...(signal !== undefined && { signal }) }
  const container = chooseContainer(pod, options.container)
  if (!pod.spec.nodeName) return { status: 204, headers: {}, body: { type: 'none' } }
  checkStarted(pod, container, options.previous === true)
  return {
    status: 200,
    headers: { 'content-type': 'text/plain' },
    body: { type: 'bytes', chunks: context.logs.open(pod, container, { ...options, container }) },
  }
}

/** Refuses logs that do not exist yet, for the reasons a kubelet gives. */
function checkStarted(pod: Pod, container: string, previous: boolean): void {
  const found = statusOf(pod, container)
  const where = `container "${container}" in pod "${pod.metadata.name}"`
  const { running, terminated, waiting } = found?.state ?? {}
  const ended = found?.lastState?.terminated
  if (previous) {
    if (ended === undefined) throw badRequest(`previous terminated ${where} not found`)
    return
  }
  if (running !== undefined || terminated !== undefined || ended !== undefined) return
  throw badRequest(`${where} is waiting to start: ${waiting?.reason ?? 'ContainerCreating'}`)
}

function statusOf({ status }: Pod, container: string): ContainerStatus | undefined {
  return [...(status?.containerStatuses ?? []), ...(status?.initContainerStatuses ?? [])].find(
    ({ name }) => name === container,
  )
}
