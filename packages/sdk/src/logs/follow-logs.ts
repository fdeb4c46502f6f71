import { type Pod, Pods } from '@trainjob/api'
import type { Client, Clock } from '@trainjob/kube'
import type { JobObserver } from '../job/job-observer.ts'
import { nodeNameOf } from '../job/node-name.ts'
import { until } from '../job/until.ts'
import type { LogLine, LogsOptions } from '../log-line.ts'
import { aborted, toTrainerError } from '../to-trainer-error.ts'
import { createChannel } from './channel.ts'
import { firstRead } from './first-read.ts'
import { followContainer } from './follow-container.ts'
import { containerToRead, isSelected } from './selected-pods.ts'

export interface FollowLogsOptions extends LogsOptions {
  readonly client: Client
  readonly clock: Clock
  readonly observer: JobObserver
  readonly namespace: string
  readonly name: string
  /** See `FollowContainerOptions`. */
  readonly fromStart: boolean
}

/**
 * The lines of all pods of a job in order of arrival, also of pods that come later, until the job has ended and every
 * log is read to its end.
 */
export async function* followLogs(options: FollowLogsOptions): AsyncGenerator<LogLine> {
  const { client, clock, observer, namespace, name, signal } = options
  const what = `follow the logs of TrainJob ${namespace}/${name}`
  if (signal?.aborted === true) throw aborted(what, signal.reason)
  const channel = createChannel<LogLine>()
  const stop = new AbortController()
  const onAbort = () => {
    stop.abort(signal?.reason)
    channel.fail(aborted(what, signal?.reason))
  }
  signal?.addEventListener('abort', onAbort, { once: true })
  const followers = new Map<string, Promise<void>>()
  const wakers = new Map<string, () => void>()

  function fail(error: unknown): void {
    if (!stop.signal.aborted) channel.fail(toTrainerError(error, what))
  }

  function wakeAll(): void {
    for (const wake of wakers.values()) wake()
  }

  function next(uid: string, ms: number | undefined): Promise<void> {
    return new Promise((resolve) => {
      const cancel = ms === undefined ? undefined : clock.after(ms, done)
      function done(): void {
        cancel?.()
        wakers.delete(uid)
        resolve()
      }
      wakers.set(uid, done)
      if (stop.signal.aborted) done()
    })
  }

  function follow(pod: Pod): void {
    const uid = pod.metadata.uid ?? ''
    const container = containerToRead(pod, options.container)
    if (followers.has(uid) || container === undefined || !isSelected(pod, options.node)) return
    const line = { node: nodeNameOf(pod), pod: pod.metadata.name ?? '', container }
    const follower = followContainer({
      client,
      pod,
      container,
      latest: () => observer.pod(uid) ?? { pod, gone: false },
      isOver: () => observer.over,
      next: (ms) => next(uid, ms),
      emit: (text, timestamp) => channel.push({ ...line, text, ...(options.timestamps === true && { timestamp }) }),
      first: firstRead(options),
      fromStart: options.fromStart && options.tail === undefined && options.since === undefined,
      signal: stop.signal,
    })
    followers.set(uid, follower.catch(fail))
  }

  async function end(): Promise<void> {
    await observer.ready()
    await until(observer, what, stop.signal, () => observer.over || undefined)
    wakeAll()
    // the news of the last pods may be slower than that of the job
    const { items } = await client.list(Pods, {
      namespace,
      labelSelector: `jobset.sigs.k8s.io/jobset-name=${name}`,
      signal: stop.signal,
    })
    for (const pod of items) observer.adopt(pod)
    await Promise.all(followers.values())
    channel.close()
  }

  const off = observer.onPod((pod) => {
    follow(pod)
    wakers.get(pod.metadata.uid ?? '')?.()
  })
  const ending = end().catch(fail)
  try {
    yield* channel
  } finally {
    off()
    signal?.removeEventListener('abort', onAbort)
    stop.abort()
    wakeAll()
    channel.close()
    await Promise.all([ending, ...followers.values()])
  }
}
