import { type TrainJob, TrainJobs } from '@trainjob/api'
import type { Client } from '@trainjob/kube'

/** Requests under way at once. */
const IN_FLIGHT = 16

/**
 * Creates TrainJobs of one instant process each and waits until every one of them is Complete.
 *
 * @returns milliseconds from the first create to the last Complete
 */
export async function completeJobs(client: Client, prefix: string, count: number): Promise<number> {
  const stop = new AbortController()
  const namespace = 'default'
  const { metadata } = await client.list(TrainJobs, { namespace, limit: 1 })
  const watch = client.watch(TrainJobs, {
    namespace,
    signal: stop.signal,
    ...(metadata.resourceVersion !== undefined && { resourceVersion: metadata.resourceVersion }),
  })
  const start = performance.now()
  const complete = (async () => {
    const open = new Set(Array.from({ length: count }, (_, i) => `${prefix}-${i}`))
    for await (const { type, object } of watch) {
      if (type === 'BOOKMARK') continue
      const { name = '' } = object.metadata
      if (open.has(name) && isComplete(object)) open.delete(name)
      if (open.size === 0) return performance.now() - start
    }
    throw new Error('the watch ended before the jobs did')
  })()
  let next = 0
  const create = async (): Promise<void> => {
    while (next < count) await client.create(TrainJobs, job(`${prefix}-${next++}`, namespace))
  }
  try {
    await Promise.all(Array.from({ length: IN_FLIGHT }, create))
    return await complete
  } finally {
    stop.abort()
    complete.catch(() => {})
  }
}

function isComplete({ status }: TrainJob): boolean {
  const complete = status?.conditions?.find(({ type }) => type === 'Complete')
  const failed = status?.conditions?.find(({ type }) => type === 'Failed')
  if (failed?.status === 'True') throw new Error(`a job failed: ${failed.message}`)
  return complete?.status === 'True'
}

function job(name: string, namespace: string): TrainJob {
  return {
    apiVersion: 'trainer.kubeflow.org/v1alpha1',
    kind: 'TrainJob',
    metadata: { name, namespace },
    spec: { runtimeRef: { name: 'plain' }, trainer: { numNodes: 1, command: ['true'] } },
  }
}
