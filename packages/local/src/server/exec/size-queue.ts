import type { TerminalSize } from './terminal-link.ts'

/** The newest size of a terminal, for somebody who waits for changes: those that nobody saw do not matter. */
export interface SizeQueue extends AsyncIterable<TerminalSize> {
  push(size: TerminalSize): void
  end(): void
}

export function createSizeQueue(): SizeQueue {
  let newest: TerminalSize | undefined
  let ended = false
  let wake: () => void = () => {}
  return {
    push(size) {
      newest = size
      wake()
    },
    end() {
      ended = true
      wake()
    },
    async *[Symbol.asyncIterator]() {
      for (;;) {
        if (newest !== undefined) {
          const size = newest
          newest = undefined
          yield size
        } else if (ended) return
        else await new Promise<void>((resolve) => (wake = resolve))
      }
    },
  }
}
