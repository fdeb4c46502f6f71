import { type Job, Jobs, type Pod, Pods } from '@trainjob/api'
import {
  type Client,
  type Clock,
  createController,
  createEventRecorder,
  type EventRecorder,
  keyOf,
  keyText,
} from '@trainjob/kube'
import { createInformers, type Informers, PODS_BY_JOB } from '../informers.ts'
import { type OwnWrites, trackOwnWrites } from '../own-writes.ts'
import { sideBySide } from '../side-by-side.ts'
import { unlessChanged } from '../unless-changed.ts'
import { unlessGone } from '../unless-gone.ts'
import { TRACKING_FINALIZER } from './labels.ts'
import { isTracked } from './pod-state.ts'
import { type JobPass, reconcileJob } from './reconcile.ts'
import { type Backoff, type FailureRun, JOB_BACKOFF } from './replacement-delay.ts'

export interface JobControllerOptions {
  readonly client: Client
  readonly clock: Clock
  /** Shared caches; own ones when left out. */
  readonly informers?: Informers
  /** Numbers in [0, 1) for pod names; `Math.random` when left out. */
  readonly random?: () => number
  /** Wait before a failed pod is replaced: 10 s doubling to 10 min when left out. */
  readonly backoff?: Backoff
}

/** Runs `batch/v1` Jobs: creates their pods, counts their ends, and says when they are done. */
export function createJobController(options: JobControllerOptions): { start(signal: AbortSignal): Promise<void> } {
  const { client, clock, random = Math.random, backoff = JOB_BACKOFF } = options
  const { jobs, pods } = options.informers ?? createInformers(client, clock)
  const events = createEventRecorder({ client, clock, component: 'job-controller' })
  const writes = trackOwnWrites(clock)
  const failureRuns: FailureRuns = new Map()
  const controller = createController({ name: 'job', clock })
    .for(jobs)
    .owns(pods, { group: 'batch', kind: 'Job' })
    .reconcile(async (key, { signal }) => {
      const owner = keyText(key)
      const job = jobs.store.get(key)
      const owned = pods.store.byIndex(PODS_BY_JOB, owner)
      const mine = owned.filter((pod) => isControlledBy(pod, job))
      // A Job that is gone cannot let go of its pods any more.
      for (const pod of owned) if (!isControlledBy(pod, job)) await removeFinalizer(client, pod, signal)
      if (job === undefined) {
        writes.forget(owner)
        failureRuns.delete(owner)
        return
      }
      const behind = writes.behindMs(owner)
      if (behind > 0) return { requeueAfterMs: behind }
      const known = failureRuns.get(owner)
      const failureRun = known?.uid === job.metadata.uid ? known?.run : undefined
      const now = clock.now()
      const pass = reconcileJob({ job, pods: mine, now, random, backoff, ...(failureRun && { failureRun }) })
      const means = { client, events, writes, jobs, pods, failureRuns }
      const done = await unlessGone(carryOut(means, job, pass, signal))
      const requeueAfterMs = done === undefined ? OVERTAKEN_MS : pass.requeueAfterMs
      return requeueAfterMs === undefined ? undefined : { requeueAfterMs }
    })
  return { start: (signal) => controller.run(signal) }
}

/**
 * Something was changed or deleted by somebody else while a pass was carried out. The change itself wakes the
 * controller; this is for the case that it does not.
 */
const OVERTAKEN_MS = 1000

interface Means extends Pick<Informers, 'jobs' | 'pods'> {
  readonly client: Client
  readonly events: EventRecorder
  readonly writes: OwnWrites
  readonly failureRuns: FailureRuns
}

/** By the Job's key. */
type FailureRuns = Map<string, { readonly uid: string | undefined; readonly run: FailureRun }>

/** Does what a pass decided; the order is that of `JobPass`. */
async function carryOut(means: Means, job: Job, pass: JobPass, signal: AbortSignal): Promise<'done'> {
  const { client, events, writes, jobs, pods, failureRuns } = means
  const owner = keyText(keyOf(job))
  const say = (type: 'Normal' | 'Warning', reason: string, message: string) =>
    events.record(job, { type, reason, message })

  await sideBySide(pass.create, async (pod) => {
    try {
      const created = await client.create(Pods, pod, { signal })
      writes.created(owner, pods, created)
      say('Normal', 'SuccessfulCreate', `Created pod: ${created.metadata.name}`)
    } catch (error) {
      if (!signal.aborted)
        say('Warning', 'FailedCreate', `Error creating: ${error instanceof Error ? error.message : error}`)
      throw error
    }
  })
  await sideBySide(pass.discard, async (pod) => {
    await removeFinalizer(client, pod, signal)
    await deletePod(pod)
  })
  await sideBySide(pass.delete, deletePod)
  if (pass.status !== undefined) {
    const updated = await client.update(Jobs, { ...job, status: pass.status }, { subresource: 'status', signal })
    writes.updated(owner, jobs, updated)
  }
  if (pass.failureRun === undefined) failureRuns.delete(owner)
  else failureRuns.set(owner, { uid: job.metadata.uid, run: pass.failureRun })
  await sideBySide(pass.finalize, async (pod) => {
    const left = await removeFinalizer(client, pod, signal)
    if (left !== undefined) writes.updated(owner, pods, left)
  })
  for (const event of pass.events) events.record(job, event)
  if (pass.deleteJob) {
    const preconditions = { uid: job.metadata.uid as string }
    await unlessGone(client.delete(Jobs, keyOf(job), { propagationPolicy: 'Foreground', preconditions, signal }))
  }
  return 'done'

  async function deletePod(pod: Pod): Promise<void> {
    const preconditions = { uid: pod.metadata.uid as string }
    const left = await unlessGone(client.delete(Pods, keyOf(pod), { preconditions, signal }))
    if (left !== undefined) writes.updated(owner, pods, left)
    else writes.deleted(owner, pods, pod)
    say('Normal', 'SuccessfulDelete', `Deleted pod: ${pod.metadata.name}`)
  }
}

function isControlledBy(pod: Pod, job: Job | undefined): boolean {
  const owner = pod.metadata.ownerReferences?.find(({ controller }) => controller === true)
  return job !== undefined && owner?.uid === job.metadata.uid
}

/** The pod without the Job's finalizer; nothing when it had none or is gone. */
async function removeFinalizer(client: Client, pod: Pod, signal: AbortSignal): Promise<Pod | undefined> {
  if (!isTracked(pod)) return undefined
  const path = `/metadata/finalizers/${pod.metadata.finalizers?.indexOf(TRACKING_FINALIZER)}`
  const ops = [
    { op: 'test', path: '/metadata/uid', value: pod.metadata.uid },
    { op: 'test', path, value: TRACKING_FINALIZER },
    { op: 'remove', path },
  ] as const
  return unlessChanged(client.patch(Pods, keyOf(pod), { type: 'json', ops }, { signal }))
}
