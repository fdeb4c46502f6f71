import { type JobSet, JobSets, type KubernetesObject, type TrainJob } from '@trainjob/api'
import type { CallOptions, Client } from '@trainjob/kube'
import { type RenderOptions, render, type StatusServer } from '@trainjob/runtime'
import { isRefused } from './is-refused.ts'
import { nodeKeys } from './node-keys.ts'
import { readFacts } from './read-facts.ts'
import { resourceOf } from './rendered-resource.ts'
import { readRuntime, storeSnapshot } from './runtime-source.ts'

/** Upstream's field manager: objects of a cluster that changes over to this controller keep their owner. */
export const FIELD_MANAGER = 'trainer'

export interface ApplyObjectsOptions {
  readonly client: Client
  readonly compat?: 'upstream' | undefined
  /** Where training code reports its progress. */
  readonly statusServer?: StatusServer | undefined
}

/**
 * Renders the job and applies every object, in the renderer's order. The runtime's snapshot is stored once it has been
 * rendered: a runtime that cannot be rendered may still be mended.
 */
export async function applyObjects(
  { client, compat, statusServer }: ApplyObjectsOptions,
  trainJob: TrainJob,
  jobSet: JobSet | undefined,
  call: CallOptions,
): Promise<void> {
  const source = await readRuntime(client, trainJob, call)
  const facts = await readFacts(client, trainJob, source.runtime, call)
  const options: RenderOptions = {
    facts: { objects: jobSet === undefined ? facts : [jobSet, ...facts] },
    keys: nodeKeys,
    ...(compat !== undefined && { compat }),
    ...(statusServer !== undefined && { statusServer }),
  }
  let { objects } = render(trainJob, source.runtime, options)
  if (!source.snapshot) {
    const stored = await storeSnapshot(client, trainJob, source.runtime, call)
    if (stored !== source.runtime) objects = render(trainJob, stored, options).objects
  }
  for (const object of objects) {
    try {
      await apply(client, object, call)
    } catch (error) {
      if (compat === 'upstream' || object.kind !== JobSets.kind || jobSet === undefined || !isRefused(error))
        throw error
      await replaceJobSet(client, trainJob, jobSet, call)
    }
  }
}

async function apply(client: Client, object: KubernetesObject, call: CallOptions): Promise<void> {
  const { namespace = 'default', name = '' } = object.metadata
  await client.patch(
    resourceOf(object),
    { namespace, name },
    { type: 'apply', body: object, force: true },
    { ...call, fieldManager: FIELD_MANAGER },
  )
}

/**
 * The patches of a suspended job changed more than a suspended JobSet lets change, say a container's env. Upstream is
 * refused for ever (kubeflow/trainer#3008). Suspending needs nothing but the flag; a JobSet that stands still is
 * deleted, and built anew once it is gone.
 */
async function replaceJobSet(client: Client, trainJob: TrainJob, jobSet: JobSet, call: CallOptions): Promise<void> {
  const { namespace = 'default', name = '', uid = '' } = jobSet.metadata
  if (trainJob.spec.suspend === true) {
    if (jobSet.spec.suspend === true) return
    const body = { metadata: { uid }, spec: { suspend: true } }
    await client.patch(JobSets, { namespace, name }, { type: 'merge', body }, { ...call, fieldManager: FIELD_MANAGER })
    return
  }
  // its pods still end: the change of its counts leads here again
  if (jobSet.status?.replicatedJobsStatus?.some((one) => one.active > 0)) return
  await client.delete(
    JobSets,
    { namespace, name },
    { ...call, preconditions: { uid }, propagationPolicy: 'Foreground' },
  )
}
