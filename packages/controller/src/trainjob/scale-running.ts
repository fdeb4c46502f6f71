import {
  ANCESTOR_TRAINER,
  type Job,
  type JobSet,
  JobSets,
  Jobs,
  type KubernetesObject,
  type TrainJob,
} from '@trainjob/api'
import { type CallOptions, type Client, type EventRecorder, isNotFound } from '@trainjob/kube'
import { type Rendered, render } from '@trainjob/runtime'
import { FIELD_MANAGER } from './apply-objects.ts'
import { isRefused } from './is-refused.ts'
import { nodeKeys } from './node-keys.ts'
import { readFacts } from './read-facts.ts'
import { resourceOf } from './rendered-resource.ts'
import { readRuntime } from './runtime-source.ts'

/** What scaling needs. */
export interface ScaleOptions {
  readonly client: Client
  readonly events: EventRecorder
}

/**
 * Gives a running elastic job the number of nodes that its annotation asks for, else the one it was submitted with, within
 * its bounds; other jobs keep what they have. Whatever else has changed about the job stays as it runs.
 *
 * A JobSet lets its counts change only where the gate ElasticJobSet is on (alpha in v0.12). Elsewhere the Job below it is
 * changed, which Kubernetes lets every Indexed Job, and changed again whenever JobSet makes it anew.
 */
export async function scaleRunning(
  { client, events }: ScaleOptions,
  trainJob: TrainJob,
  jobSet: JobSet,
  call: CallOptions,
): Promise<void> {
  const { runtime } = await readRuntime(client, trainJob, call)
  const facts = await readFacts(client, trainJob, runtime, call)
  // as if the job were new: what runs would not be rendered again
  const rendered = render(trainJob, runtime, { keys: nodeKeys })
  const wanted = rendered.podSets.find(({ ancestor }) => ancestor === ANCESTOR_TRAINER)
  const at = jobSet.spec.replicatedJobs?.findIndex(({ name }) => name === wanted?.name) ?? -1
  if (wanted === undefined || at === -1) return

  const { name = '', namespace = 'default' } = jobSet.metadata
  const job = await read(client, { namespace, name: `${name}-${wanted.name}-0` }, call)
  // it is being made: that it is there will lead here again
  if (job === undefined) return
  const before = job.spec.completions ?? 1
  if (before !== wanted.count || job.spec.parallelism !== wanted.count) {
    const inJobSet = await scaleJobSet(client, jobSet, at, wanted.count, call)
    if (!inJobSet) await scaleJob(client, job, wanted.count, call)
    events.record(trainJob, { type: 'Normal', reason: 'Scaled', message: scaledText(before, wanted.count, rendered) })
  }
  await resizeGang(client, facts, rendered, call)
}

function scaledText(before: number, after: number, { warnings }: Rendered): string {
  const bounded = warnings.find(({ code }) => code === 'nodes-out-of-bounds')
  return `Scaled from ${before} to ${after} nodes${bounded === undefined ? '' : ` (${bounded.message})`}`
}

/** Whether the JobSet has the count now; it hands it on to its Job. */
async function scaleJobSet(
  client: Client,
  { metadata, spec }: JobSet,
  at: number,
  count: number,
  call: CallOptions,
): Promise<boolean> {
  const { name = '', namespace = 'default' } = metadata
  const job = spec.replicatedJobs?.[at]
  if (job?.template.spec?.completions === count) return false
  const path = `/spec/replicatedJobs/${at}`
  const ops = [
    { op: 'test', path: `${path}/name`, value: job?.name },
    { op: 'add', path: `${path}/template/spec/parallelism`, value: count },
    { op: 'add', path: `${path}/template/spec/completions`, value: count },
  ] as const
  try {
    await client.patch(JobSets, { namespace, name }, { type: 'json', ops }, { ...call, fieldManager: FIELD_MANAGER })
    return true
  } catch (error) {
    if (isRefused(error)) return false
    throw error
  }
}

async function scaleJob(client: Client, { metadata }: Job, count: number, call: CallOptions): Promise<void> {
  const { name = '', namespace = 'default', uid } = metadata
  const body = { metadata: { uid }, spec: { parallelism: count, completions: count } }
  await client.patch(Jobs, { namespace, name }, { type: 'merge', body }, { ...call, fieldManager: FIELD_MANAGER })
}

/** A gang scheduler that waits for more pods than there are would let none of the new ones run. */
async function resizeGang(
  client: Client,
  facts: readonly KubernetesObject[],
  { objects }: Rendered,
  call: CallOptions,
): Promise<void> {
  const wanted = objects.find(({ kind }) => kind === 'PodGroup')
  const found = facts.find(({ kind }) => kind === 'PodGroup')
  if (wanted === undefined || found === undefined || minMemberOf(wanted) === minMemberOf(found)) return
  const { name = '', namespace = 'default' } = wanted.metadata
  const options = { ...call, fieldManager: FIELD_MANAGER }
  await client.patch(resourceOf(wanted), { namespace, name }, { type: 'apply', body: wanted, force: true }, options)
}

function minMemberOf(podGroup: KubernetesObject): unknown {
  return (podGroup as { readonly spec?: { readonly minMember?: unknown } }).spec?.minMember
}

async function read(
  client: Client,
  key: { readonly namespace: string; readonly name: string },
  call: CallOptions,
): Promise<Job | undefined> {
  try {
    return await client.get(Jobs, key, call)
  } catch (error) {
    if (isNotFound(error)) return undefined
    throw error
  }
}
