import type { Pod } from '@trainjob/api'
import { ApiError, type Client, ConnectionError, type LogOptions, lines } from '@trainjob/kube'
import { compareTimestamps, splitTimestamp } from './timestamp.ts'

/** How reading a container's log ended. */
export type ReadEnd =
  /** The server ended it: the container did, or the server had enough. */
  | 'end'
  /** There is no log yet, or none any more, or the connection broke: look at the pod and try again. */
  | 'broken'
  /** The pod is gone. */
  | 'gone'

export interface ContainerLog {
  /** Hands each line that was not handed out before to `emit`. Rejects only with an answer that no retry mends. */
  read(options: LogOptions, emit: (text: string, timestamp: string) => Promise<void> | undefined): Promise<ReadEnd>
}

/** Lines that one go has handed out: all between the two times, and so many of those written at the last one. */
interface Reach {
  readonly from: string
  to: string
  countAtEnd: number
}

/** More would only be needed by a container that is cut off more often than it is restarted. */
const REACHES_KEPT = 16

/**
 * Reads one container's log in several goes without giving a line twice. What each go handed out is remembered by its
 * times. One end for all of them would not do: a container may restart between the news of a start and the answer to
 * the request for its log, so that a later start is read first.
 */
export function createContainerLog(client: Client, pod: Pod, container: string): ContainerLog {
  const key = { namespace: pod.metadata.namespace ?? 'default', name: pod.metadata.name ?? '' }
  const reaches: Reach[] = []

  return {
    async read(options, emit) {
      const old = reaches.map((reach) => ({ ...reach }))
      let mine: Reach | undefined
      const keep = (timestamp: string) => {
        if (mine === undefined) {
          mine = { from: timestamp, to: timestamp, countAtEnd: 0 }
          reaches.push(mine)
          if (reaches.length > REACHES_KEPT) reaches.shift()
        }
        mine.countAtEnd = timestamp === mine.to ? mine.countAtEnd + 1 : 1
        mine.to = timestamp
      }
      // of an earlier start everything may be new
      const since = options.previous === true ? undefined : latest(old)
      let pastAll = old.length === 0
      try {
        const chunks = client.logs(key, {
          ...options,
          container,
          timestamps: true,
          ...(since !== undefined && { sinceTime: since }),
        })
        for await (const line of lines(chunks)) {
          const { timestamp, text } = splitTimestamp(line)
          if (!pastAll && isKnown(old, timestamp)) continue
          // times only grow
          pastAll ||= since !== undefined && compareTimestamps(timestamp, since) > 0
          keep(timestamp)
          await emit(text, timestamp)
        }
        return 'end'
      } catch (error) {
        if (options.signal?.aborted === true) throw error
        return endOf(error)
      }
    },
  }
}

/** Whether a line of this time was handed out; counts down those at an end. */
function isKnown(reaches: readonly Reach[], timestamp: string): boolean {
  return reaches.some((reach) => {
    const end = compareTimestamps(timestamp, reach.to)
    if (end > 0 || compareTimestamps(timestamp, reach.from) < 0) return false
    return end < 0 || reach.countAtEnd-- > 0
  })
}

function latest(reaches: readonly Reach[]): string | undefined {
  let last: string | undefined
  for (const { to } of reaches) if (last === undefined || compareTimestamps(to, last) > 0) last = to
  return last
}

function endOf(error: unknown): ReadEnd {
  if (error instanceof ConnectionError) return 'broken'
  if (!(error instanceof ApiError)) throw error
  if (error.httpCode === 404) return 'gone'
  // 400: the container has not started; 5xx: its node does not answer
  if (error.httpCode === 400 || error.httpCode >= 500) return 'broken'
  throw error
}
