import { isFinished, type JobSet, JobSets, type Pod, Pods, type TrainJob, TrainJobs } from '@trainjob/api'
import { ApiError, type Client, type Clock, createInformer, type Informer, isNotFound } from '@trainjob/kube'
import { toTrainerError } from '../to-trainer-error.ts'

const JOBSET_NAME = 'jobset.sigs.k8s.io/jobset-name'
const JOBSET_UID = 'jobset.sigs.k8s.io/jobset-uid'

export interface JobObserverOptions {
  readonly client: Client
  readonly clock: Clock
  readonly namespace: string
  readonly name: string
  /** Objects of another job that has, or had, the name are not shown. */
  readonly uid: string
}

/** One job and what belongs to it, kept up to date by three watches. */
export interface JobObserver {
  /** The last state known; `undefined` until it was seen. */
  readonly trainJob: TrainJob | undefined
  readonly jobSet: JobSet | undefined
  /** The job was deleted. */
  readonly gone: boolean
  /** The job has ended or is gone: nothing new will start. */
  readonly over: boolean
  /** Pods that exist. */
  pods(): readonly Pod[]
  /** Last state of a pod, also of one that is gone. */
  pod(uid: string): { readonly pod: Pod; readonly gone: boolean } | undefined
  /** Takes over a pod that was read elsewhere, unless it is known. */
  adopt(pod: Pod): void
  /** Calls back after each change of anything, until the answer is called. */
  on(listener: () => void): () => void
  /** Calls back for each pod that is there, and for each change of one. */
  onPod(listener: (pod: Pod, gone: boolean) => void): () => void
  /** Resolves when all three are known; rejects with `TrainerError` when they cannot be watched. */
  ready(): Promise<void>
  /** Rejects with `TrainerError` when the API refuses a watch; never resolves. */
  readonly refused: Promise<never>
  /** Runs until the signal fires. */
  run(signal: AbortSignal): Promise<void>
}

export function createJobObserver({ client, clock, namespace, name, uid }: JobObserverOptions): JobObserver {
  const refused = Promise.withResolvers<never>()
  refused.promise.catch(() => {})
  const onError = (error: unknown) => {
    // anything else is tried again below; without the right to look no try helps
    if (error instanceof ApiError && [401, 403, 404].includes(error.httpCode)) {
      refused.reject(toTrainerError(error, `watch TrainJob ${namespace}/${name}`))
    }
  }
  const scope = { client, clock, namespace, onError }
  const byName = { ...scope, fieldSelector: `metadata.name=${name}` }
  const trainJobs = createInformer({ ...byName, resource: TrainJobs })
  const jobSets = createInformer({ ...byName, resource: JobSets })
  const allPods = createInformer({ ...scope, resource: Pods, labelSelector: `${JOBSET_NAME}=${name}` })

  const listeners = new Set<() => void>()
  const podListeners = new Set<(pod: Pod, gone: boolean) => void>()
  const known = new Map<string, { pod: Pod; gone: boolean }>()
  const jobSetUids = new Set<string>()
  let trainJob: TrainJob | undefined
  let jobSet: JobSet | undefined
  let gone = false

  function changed(): void {
    for (const listener of listeners) listener()
  }

  function isOurs(pod: Pod): boolean {
    const label = pod.metadata.labels?.[JOBSET_UID]
    return label === undefined ? jobSet !== undefined : jobSetUids.has(label)
  }

  function takePod(pod: Pod, podGone: boolean): void {
    if (!isOurs(pod)) return
    known.set(pod.metadata.uid ?? '', { pod, gone: podGone })
    for (const listener of podListeners) listener(pod, podGone)
  }

  trainJobs.on((change) => {
    if (change.object.metadata.uid !== uid) return
    trainJob = change.object
    gone = change.type === 'deleted'
    changed()
  })
  jobSets.on((change) => {
    const owned = change.object.metadata.ownerReferences?.some((owner) => owner.uid === uid) ?? false
    if (!owned) return
    const known = jobSetUids.has(change.object.metadata.uid ?? '')
    jobSetUids.add(change.object.metadata.uid ?? '')
    jobSet = change.type === 'deleted' ? undefined : change.object
    // its pods may have come first
    if (!known) for (const pod of allPods.store.list()) takePod(pod, false)
    changed()
  })
  allPods.on((change) => {
    takePod(change.object, change.type === 'deleted')
    changed()
  })

  async function sync(): Promise<void> {
    await Promise.all([trainJobs, jobSets, allPods].map((one: Informer<unknown>) => one.hasSynced()))
    if (trainJob !== undefined) return
    // deleted before the watch began, or the list came from a cache that has not seen the job yet
    const live = await client.get(TrainJobs, { namespace, name }).catch((error: unknown) => {
      if (isNotFound(error)) return undefined
      throw toTrainerError(error, `read TrainJob ${namespace}/${name}`)
    })
    if (trainJob !== undefined || live?.metadata.uid === uid) return
    gone = true
    changed()
  }

  let whenReady: Promise<void> | undefined

  return {
    get trainJob() {
      return trainJob
    },
    get jobSet() {
      return jobSet
    },
    get gone() {
      return gone
    },
    get over() {
      return gone || (trainJob !== undefined && isFinished(trainJob))
    },
    pods: () => [...known.values()].filter((one) => !one.gone).map((one) => one.pod),
    pod: (podUid) => known.get(podUid),
    adopt(pod) {
      if (!known.has(pod.metadata.uid ?? '')) takePod(pod, false)
    },
    on(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    onPod(listener) {
      for (const { pod, gone: podGone } of known.values()) listener(pod, podGone)
      podListeners.add(listener)
      return () => podListeners.delete(listener)
    },
    ready() {
      whenReady ??= Promise.race([sync(), refused.promise])
      return whenReady
    },
    refused: refused.promise,
    async run(signal) {
      await Promise.all([trainJobs.run(signal), jobSets.run(signal), allPods.run(signal)])
    },
  }
}
