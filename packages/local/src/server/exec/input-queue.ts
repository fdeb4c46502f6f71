/** Chunks from somebody who pushes to somebody who pulls. */
export interface InputQueue extends AsyncIterable<Uint8Array> {
  push(chunk: Uint8Array): void
  /** No more will come; what was pushed is still read. */
  end(): void
}

/** @param onFull called with true when much waits, with false when it was read */
export function createInputQueue(onFull: (full: boolean) => void): InputQueue {
  const waiting: Uint8Array[] = []
  let bytes = 0
  let full = false
  let ended = false
  let wake: (() => void) | undefined

  function measure(change: number): void {
    bytes += change
    const now = bytes > FULL_BYTES
    if (now === full) return
    full = now
    onFull(now)
  }

  return {
    push(chunk) {
      if (ended || chunk.length === 0) return
      waiting.push(chunk)
      measure(chunk.length)
      wake?.()
    },
    end() {
      ended = true
      wake?.()
    },
    async *[Symbol.asyncIterator]() {
      for (;;) {
        const next = waiting.shift()
        if (next !== undefined) {
          measure(-next.length)
          yield next
        } else if (ended) return
        else {
          await new Promise<void>((resolve) => {
            wake = resolve
          })
        }
      }
    },
  }
}

const FULL_BYTES = 256 * 1024
