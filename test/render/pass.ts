import { type Condition, isFinished, type KubernetesObject, type TrainJobStatus } from '@trainjob/api'
import { reconcileTrainJob } from '../../packages/controller/src/trainjob/reconcile.ts'
import type { Answer, Question } from '../oracle/oracle.ts'
import { comparable, STATUS_URL } from './answers.ts'
import { isRecent } from './reviews.ts'
import { worldOf } from './world.ts'

/** What of a pass both sides must agree on. */
export interface PassVerdict {
  readonly conditions: readonly string[]
  readonly jobsStatus: readonly object[]
  readonly applied: readonly unknown[]
  readonly deleted: readonly string[]
  readonly events: readonly string[]
  /** It wants to look again. */
  readonly again: boolean
}

/** Ours. */
export async function ourPass(question: Question): Promise<PassVerdict> {
  const world = worldOf(question)
  const { namespace = 'default', name = '' } = question.trainJob.metadata
  const jobSet = question.objects?.find(({ kind }) => kind === 'JobSet')
  const events: string[] = []
  const { statusServer } = question
  const result = await reconcileTrainJob(
    {
      client: world.client,
      clock: { now: () => Date.now(), after: () => () => {} },
      events: { record: (_, { reason }) => void events.push(reason), flush: async () => {} },
      trainJobs: { get: () => world.trainJob() },
      jobSets: { get: () => jobSet as never },
      ended: new Map(),
      // upstream renders in every pass, ours while the job runs only when something was disturbed
      disturbed: new Set([`${namespace}/${name}`]),
      compat: 'upstream',
      ...(statusServer !== undefined && { statusServer: { url: STATUS_URL, caCertificate: statusServer } }),
    },
    { namespace, name },
  ).catch((error: unknown) => (error instanceof Error ? error : new Error(String(error))))
  const failed = result instanceof Error
  return verdict({
    status: world.trainJob().status ?? {},
    applied: world.applied,
    deleted: world.deleted,
    events,
    again: failed || result?.requeueAfterMs !== undefined,
    failed: failed || events.length > 0,
  })
}

/** Upstream's. */
export function upstreamPass({ pass }: Answer, { objects = [] }: Question): PassVerdict {
  if (pass === undefined) throw new Error('The oracle did not say what the pass did.')
  const isThere = (name: string): boolean => objects.some(({ kind, metadata }) => name === `${kind} ${metadata.name}`)
  const { status, applied = [], events = [], error, later = false } = pass
  // it asks for the deletion of what is not there, too
  const deleted = (pass.deleted ?? []).filter(isThere)
  return verdict({ status, applied, deleted, events, again: error !== undefined || later, failed: error !== undefined })
}

interface Done {
  readonly status: TrainJobStatus
  readonly applied: readonly KubernetesObject[]
  readonly deleted: readonly string[]
  readonly events: readonly string[]
  readonly again: boolean
  readonly failed: boolean
}

function verdict({ status, applied, deleted, events, again, failed }: Done): PassVerdict {
  const objects = JSON.parse(JSON.stringify(applied)) as readonly KubernetesObject[]
  const said = {
    conditions: (status.conditions ?? []).map(told).sort(),
    jobsStatus: (status.jobsStatus ?? []).map((one) => ({ ...one })).sort((a, b) => (a.name < b.name ? -1 : 1)),
  }
  // upstream renders before it looks whether the job ends in this very pass
  if (isFinished({ status })) return { ...said, applied: [], deleted, events: [], again: false }
  return {
    ...said,
    // what was applied before something went wrong depends on the order, which in Go is random
    applied: failed ? [] : comparable(objects.map(withReadSnapshot)),
    deleted,
    events,
    again,
  }
}

function told({ type, status, reason, message, lastTransitionTime }: Condition): string {
  return [type, status, reason, message, isRecent(lastTransitionTime) ? 'now' : lastTransitionTime].join(' | ')
}

/** Upstream writes the runtime as YAML, ours as JSON: what it says is compared where it is rendered. */
function withReadSnapshot(object: KubernetesObject): KubernetesObject {
  const { metadata } = object
  return metadata.name?.endsWith('-runtime-snapshot') ? ({ ...object, data: {} } as KubernetesObject) : object
}
