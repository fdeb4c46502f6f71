import {
  isDocumentForm,
  isFinished,
  type JobSet,
  JobSets,
  type TrainJob,
  type TrainJobStatus,
  TrainJobs,
} from '@trainjob/api'
import {
  type CallOptions,
  type Client,
  type Clock,
  type EventRecorder,
  isConflict,
  isNotFound,
  keyText,
  type ObjectKey,
} from '@trainjob/kube'
import type { StatusServer } from '@trainjob/runtime'
import { ControllerError } from '../controller-error.ts'
import { applyObjects, FIELD_MANAGER } from './apply-objects.ts'
import { type Decision, decide, rfc3339 } from './decide.ts'
import { withoutRuntime } from './document-conditions.ts'
import { scaleRunning } from './scale-running.ts'

export interface ReconcileOptions {
  readonly client: Client
  readonly clock: Clock
  readonly events: EventRecorder
  readonly trainJobs: { get(key: ObjectKey): TrainJob | undefined }
  readonly jobSets: { get(key: ObjectKey): JobSet | undefined }
  /** JobSets that ended while that could not be written down yet; one map for all passes. */
  readonly ended: Map<string, JobSet>
  /** Jobs of which something beside the JobSet was changed or deleted, as `namespace/name`. */
  readonly disturbed: Set<string>
  readonly compat?: 'upstream' | undefined
  readonly statusServer?: StatusServer | undefined
}

/** How long a job waits for its runtime to appear before it looks again. */
const RUNTIME_RETRY_MS = 10_000

/** An event's message is at most 1024 characters. */
const MAX_CAUSE_LENGTH = 950

/**
 * Carries out `decide` for one job: applies, writes the status, deletes, in this order. Rejects when a step failed, so
 * that the queue tries again; the steps before it are kept.
 *
 * The status is written before the JobSet is deleted. Were it the other way round and the write lost, the next pass
 * would see a job that is not finished and has no JobSet, and would build it again. For the same reason a JobSet that
 * ended is remembered until that is written: its time to live may be shorter than an outage.
 */
export async function reconcileTrainJob(
  options: ReconcileOptions,
  key: ObjectKey,
  call: CallOptions = {},
): Promise<{ requeueAfterMs?: number } | undefined> {
  const id = keyText(key)
  // taken away at first: what is disturbed during the pass waits for the next one
  const disturbed = options.disturbed.delete(id)
  try {
    return await pass(options, key, disturbed, call)
  } catch (error) {
    if (disturbed) options.disturbed.add(id)
    throw error
  }
}

async function pass(
  options: ReconcileOptions,
  key: ObjectKey,
  disturbed: boolean,
  call: CallOptions,
): Promise<{ requeueAfterMs?: number } | undefined> {
  const { client, clock, compat, ended } = options
  const id = keyText(key)
  let trainJob = options.trainJobs.get(key)
  if (trainJob === undefined) {
    ended.delete(id)
    return undefined
  }
  let jobSet = options.jobSets.get(key) ?? ended.get(id)
  let decision = decide({ trainJob, jobSet, now: clock.now(), compat, disturbed })

  if (decision.build && jobSet === undefined) {
    // the cache may be behind: a job that has just finished must not get a second JobSet
    const [liveJob, liveSet] = await Promise.all([
      unlessGone(() => client.get(TrainJobs, key, call)),
      unlessGone(() => client.get(JobSets, key, call)),
    ])
    if (liveJob === undefined) return undefined
    trainJob = liveJob
    jobSet = liveSet
    decision = decide({ trainJob, jobSet, now: clock.now(), compat, disturbed })
  }

  const failure = await build(options, trainJob, jobSet, decision, call)
  const status =
    isRuntimeMissing(failure) && isDocumentForm(trainJob)
      ? {
          ...decision.status,
          conditions: withoutRuntime(trainJob.status?.conditions, failure.message, rfc3339(clock.now())),
        }
      : decision.status
  if (jobSet !== undefined && isFinished(status ? { status } : {}) && !isFinished(trainJob)) ended.set(id, jobSet)
  if (status !== trainJob.status) await writeStatus(client, trainJob, status, call)
  ended.delete(id)
  if (decision.deleteJobSet && jobSet !== undefined) await deleteJobSet(client, jobSet, call)

  if (failure !== undefined) {
    if (!isRuntimeMissing(failure)) throw failure
    if (disturbed) options.disturbed.add(id)
    return { requeueAfterMs: Math.min(RUNTIME_RETRY_MS, decision.requeueAfterMs ?? RUNTIME_RETRY_MS) }
  }
  return decision.requeueAfterMs === undefined ? undefined : { requeueAfterMs: decision.requeueAfterMs }
}

