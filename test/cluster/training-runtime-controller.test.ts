import {
  ClusterTrainingRuntimes,
  type KubernetesObject,
  RESOURCE_IN_USE_FINALIZER,
  type ResourceType,
  TrainingRuntimes,
} from '@trainjob/api'
import { createTrainingRuntimeController } from '@trainjob/controller'
import { createClient, isNotFound } from '@trainjob/kube'
import { fakeClock } from '@trainjob/kube/testing'
import { createAdmission, createApiServer, createMemoryStore, RESOURCES, randomIds } from '@trainjob/local'
import { expect, it } from 'vitest'
import { describeCluster } from './describe-cluster.ts'
import { eventually } from './eventually.ts'
import { runtime } from './train-job.ts'

const OTHER = 'example.com/other'

const kinds = [
  { resource: ClusterTrainingRuntimes as ResourceType<KubernetesObject>, place: {} },
  { resource: TrainingRuntimes as ResourceType<KubernetesObject>, place: { namespace: 'default' } },
].map((one) => ({ ...one, kind: one.resource.kind }))

function held(kind: string, name: string, place: object, finalizers: string[]): KubernetesObject {
  const object = runtime(name, {})
  return { ...object, kind, metadata: { ...object.metadata, ...place, finalizers } }
}

describeCluster('runtimes that Trainer 2.2 held', (cluster) => {
  it.each(kinds)('a $kind loses the finalizer, and no other', async ({ resource, kind, place }) => {
    const key = { name: 'moved', ...place }
    await cluster.client.create(resource, held(kind, 'moved', place, [OTHER, RESOURCE_IN_USE_FINALIZER]))
    const finalizers = async () => (await cluster.client.get(resource, key)).metadata.finalizers
    await eventually(async () => (await finalizers())?.length === 1)
    expect(await finalizers()).toEqual([OTHER])
    await cluster.client.patch(resource, key, { type: 'merge', body: { metadata: { finalizers: null } } })
    await cluster.client.delete(resource, key)
  })

  it.each(kinds)('a $kind that waits to go goes', async ({ resource, kind, place }) => {
    const key = { name: 'going', ...place }
    await cluster.client.create(resource, held(kind, 'going', place, [RESOURCE_IN_USE_FINALIZER]))
    await cluster.client.delete(resource, key).catch(() => {})
    await eventually(async () => {
      try {
        await cluster.client.get(resource, key)
        return false
      } catch (error) {
        return isNotFound(error)
      }
    })
  })
})

it('a controller of one namespace frees what was deleted before it came, and leaves all other runtimes alone', async () => {
  const clock = fakeClock()
  const server = createApiServer({
    store: createMemoryStore(),
    resources: RESOURCES,
    admission: createAdmission(),
    clock,
    ids: randomIds,
    logs: { open: async function* () {} },
  })
  const client = createClient(server.transport)
  const namespaces = { group: '', version: 'v1', plural: 'namespaces', kind: 'Namespace', namespaced: false }
  for (const name of ['default', 'other']) {
    await client.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
  }
  const own = [RESOURCE_IN_USE_FINALIZER]
  const kindsAndPlaces = [...kinds, { ...kinds[1], place: { namespace: 'other' } } as (typeof kinds)[number]]
  for (const { resource, kind, place } of kindsAndPlaces) {
    await client.create(resource, held(kind, 'a', place, own))
    await client.delete(resource, { name: 'a', ...place })
  }
  const stop = new AbortController()
  const stopped = createTrainingRuntimeController({ client, clock, namespace: 'default' }).start(stop.signal)
  try {
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
    const left = await Promise.all(kinds.map(({ resource }) => client.list(resource)))
    expect(left.flatMap(({ items }) => items.map(({ kind, metadata }) => [kind, metadata.namespace]))).toEqual([
      ['ClusterTrainingRuntime', undefined],
      ['TrainingRuntime', 'other'],
    ])
  } finally {
    stop.abort()
    await stopped
  }
})
