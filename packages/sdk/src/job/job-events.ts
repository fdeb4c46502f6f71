import { type Event, Events, type JobSet, type TrainJob } from '@trainjob/api'
import type { Client } from '@trainjob/kube'

/** Replicated jobs of the runtimes that Trainer ships, for a job whose JobSet is gone. */
const USUAL_JOBS = ['node', 'launcher', 'dataset-initializer', 'model-initializer']

/**
 * Events about a TrainJob, its JobSet, its Jobs and its Pods, oldest first. Jobs and Pods are told by their names, since
 * events outlive them.
 */
export async function eventsOf(
  client: Client,
  trainJob: TrainJob,
  jobSet: JobSet | undefined,
  signal?: AbortSignal,
): Promise<readonly Event[]> {
  const { namespace = 'default', name = '', uid, creationTimestamp = '' } = trainJob.metadata
  const { items } = await client.list(Events, { namespace, ...(signal !== undefined && { signal }) })
  const counted = trainJob.status?.jobsStatus?.map((one) => one.name) ?? []
  const known = jobSet?.spec.replicatedJobs?.map((one) => one.name) ?? counted
  const replicatedJob = `(?:${(known.length === 0 ? USUAL_JOBS : known).join('|')})`
  const job = new RegExp(`^${name}-${replicatedJob}-\\d+$`)
  const pod = new RegExp(`^${name}-${replicatedJob}-\\d+-(?:\\d+-)?[a-z0-9]{5}$`)
  const start = Date.parse(creationTimestamp)
  return items
    .filter(({ involvedObject }) => {
      const { kind, name: about = '', uid: of } = involvedObject
      if (kind === 'TrainJob') return about === name && (of ?? uid) === uid
      if (kind === 'JobSet') return about === name
      if (kind === 'Job') return job.test(about)
      return kind === 'Pod' && pod.test(about)
    })
    .filter((event) => !(timeOf(event) < start))
    .sort((a, b) => timeOf(a) - timeOf(b))
}

function timeOf({ lastTimestamp, eventTime, firstTimestamp, metadata }: Event): number {
  return Date.parse(lastTimestamp ?? eventTime ?? firstTimestamp ?? metadata.creationTimestamp ?? '')
}
