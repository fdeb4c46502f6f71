import { type JobSet, JobSets, type Pod, Pods } from '@trainjob/api'
import { type Client, isNotFound } from '@trainjob/kube'

const JOBSET_NAME = 'jobset.sigs.k8s.io/jobset-name'
const JOBSET_UID = 'jobset.sigs.k8s.io/jobset-uid'

export interface JobKey {
  readonly namespace: string
  readonly name: string
  /** Of the TrainJob: what belongs to another job of the name is left out. */
  readonly uid: string
}

/** The JobSet and the pods of a job, read once. */
export async function podsOfJob(
  client: Client,
  { namespace, name, uid }: JobKey,
  signal?: AbortSignal,
): Promise<{ readonly jobSet?: JobSet; readonly pods: readonly Pod[] }> {
  const call = signal === undefined ? {} : { signal }
  const [jobSet, { items }] = await Promise.all([
    client.get(JobSets, { namespace, name }, call).catch((error: unknown) => {
      if (isNotFound(error)) return undefined
      throw error
    }),
    client.list(Pods, { ...call, namespace, labelSelector: `${JOBSET_NAME}=${name}` }),
  ])
  if (jobSet?.metadata.ownerReferences?.some((owner) => owner.uid === uid) !== true) return { pods: [] }
  const pods = items.filter((pod) => (pod.metadata.labels?.[JOBSET_UID] ?? jobSet.metadata.uid) === jobSet.metadata.uid)
  return { jobSet, pods }
}
