import type { PodStatus } from '@trainjob/api'

/** Writes a pod's status, one request at a time: what changes meanwhile is written with the next. */
export interface StatusWriter {
  /** The status may have changed. */
  request(): void
  /** Resolves when the newest status is written. */
  drain(): Promise<void>
}

/**
 * @param current computes the newest status
 * @param write must not reject
 */
export function createStatusWriter(
  current: () => PodStatus,
  write: (status: PodStatus) => Promise<void>,
): StatusWriter {
  let wanted = false
  let last = ''
  let busy: Promise<void> | undefined

  async function writeAll(): Promise<void> {
    while (wanted) {
      wanted = false
      const status = current()
      const text = JSON.stringify(status)
      if (text === last) continue
      last = text
      await write(status)
    }
    // Here and not in a `finally`: a request between the last look and that would be lost.
    busy = undefined
  }

  function request(): void {
    wanted = true
    // After the events of this turn of the loop: the containers of a pod that start together are one write.
    busy ??= new Promise((resolve) => setImmediate(resolve)).then(writeAll)
  }

  return {
    request,
    async drain() {
      request()
      await busy
    },
  }
}
