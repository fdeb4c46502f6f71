import type { Pod } from '@trainjob/api'
import type { Client, LogOptions } from '@trainjob/kube'
import { containerStatusOf, isPodOver, startsOf } from '../job/container-status.ts'
import { TrainerError } from '../trainer-error.ts'
import { createContainerLog } from './container-log.ts'

/** How long to wait for news of a pod before a log that broke off is opened again. */
const RETRY_MS = 1000

/** Tries to get at a log after the job has ended, before the rest is given up. */
const TRIES_AFTER_END = 10

export interface FollowContainerOptions {
  readonly client: Client
  readonly pod: Pod
  readonly container: string
  /** Last state of the pod. */
  latest(): { readonly pod: Pod; readonly gone: boolean }
  /** Whether the job has ended. */
  isOver(): boolean
  /** Resolves at the pod's next change, at the job's end or after the time. */
  next(ms: number | undefined): Promise<void>
  emit(text: string, timestamp: string): Promise<void> | undefined
  /** Of the first read: `tailLines`, `sinceSeconds`, … */
  readonly first: LogOptions
  readonly signal: AbortSignal
}

/**
 * Streams one container of one pod from its first start to its last line, over all its restarts. The pod's status says
 * how often the container was started; each start is read to its end. A server may end a log before the container does,
 * so what ended while the container was still known to run is read once more when it is known to have ended.
 */
export async function followContainer(options: FollowContainerOptions): Promise<void> {
  const { client, pod, container, latest, isOver, next, emit, signal } = options
  const log = createContainerLog(client, pod, container)
  /** Starts whose log ended, and whether the last of them is read for certain. */
  let startsRead = 0
  let certain = true
  let opened = false
  let cut = false
  let triesAfterEnd = 0
  // a container that was seen before it ran: no start of it may be missed
  const fromBirth = startsOf(containerStatusOf(pod, container)) === 0

  while (!signal.aborted) {
    const { pod: now, gone } = latest()
    const status = containerStatusOf(now, container)
    const starts = startsOf(status)
    const running = status?.state?.running !== undefined
    if (starts > startsRead || cut || (!certain && !running)) {
      // the start before this one is still kept as the previous one
      const unread = starts - startsRead
      const missed = opened ? unread >= (certain ? 2 : 1) : fromBirth && unread >= 2
      if (missed) await log.read({ previous: true, signal }, emit)
      const end = await log.read({ ...(opened ? {} : options.first), follow: true, signal }, emit)
      if (end === 'gone') return
      if (end === 'end') {
        opened = true
        cut = false
        startsRead = starts
        certain = !running
        continue
      }
      if (gone) return
      if (isOver() && ++triesAfterEnd > TRIES_AFTER_END) throw unreadable(now, container)
      await next(RETRY_MS)
      continue
    }
    if (gone || isPodOver(now) || (isOver() && !running)) return
    await next(running ? RETRY_MS : undefined)
    // no news that the container ended: the server ended the log by itself
    cut = running && latest().pod === now
    if (cut && isOver() && ++triesAfterEnd > TRIES_AFTER_END) return
  }
}

function unreadable(pod: Pod, container: string): TrainerError {
  const { namespace, name } = pod.metadata
  return new TrainerError(
    'unreachable',
    `the log of container ${container} in pod ${namespace}/${name} breaks off: its node does not answer; \`kubectl logs\` may have the rest later`,
  )
}
