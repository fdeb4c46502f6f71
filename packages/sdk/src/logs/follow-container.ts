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
 * how often the container was started; each start is read to its end.
 */
export async function followContainer(options: FollowContainerOptions): Promise<void> {
  const { client, pod, container, latest, isOver, next, emit, signal } = options
  const log = createContainerLog(client, pod, container)
  let startsRead = 0
  let opened = false
  let triesAfterEnd = 0
  // a container that was seen before it ran: no start of it may be missed
  const fromBirth = startsOf(containerStatusOf(pod, container)) === 0

  while (!signal.aborted) {
    const { pod: now, gone } = latest()
    const status = containerStatusOf(now, container)
    const starts = startsOf(status)
    if (starts > startsRead) {
      // two starts since the last look: the earlier one is still kept as the previous one
      if ((opened || fromBirth) && starts - startsRead >= 2) await log.read({ previous: true, signal }, emit)
      const end = await log.read({ ...(opened ? {} : options.first), follow: true, signal }, emit)
      if (end === 'gone') return
      if (end === 'end') {
        opened = true
        startsRead = starts
        continue
      }
      if (gone) return
      if (isOver() && ++triesAfterEnd > TRIES_AFTER_END) throw unreadable(now, container)
      await next(RETRY_MS)
      continue
    }
    const running = status?.state?.running !== undefined
    if (gone || isPodOver(now) || (isOver() && !running)) return
    await next(running ? RETRY_MS : undefined)
    // the log ended, and yet no news that the container did: the server cut it
    if (running && latest().pod === now) {
      if (isOver() && ++triesAfterEnd > TRIES_AFTER_END) return
      startsRead = starts - 1
    }
  }
}

function unreadable(pod: Pod, container: string): TrainerError {
  const { namespace, name } = pod.metadata
  return new TrainerError(
    'unreachable',
    `the log of container ${container} in pod ${namespace}/${name} breaks off: its node does not answer; \`kubectl logs\` may have the rest later`,
  )
}
