import { setTimeout as sleep } from 'node:timers/promises'
import { JobSets, Jobs, Namespaces, Nodes, type Pod, Pods, Services } from '@trainjob/api'
import { ApiError, type Client, keyOf, type Resource } from '@trainjob/kube'
import { agree, agreeThroughout } from './exceptions.ts'
import { type Observer, PersistentVolumeClaims } from './observer.ts'
import { podStatus } from './pod-status.ts'
import { describeStep, type PodChoice, type PodState, type Scenario, type Step, type Target } from './scenario.ts'
import type { Refusal, Sight, Trace } from './trace.ts'

/** A cluster in which scenarios are played. */
export interface Stage {
  readonly client: Client
  readonly observer: Observer
  /** Nothing has moved for so long: the step has taken effect. */
  readonly quietMs: number
  /** With an expected trace: wait so long at most for what is expected, before what is there is taken down. */
  readonly patienceMs: number
}

const NODE = 'node-1'
/** A step that never comes to rest is an error. */
const REST_MS = 60_000

/** Gives the cluster the node that all pods run on. */
export async function addNode(client: Client): Promise<void> {
  const resources = { cpu: '1000', memory: '1Ti', pods: '10000' }
  const ready = { type: 'Ready', status: 'True', reason: 'KubeletReady' }
  const status = { capacity: resources, allocatable: resources, conditions: [ready] }
  const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: NODE, labels: { zone: 'a' } } }
  await client.create(Nodes, node)
  await client.patch(Nodes, { name: NODE }, { type: 'merge', body: { status } }, { subresource: 'status' })
}

/**
 * Plays a scenario in a namespace of its own.
 *
 * @param expected what another cluster showed; the play waits for it, but never takes it for granted
 */
export async function play(stage: Stage, scenario: Scenario, namespace: string, expected?: Trace): Promise<Trace> {
  const { client } = stage
  await client.create(Namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } })
  const trace: Sight[] = []
  let since = 0
  for (const [at, step] of scenario.steps.entries()) {
    const refused = await take(stage, step, namespace)
    const said = { after: describeStep(step), ...(refused && { refused }) }
    const enough = expected && ((sight: Sight) => agree(sight, expected[at] ?? sight))
    const { sight, seen } = await settle(stage, namespace, since, said, enough)
    since = seen
    trace.push(sight)
  }
  // what is only told late
  const whole = expected && ((sight: Sight) => agreeThroughout([...trace, sight], expected))
  const { sight } = await settle(stage, namespace, since, { after: 'the end' }, whole)
  return [...trace, sight]
}

async function settle(
  { observer, quietMs, patienceMs }: Stage,
  namespace: string,
  since: number,
  said: Pick<Sight, 'after' | 'refused'>,
  enough: ((sight: Sight) => boolean) | undefined,
): Promise<{ sight: Sight; seen: number }> {
  const start = performance.now()
  for (;;) {
    await sleep(quietMs / 10)
    const waited = performance.now() - start
    const quiet = Math.min(observer.quietFor(namespace), waited)
    if (quiet < quietMs) {
      if (waited > REST_MS) throw new Error(`expected ${namespace} to come to rest within ${REST_MS / 1000} s`)
      continue
    }
    const { seen, ...found } = observer.look(namespace, since)
    const sight = { ...said, ...found }
    if (enough === undefined || quiet >= patienceMs || enough(sight)) return { sight, seen }
  }
}

/** Does what the step says; answers how the server refused it, if it did. */
async function take(stage: Stage, step: Step, namespace: string): Promise<Refusal | undefined> {
  try {
    await carryOut(stage, step, namespace)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const fields = (error.status.details?.causes ?? []).map(({ field = '' }) => field)
    return { code: error.httpCode, reason: error.reason, fields: [...new Set(fields)].sort() }
  }
  return undefined
}

async function carryOut(stage: Stage, step: Step, namespace: string): Promise<void> {
  const { client } = stage
  if ('create' in step) {
    const { create } = step
    await client.create(resourceOf(create.kind), { ...create, metadata: { ...create.metadata, namespace } })
  } else if ('patch' in step) {
    const { kind, name } = parse(step.patch)
    await client.patch(resourceOf(kind), { namespace, name }, { type: 'merge', body: step.body })
  } else if ('delete' in step) {
    const { kind, name } = parse(step.delete)
    await client.delete(
      resourceOf(kind),
      { namespace, name },
      { propagationPolicy: step.propagationPolicy ?? 'Background' },
    )
  } else if ('seconds' in step) {
    await sleep(step.seconds * 1000)
  } else {
    const chosen = choose(stage.observer.list<Pod>('Pod', namespace), 'evict' in step ? step.evict : step.pods)
    if (chosen.length === 0) throw new Error(`expected pods in ${namespace} to choose from: ${describeStep(step)}`)
    for (const pod of chosen) {
      if ('evict' in step) await client.delete(Pods, keyOf(pod))
      else await report(client, pod, step.become)
    }
  }
}

function choose(pods: readonly Pod[], { job, indexes, count, terminating }: PodChoice): Pod[] {
  const fits = ({ metadata, status }: Pod): boolean => {
    const { annotations = {}, ownerReferences = [], deletionTimestamp } = metadata
    if (!ownerReferences.some(({ kind, name }) => kind === 'Job' && name === job)) return false
    if ((deletionTimestamp !== undefined) !== (terminating === true)) return false
    if (!terminating && (status?.phase === 'Succeeded' || status?.phase === 'Failed')) return false
    const index = annotations['batch.kubernetes.io/job-completion-index']
    return indexes === undefined || indexes.some((wanted) => String(wanted) === index)
  }
  const age = ({ metadata: { creationTimestamp = '', name = '' } }: Pod) => `${creationTimestamp} ${name}`
  return pods
    .filter(fits)
    .sort((a, b) => (age(a) < age(b) ? -1 : 1))
    .slice(0, count)
}

async function report(client: Client, pod: Pod, state: PodState): Promise<void> {
  const key = keyOf(pod)
  if (state !== 'vanished') {
    const body = { status: podStatus(pod, state, Date.now()) }
    await client.patch(Pods, key, { type: 'merge', body }, { subresource: 'status' })
  }
  if (state === 'gone' || state === 'vanished') await client.delete(Pods, key, { gracePeriodSeconds: 0 })
}

function parse(target: Target): { kind: string; name: string } {
  const [kind = '', name = ''] = target.split('/')
  return { kind, name }
}

function resourceOf(kind: string): Resource {
  const resource = ([Jobs, JobSets, Services, PersistentVolumeClaims] as readonly Resource[]).find(
    (known) => known.kind === kind,
  )
  if (resource === undefined)
    throw new Error(`expected a Job, a JobSet, a Service or a PersistentVolumeClaim, found a ${kind}`)
  return resource
}
