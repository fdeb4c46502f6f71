import { type Job, type KubernetesObject, type Pod, type PodCondition, Pods, type ResourceType } from '@trainjob/api'
import {
  type Client,
  type Clock,
  createController,
  createEventRecorder,
  isConflict,
  isNotFound,
  keyOf,
} from '@trainjob/kube'
import { createInformers, type Informers } from '../informers.ts'
import { timestamp } from '../job/timestamp.ts'
import { sideBySide } from '../side-by-side.ts'
import { unlessGone } from '../unless-gone.ts'
import { createBookkeeping } from './bookkeeping.ts'
import { ignoredPlacement } from './ignored-placement.ts'
import { type RefusalMessage, refusalMessage } from './refusal-message.ts'
import type { Binding, Refusal } from './schedule.ts'

export interface SchedulerOptions {
  readonly client: Client
  readonly clock: Clock
  /** Shared caches; own ones when left out. */
  readonly informers?: Informers
}

interface PodBinding extends KubernetesObject {
  target: { apiVersion: string; kind: string; name: string }
}

const PodBindings: ResourceType<PodBinding> = { ...Pods, kind: 'Binding' } as ResourceType<never>

/** Everything is decided in one round, so there is one thing to reconcile. */
const ROUND = { name: 'round' }

/** Gives pods a node that has room for what they request, and says why those that wait do. */
export function createScheduler(options: SchedulerOptions): { start(signal: AbortSignal): Promise<void> } {
  const { client, clock } = options
  const { pods, nodes, jobs } = options.informers ?? createInformers(client, clock)
  const events = createEventRecorder({ client, clock, component: 'default-scheduler' })
  const books = createBookkeeping()

  const controller = createController({ name: 'scheduler', clock })
    .watches(nodes, () => [])
    .watches(pods, () => [])
    .watches(jobs, () => [])
    .reconcile(async (_, { signal }) => {
      const { bindings, refusals } = books.schedule()
      await sideBySide(bindings, (binding) => bind(binding, signal))
      for (const refusal of refusals) await refuse(refusal, signal)
      for (const pod of books.takeGated()) await hold(pod, signal)
    })

  async function bind(binding: Binding, signal: AbortSignal): Promise<void> {
    const { pod, uid } = binding.pending
    const { name = '', namespace = '' } = pod.metadata
    const target = { apiVersion: 'v1', kind: 'Node', name: binding.node }
    const body: PodBinding = { apiVersion: 'v1', kind: 'Binding', metadata: { name, namespace, uid }, target }
    try {
      await client.create(PodBindings, body, { subresource: 'binding', signal })
    } catch (error) {
      // It is gone, or has a node already: the cache will tell.
      const settled = isNotFound(error) || isConflict(error)
      books.undo(binding, !settled)
      if (settled) return
      throw error
    }
    const message = `Successfully assigned ${namespace}/${name} to ${binding.node}`
    events.record(pod, { type: 'Normal', reason: 'Scheduled', message })
    const ignored = ignoredPlacement(pod)
    if (ignored === undefined || !books.firstOfGang(pod)) return
    events.record(pod, { type: 'Normal', reason: 'PlacementIgnored', message: ignored })
  }

  async function refuse({ pods: refused, shortages }: Refusal, signal: AbortSignal): Promise<void> {
    const messages = new Map<Job | undefined, RefusalMessage>()
    for (const waiting of refused) {
      const job = jobOf(waiting.pod)
      const message = messages.get(job) ?? refusalMessage(shortages, waiting.amounts, job)
      messages.set(job, message)
      if (waiting.said === message.gist) continue
      waiting.said = message.gist
      events.record(waiting.pod, { type: 'Warning', reason: 'FailedScheduling', message: message.text })
      await setUnscheduled(waiting.pod, 'Unschedulable', message.text, signal)
    }
  }

  async function hold(pod: Pod, signal: AbortSignal): Promise<void> {
    const gates = pod.spec.schedulingGates?.map(({ name }) => name).join(', ')
    const message = `Scheduling is blocked due to non-empty scheduling gates: ${gates}`
    await setUnscheduled(pod, 'SchedulingGated', message, signal)
  }

  async function setUnscheduled(pod: Pod, reason: string, message: string, signal: AbortSignal): Promise<void> {
    const others = (pod.status?.conditions ?? []).filter(({ type }) => type !== 'PodScheduled')
    const old = pod.status?.conditions?.find(({ type }) => type === 'PodScheduled')
    if (old?.reason === reason && old.message === message) return
    const lastTransitionTime = (old?.status === 'False' && old.lastTransitionTime) || timestamp(clock.now())
    const condition: PodCondition = { type: 'PodScheduled', status: 'False', reason, message, lastTransitionTime }
    const body = { metadata: { uid: pod.metadata.uid }, status: { conditions: [...others, condition] } }
    await unlessGone(client.patch(Pods, keyOf(pod), { type: 'merge', body }, { subresource: 'status', signal }))
  }

  function jobOf({ metadata }: Pod): Job | undefined {
    const owner = metadata.ownerReferences?.find(({ kind, controller: is }) => kind === 'Job' && is === true)
    const { namespace } = metadata
    return owner && jobs.store.get({ ...(namespace !== undefined && { namespace }), name: owner.name })
  }

  return {
    async start(signal) {
      const ends = [
        nodes.on((change) => books.observeNode(change) && controller.enqueue(ROUND)),
        pods.on((change) => books.observePod(change) && controller.enqueue(ROUND)),
      ]
      try {
        await controller.run(signal)
      } finally {
        for (const end of ends) end()
      }
    },
  }
}
