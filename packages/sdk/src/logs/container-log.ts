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

/**
 * Reads one container's log in several goes without giving a line twice: what was read last is remembered by its time,
 * and how many lines had that time.
 */
export function createContainerLog(client: Client, pod: Pod, container: string): ContainerLog {
  const key = { namespace: pod.metadata.namespace ?? 'default', name: pod.metadata.name ?? '' }
  let last: string | undefined
  let linesAtLast = 0

  return {
    async read(options, emit) {
      const from = last
      // lines at `from` come again first
      let skip = linesAtLast
      try {
        const chunks = client.logs(key, {
          ...options,
          container,
          timestamps: true,
          ...(from !== undefined && { sinceTime: from }),
        })
        for await (const line of lines(chunks)) {
          const { timestamp, text } = splitTimestamp(line)
          if (from !== undefined) {
            const order = compareTimestamps(timestamp, from)
            if (order < 0 || (order === 0 && skip-- > 0)) continue
          }
          if (timestamp === last) linesAtLast++
          else {
            last = timestamp
            linesAtLast = 1
          }
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

function endOf(error: unknown): ReadEnd {
  if (error instanceof ConnectionError) return 'broken'
  if (!(error instanceof ApiError)) throw error
  if (error.httpCode === 404) return 'gone'
  // 400: the container has not started; 5xx: its node does not answer
  if (error.httpCode === 400 || error.httpCode >= 500) return 'broken'
  throw error
}