/** Applies what the decision asks for. The failure is told in an event and handed back, so that the status is still written. */
async function build(
  { client, events, compat, statusServer }: ReconcileOptions,
  trainJob: TrainJob,
  jobSet: JobSet | undefined,
  decision: Decision,
  call: CallOptions,
): Promise<unknown> {
  if (!decision.build && decision.blockedBy === undefined && decision.scale === undefined) return undefined
  try {
    if (decision.scale && jobSet !== undefined) {
      await scaleRunning({ client, events }, trainJob, jobSet, call)
      return undefined
    }
    if (decision.blockedBy !== undefined) throw nameTaken(decision.blockedBy)
    await applyObjects({ client, compat, statusServer }, trainJob, jobSet, call)
    return undefined
  } catch (error) {
    // an outdated read, or a namesake that is just going, is no fault of the job
    if (isConflict(error) || isFormerJobs(error) || call.signal?.aborted === true) return error
    events.record(trainJob, {
      type: 'Warning',
      reason: 'TrainJobResourcesCreationFailed',
      message: `TrainJob resources reconciliation failed: ${shortened(error)}`,
    })
    return error
  }
}

function isRuntimeMissing(error: unknown): error is ControllerError {
  return error instanceof ControllerError && error.code === 'runtime-not-found'
}

function isFormerJobs(error: unknown): boolean {
  return error instanceof ControllerError && error.code === 'former-job'
}

function nameTaken(jobSet: JobSet): ControllerError {
  const { namespace, name, ownerReferences } = jobSet.metadata
  const owner = ownerReferences?.find((one) => one.controller === true)
  if (owner?.kind === 'TrainJob' && owner.name === name) {
    return new ControllerError(
      'former-job',
      `JobSet ${namespace}/${name} of the former TrainJob of this name still goes away`,
    )
  }
  const whose = owner === undefined ? 'nobody' : `${owner.kind} ${owner.name} (uid ${owner.uid})`
  return new ControllerError(
    'name-taken',
    `JobSet ${namespace}/${name} exists and belongs to ${whose}, not to this TrainJob: delete it, or submit the TrainJob under another name`,
  )
}

function shortened(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return text.length <= MAX_CAUSE_LENGTH ? text : `${text.slice(0, MAX_CAUSE_LENGTH)} ...`
}

/** Merge patch against the version that was read: a write that would undo a newer one is refused and tried again. */
async function writeStatus(
  client: Client,
  trainJob: TrainJob,
  status: TrainJobStatus | undefined,
  call: CallOptions,
): Promise<void> {
  const { name = '', namespace = 'default', resourceVersion } = trainJob.metadata
  const before = trainJob.status
  const body = {
    metadata: { resourceVersion },
    status: {
      ...(status?.conditions !== before?.conditions && { conditions: status?.conditions ?? null }),
      ...(status?.jobsStatus !== before?.jobsStatus && { jobsStatus: status?.jobsStatus ?? null }),
    },
  }
  const options = { ...call, subresource: 'status', fieldManager: FIELD_MANAGER }
  await unlessGone(() => client.patch(TrainJobs, { namespace, name }, { type: 'merge', body }, options))
}

async function deleteJobSet(client: Client, jobSet: JobSet, call: CallOptions): Promise<void> {
  const { name = '', namespace = 'default', uid = '' } = jobSet.metadata
  await unlessGone(() =>
    client.delete(JobSets, { namespace, name }, { ...call, preconditions: { uid }, propagationPolicy: 'Background' }),
  )
}

/** The answer, or `undefined` when there is no such object. */
async function unlessGone<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask()
  } catch (error) {
    if (isNotFound(error)) return undefined
    throw error
  }
}
