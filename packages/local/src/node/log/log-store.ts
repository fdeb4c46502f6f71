import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { LogOptions } from '@trainjob/kube'
import { type ContainerLog, createContainerLog } from './container-log.ts'
import { readLog } from './read-log.ts'

/** The logs of one pod: a file for each attempt of each container. */
export interface PodLogs {
  /** Opens the log of an attempt; that of the attempt before the previous one is removed. */
  open(container: string, attempt: number, onFailure: (error: Error) => void): ContainerLog
  /** The newest attempt, or the one before it. */
  read(container: string, options: LogOptions): AsyncIterable<Uint8Array>
}

/**
 * @param dir folder of the log files; exists
 * @param attemptOf number of the attempt that a container is at, for pods whose logs this process did not write
 * @param logFile where to write instead of a path in `dir`
 */
export function createPodLogs(
  dir: string,
  now: () => number,
  attemptOf: (container: string) => number,
  logFile: (path: string) => string = (path) => path,
): PodLogs {
  const newest = new Map<string, { attempt: number; log: ContainerLog }>()
  const pathOf = (container: string, attempt: number): string => logFile(join(dir, `${container}.${attempt}.log`))
  return {
    open(container, attempt, onFailure) {
      if (attempt > 1) rmSync(pathOf(container, attempt - 2), { force: true })
      const log = createContainerLog({ path: pathOf(container, attempt), now, onFailure })
      newest.set(container, { attempt, log })
      return log
    },
    read(container, options) {
      const current = newest.get(container)
      const attempt = current?.attempt ?? attemptOf(container)
      if (options.previous === true) return readLog({ path: pathOf(container, attempt - 1) }, options, now())
      return readLog({ path: pathOf(container, attempt), live: current?.log }, options, now())
    },
  }
}
