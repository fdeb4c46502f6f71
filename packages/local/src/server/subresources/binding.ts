import type { Pod } from '@trainjob/api'
import type { KubeObject, Status } from '@trainjob/kube'
import { type ApiCall, writeParametersOf } from '../api-call.ts'
import { type ApiResponse, jsonResponse } from '../api-response.ts'
import { badRequest, conflict, notFound } from '../failures.ts'
import { rfc3339 } from '../rfc3339.ts'
import { storeKey } from '../served-resource.ts'
import type { ServerContext } from '../server-context.ts'
import { reviewedContent } from '../webhooks/reviewed-content.ts'
import { reviewedWrite } from '../webhooks/reviewed-write.ts'

/** POST of a `Binding`: the pod is to run on this node. Says so in the condition PodScheduled, in one write. */
export function bindPod(context: ServerContext, call: ApiCall): ApiResponse | Promise<ApiResponse> {
  const { dryRun, warnings } = writeParametersOf(call)
  const write = { ...reviewedWrite(call, 'CREATE', call.name, dryRun), content: BINDING }
  if (!context.webhooks.concern(write)) return bind(context, call, dryRun)
  const body = { kind: 'Binding', apiVersion: 'v1', ...(call.body as object) }
  return reviewedContent(context, write, body, null, warnings).then((reviewed) =>
    bind(context, { ...call, body: reviewed }, dryRun),
  )
}

const BINDING = { group: '', version: 'v1', kind: 'Binding' }

function bind(context: ServerContext, call: ApiCall, dryRun: boolean): ApiResponse {
  const { resource, namespace = '', name = '', collection } = call
  const { target, metadata } = (call.body ?? {}) as { target?: { name?: unknown }; metadata?: { uid?: string } }
  const node = target?.name
  if (typeof node !== 'string' || node === '') throw badRequest('a Binding needs target.name, the name of a node')
  const current = context.store.get(collection, storeKey(resource, namespace, name)) as Pod | undefined
  if (current === undefined) throw notFound(resource, name)
  if (metadata?.uid !== undefined && metadata.uid !== current.metadata.uid) {
    throw conflict(
      { plural: 'pods/binding', group: '' },
      name,
      `Precondition failed: UID in precondition: ${metadata.uid}, UID in object meta: ${current.metadata.uid}`,
    )
  }
  if (current.metadata.deletionTimestamp !== undefined) {
    throw conflict(
      { plural: 'pods/binding', group: '' },
      name,
      `pod ${name} is being deleted, cannot be assigned to a host`,
    )
  }
  if (current.spec.nodeName) {
    throw conflict(
      { plural: 'pods/binding', group: '' },
      name,
      `pod ${name} is already assigned to node "${current.spec.nodeName}"`,
    )
  }
  const bound = boundTo(current, node, rfc3339(context.clock.now()))
  if (!dryRun) {
    context.store.update(
      collection,
      storeKey(resource, namespace, name),
      bound as KubeObject,
      current.metadata.resourceVersion ?? '',
    )
  }
  const done: Status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 }
  return jsonResponse(done, 201)
}

function boundTo(pod: Pod, nodeName: string, now: string): Pod {
  const others = (pod.status?.conditions ?? []).filter((condition) => condition.type !== 'PodScheduled')
  return {
    ...pod,
    spec: { ...pod.spec, nodeName },
    status: {
      ...pod.status,
      conditions: [...others, { type: 'PodScheduled', status: 'True', lastTransitionTime: now }],
    },
  }
}
