import { JobSets, type KubernetesObject, Namespaces, type ResourceType, TrainJobs } from '@trainjob/api'
import { apiVersionOf, createClient, createController, createInformer, keyText } from '@trainjob/kube'
import { fakeClock } from '@trainjob/kube/testing'
import { createAdmission, createApiServer, createMemoryStore, RESOURCES, randomIds } from '@trainjob/local'
import { withWatches } from '../../packages/controller/src/trainjob/watches.ts'
import type { Happening } from './event-arbitrary.ts'

/** The jobs that our controller looks at, as `namespace/name`, on an API server to which that happens. */
export async function ourRequests({ question: { event, withoutCRDs } }: Happening): Promise<readonly string[]> {
  const about = event.object ?? event.old
  const served = RESOURCES.filter(({ kind }) => !(withoutCRDs === true && kind === 'PodGroup'))
  const resource = served.find((one) => one.kind === about?.kind && apiVersionOf(one) === about?.apiVersion)
  if (about === undefined || resource === undefined) return []
  const clock = fakeClock()
  const server = createApiServer({
    store: createMemoryStore(),
    resources: served,
    admission: createAdmission(),
    clock,
    ids: randomIds,
    logs: { open: async function* () {} },
  })
  const client = createClient(server.transport)
  for (const name of ['ns', 'other']) {
    await client.create(Namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
  }
  const kind = resource as ResourceType<KubernetesObject>
  const { name = '', namespace = '' } = about.metadata
  if (event.old !== undefined) await client.create(kind, event.old)

  const requests: string[] = []
  const stop = new AbortController()
  const watching = await withWatches(createController({ name: 'events', clock }), {
    client,
    clock,
    trainJobs: createInformer({ client, clock, resource: TrainJobs }),
    jobSets: createInformer({ client, clock, resource: JobSets }),
    disturbed: new Set(),
    signal: stop.signal,
  })
  const running = watching.reconcile(async (key) => void requests.push(keyText(key))).run(stop.signal)
  try {
    await settled()
    requests.length = 0 // what was there at first
    if (event.old === undefined) await client.create(kind, about)
    else if (event.object === undefined) await client.delete(kind, { namespace, name })
    else await client.patch(kind, { namespace, name }, { type: 'merge', body: event.object })
    await settled()
    return [...new Set(requests)].sort()
  } finally {
    stop.abort()
    await running
  }
}

/** Everything that is due has happened. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
}
