import type { Pod } from '@trainjob/api'
import type { Client, LogOptions } from '@trainjob/kube'
import { containerStatusOf, isPodOver, startsOf } from '../job/container-status.ts'
import { TrainerError } from '../trainer-error.ts'
import { createContainerLog, type ReadEnd } from './container-log.ts'

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
  /** Whether nobody has read this job before, so that what ended before the first look is news, too. */
  readonly fromStart?: boolean
  readonly signal: AbortSignal
}

/** What is known of the container now. */
interface Sight {
  readonly pod: Pod
  readonly gone: boolean
  readonly starts: number
  readonly running: boolean
}

/**
 * Streams one container of one pod from its first start to its last line, over all its restarts. The pod's status says
 * how often the container was started; each start is read to its end. A server may end a log before the container does,
 * so what ended while the container was still known to run is read once more when it is known to have ended.
 */
export async function followContainer(options: FollowContainerOptions): Promise<void> {
  const { container, isOver, next, signal } = options
  const starts = createStartReader(options)
  let triesAfterEnd = 0
  /** Whether to give up: the job is over, and the log still cannot be got to its end. */
  const isTooLate = () => isOver() && ++triesAfterEnd > TRIES_AFTER_END

  for (let cut = false; !signal.aborted; ) {
    const now = look(options)
    if (cut || starts.hasMore(now)) {
      cut = false
      const end = await starts.read(now)
      if (end === 'gone' || (end === 'broken' && now.gone)) return
      if (end === 'end') continue
      if (isTooLate()) throw unreadable(now.pod, container)
      await next(RETRY_MS)
    } else {
      if (now.gone || isPodOver(now.pod) || (isOver() && !now.running)) return
      await next(now.running ? RETRY_MS : undefined)
      // no news that the container ended: the server ended the log by itself
      cut = now.running && options.latest().pod === now.pod
      if (cut && isTooLate()) return
    }
  }
}

/** Keeps the books of which starts of the container have been read. */
function createStartReader(options: FollowContainerOptions): {
  hasMore(now: Sight): boolean
  read(now: Sight): Promise<ReadEnd>
} {
  const { client, pod, container, emit, first, fromStart = false, signal } = options
  const log = createContainerLog(client, pod, container)
  // a container that was seen before it ran: no start of it may be missed
  const fromBirth = fromStart || look(options).starts === 0
  /** Starts whose log ended, and whether the last of them was read after it was known to have ended. */
  let startsRead = 0
  let readAfterEnd = true
  let opened = false

  return {
    hasMore: ({ starts, running }) => starts > startsRead || (!readAfterEnd && !running),
    async read({ starts, running }) {
      const unread = starts - startsRead
      // The start before this one is still kept as the previous one. It is read even if it was read before: the
      // container may have started anew before that answer came, and then the answer was of this start.
      const missed = opened ? unread >= 1 : fromBirth && unread >= 2
      if (missed) await log.read({ previous: true, signal }, emit)
      const end = await log.read({ ...(opened ? {} : first), follow: true, signal }, emit)
      if (end === 'end') {
        opened = true
        startsRead = starts
        readAfterEnd = !running
      }
      return end
    },
  }
}

function look({ latest, container }: FollowContainerOptions): Sight {
  const { pod, gone } = latest()
  const status = containerStatusOf(pod, container)
  return { pod, gone, starts: startsOf(status), running: status?.state?.running !== undefined }
}

function unreadable(pod: Pod, container: string): TrainerError {
  const { namespace, name } = pod.metadata
  return new TrainerError(
    'unreachable',
    `the log of container ${container} in pod ${namespace}/${name} breaks off: its node does not answer; \`kubectl logs\` may have the rest later`,
  )
}
