import { type Node, Nodes, type Pod, type PodStatus, Pods } from '@trainjob/api'
import {
  type Client,
  createClient,
  type Informer,
  isNotFound,
  type KubeObject,
  keyOf,
  type ObjectKey,
  type Resource,
} from '@trainjob/kube'
import type { FakeClock } from '@trainjob/kube/testing'
import { createGarbageCollector } from './garbage/controller.ts'
import { createInformers } from './informers.ts'
import { jobAdmission } from './job/admission.ts'
import { createJobController } from './job/controller.ts'
import type { Backoff } from './job/replacement-delay.ts'
import { timestamp } from './job/timestamp.ts'
import { jobSetAdmission } from './jobset/admission.ts'
import { createJobSetController } from './jobset/controller.ts'
import { createScheduler } from './scheduler/controller.ts'
import { testServer } from './server/testing/test-server.ts'

/** How a pod ends that has been running for a moment; `undefined` keeps it running. */
type Behaviour = (pod: Pod) => number | undefined

export interface EnginesOptions {
  readonly behaviour?: Behaviour
  /** What the one node has; plenty when left out. */
  readonly allocatable?: Record<string, string>
  readonly backoff?: Backoff
  /** Stands between the controllers and the server. */
  readonly wrap?: (client: Client) => Client
}

/** Server and controllers as in an embedded cluster, with a kubelet that runs nothing. */
export interface Engines {
  readonly client: Client
  readonly clock: FakeClock
  /** Requests that the controllers and the kubelet have made. */
  readonly requests: { count: number }
  /** Lets the pod that is running end now. */
  end(pod: Pod, exitCode: number): Promise<void>
  /** Resolves once `condition` gives something; fails when nothing moves any more. */
  until<T>(condition: () => Promise<T | undefined | false>): Promise<T>
  /** The object, or nothing. */
  find<T extends KubeObject>(resource: Resource<T>, name: string): Promise<T | undefined>
  list<T extends KubeObject>(resource: Resource<T>): Promise<T[]>
  stop(): Promise<void>
}

export async function startEngines(options: EnginesOptions = {}): Promise<Engines> {
  const { behaviour = () => undefined, allocatable = { cpu: '1000', memory: '1Ti', pods: '10000' } } = options
  const { server, clock: testClock } = await testServer({ hooks: [jobAdmission(), jobSetAdmission()] })
  const clock = testClock as FakeClock
  const requests = { count: 0 }
  const { transport } = server
  const plain = createClient({
    request(request) {
      requests.count++
      return transport.request(request)
    },
    close: () => transport.close(),
  })
  const client = createClient(transport, { fieldManager: 'test' })
  const own = options.wrap?.(plain) ?? plain
  const node: Node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'local' }, status: { allocatable } }
  await client.create(Nodes, node)

  const stopping = new AbortController()
  const informers = createInformers(own, clock)
  const scope = { client: own, clock, informers }
  const running = [
    createJobController({ ...scope, ...(options.backoff !== undefined && { backoff: options.backoff }) }),
    createJobSetController(scope),
    createGarbageCollector(scope),
    createScheduler(scope),
  ].map((controller) => controller.start(stopping.signal))
  const kubelet = createKubelet(plain, clock, informers.pods, behaviour)

  return {
    client,
    clock,
    requests,
    end: kubelet.end,
    async until(condition) {
      for (let turn = 0; turn < 20_000; turn++) {
        const result = await condition()
        if (result !== undefined && result !== false) return result
        await new Promise((resolve) => setImmediate(resolve))
      }
      throw new Error(`it did not come about: ${condition}`)
    },
    async find(resource, name) {
      const key: ObjectKey = { namespace: 'default', name }
      try {
        return await client.get(resource, key)
      } catch (error) {
        if (isNotFound(error)) return undefined
        throw error
      }
    },
    list: async (resource) => (await client.list(resource)).items,
    async stop() {
      kubelet.stop()
      stopping.abort()
      await Promise.all(running)
    },
  }
}

function createKubelet(client: Client, clock: FakeClock, pods: Informer<Pod>, behaviour: Behaviour) {
  const busy = new Set<string>()

  async function setStatus(pod: Pod, status: PodStatus): Promise<void> {
    await client.patch(Pods, keyOf(pod), { type: 'merge', body: { status } }, { subresource: 'status' })
  }

  async function end(pod: Pod, exitCode: number): Promise<void> {
    const terminated = { exitCode, finishedAt: timestamp(clock.now()) }
    const status = { name: 'node', ready: false, restartCount: 0, image: '', imageID: '', state: { terminated } }
    await setStatus(pod, {
      phase: exitCode === 0 ? 'Succeeded' : 'Failed',
      conditions: [{ type: 'Ready', status: 'False', lastTransitionTime: timestamp(clock.now()) }],
      containerStatuses: [status],
    })
  }

  async function work(pod: Pod): Promise<void> {
    const { phase } = pod.status ?? {}
    const ended = phase === 'Succeeded' || phase === 'Failed'
    if (pod.metadata.deletionTimestamp !== undefined) {
      if (!ended) await end(pod, 143)
      if ((pod.metadata.deletionGracePeriodSeconds ?? 0) > 0)
        await client.delete(Pods, keyOf(pod), { gracePeriodSeconds: 0 })
    } else if (phase === 'Pending') {
      await setStatus(pod, { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] })
    } else if (phase === 'Running') {
      const code = behaviour(pod)
      if (code !== undefined) await end(pod, code)
    }
  }

  async function visit(name: string): Promise<void> {
    if (busy.has(name)) return
    busy.add(name)
    try {
      for (let pod = pods.store.get({ namespace: 'default', name }); pod !== undefined; ) {
        try {
          await work(pod)
        } catch (error) {
          if (!isNotFound(error)) throw error
        }
        const next = pods.store.get({ namespace: 'default', name })
        if (next === pod) return
        pod = next
      }
    } finally {
      busy.delete(name)
    }
  }

  const stop = pods.on((change) => {
    if (change.type !== 'deleted' && change.object.spec.nodeName !== undefined)
      void visit(change.object.metadata.name ?? '')
  })
  return { end, stop }
}
