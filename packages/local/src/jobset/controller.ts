import { type Job, type JobSet, JobSets, Jobs, Services } from '@trainjob/api'
import {
  type Client,
  type Clock,
  createController,
  createEventRecorder,
  type EventRecorder,
  isAlreadyExists,
  keyOf,
  keyText,
} from '@trainjob/kube'
import { createInformers, type Informers, JOBS_BY_JOB_SET } from '../informers.ts'
import { type OwnWrites, trackOwnWrites } from '../own-writes.ts'
import { sideBySide } from '../side-by-side.ts'
import { unlessGone } from '../unless-gone.ts'
import { replicatedJobOf } from './child-jobs.ts'
import { type JobSetPass, reconcileJobSet } from './reconcile.ts'
import { PersistentVolumeClaims } from './volume-claims.ts'

export interface JobSetControllerOptions {
  readonly client: Client
  readonly clock: Clock
  /** Shared caches; own ones when left out. */
  readonly informers?: Informers
}

/** Runs `jobset.x-k8s.io` JobSets: creates their Jobs and Service, restarts them, and says how they ended. */
export function createJobSetController(options: JobSetControllerOptions): {
  start(signal: AbortSignal): Promise<void>
} {
  const { client, clock } = options
  const informers = options.informers ?? createInformers(client, clock)
  const { jobSets, jobs, services, claims } = informers
  const events = createEventRecorder({ client, clock, component: 'jobset' })
  const writes = trackOwnWrites(clock)
  const owner = { group: 'jobset.x-k8s.io', kind: 'JobSet' }
  const controller = createController({ name: 'jobset', clock })
    .for(jobSets)
    .owns(jobs, owner)
    .owns(services, owner)
    .owns(claims, owner)
    .reconcile(async (key, { signal }) => {
      const jobSet = jobSets.store.get(key)
      if (jobSet === undefined) {
        writes.forget(keyText(key))
        return
      }
      const behind = writes.behindMs(keyText(key))
      if (behind > 0) return { requeueAfterMs: behind }
      const owned = jobs.store.byIndex(JOBS_BY_JOB_SET, jobSet.metadata.uid ?? '')
      const pass = reconcileJobSet({ jobSet, jobs: owned, now: clock.now() })
      const done = await unlessGone(carryOut({ client, events, writes, informers }, jobSet, pass, signal))
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

interface Means {
  readonly client: Client
  readonly events: EventRecorder
  readonly writes: OwnWrites
  readonly informers: Informers
}

/** Does what a pass decided; the order is that of `JobSetPass`. */
async function carryOut(means: Means, jobSet: JobSet, pass: JobSetPass, signal: AbortSignal): Promise<'done'> {
  const { client, events, writes, informers } = means
  const { jobs, jobSets, services, claims } = informers
  const owner = keyText(keyOf(jobSet))

  await sideBySide(pass.delete, async (job) => {
    const left = await unlessGone(client.delete(Jobs, keyOf(job), { ...foreground(job), signal }))
    if (left !== undefined) writes.updated(owner, jobs, left)
    else writes.deleted(owner, jobs, job)
  })
  const { service } = pass
  if (service !== undefined && services.store.get(keyOf(service)) === undefined) {
    await attempt('HeadlessServiceCreationFailed', () => client.create(Services, service, { signal }))
  }
  for (const claim of pass.claims) {
    if (claims.store.get(keyOf(claim)) !== undefined) continue
    await attempt('PVCCreationFailed', () => client.create(PersistentVolumeClaims, claim, { signal }))
  }
  // one replicated job after the other: those behind one that fails wait
  for (const created of Map.groupBy(pass.create, replicatedJobOf).values()) await sideBySide(created, createJob)
  await sideBySide(pass.suspend, async (job) => {
    writes.updated(owner, jobs, await client.update(Jobs, job, { signal }))
  })
  await sideBySide(pass.resume, async ({ job, clearStartTime, resumed }) => {
    let { resourceVersion } = job.metadata
    if (clearStartTime) {
      const { startTime: _, ...status } = job.status ?? {}
      const cleared = await client.update(Jobs, { ...job, status }, { subresource: 'status', signal })
      resourceVersion = cleared.metadata.resourceVersion
    }
    const metadata = { ...resumed.metadata, ...(resourceVersion !== undefined && { resourceVersion }) }
    writes.updated(owner, jobs, await client.update(Jobs, { ...resumed, metadata }, { signal }))
  })
  if (pass.status !== undefined) {
    const { status } = pass
    const updated = await client.update(JobSets, { ...jobSet, status }, { subresource: 'status', signal })
    writes.updated(owner, jobSets, updated)
  }
  for (const event of pass.events) events.record(jobSet, event)
  if (pass.deleteJobSet) await unlessGone(client.delete(JobSets, keyOf(jobSet), { ...foreground(jobSet), signal }))
  return 'done'

  async function createJob(job: Job): Promise<void> {
    try {
      writes.created(owner, jobs, await client.create(Jobs, job, { signal }))
    } catch (error) {
      if (signal.aborted) throw error
      const reason = isAlreadyExists(error)
        ? `a Job of that name exists and does not belong to this JobSet; delete it, or rename the JobSet`
        : messageOf(error)
      const message = `job "${job.metadata.name}" creation failed with error: ${reason}`
      events.record(jobSet, { type: 'Warning', reason: 'JobCreationFailed', message })
      throw error
    }
  }

  /** Creates something that may be there already. */
  async function attempt(reason: string, create: () => Promise<unknown>): Promise<void> {
    try {
      await create()
    } catch (error) {
      if (isAlreadyExists(error)) return
      if (!signal.aborted) events.record(jobSet, { type: 'Warning', reason, message: messageOf(error) })
      throw error
    }
  }
}

function foreground(object: Job | JobSet): {
  propagationPolicy: 'Foreground'
  preconditions: { uid: string }
} {
  return { propagationPolicy: 'Foreground', preconditions: { uid: object.metadata.uid ?? '' } }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
