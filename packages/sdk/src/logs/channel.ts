/** Brings what several tasks produce to one reader. Producers wait when the reader falls behind. */
export interface Channel<T> extends AsyncIterable<T> {
  /** Resolves when there is room for the next one; at once when nobody reads any more. */
  push(value: T): Promise<void> | undefined
  /** What was pushed is still read. */
  close(): void
  /** The reader gets the error after what was pushed. */
  fail(error: unknown): void
}

export function createChannel<T>(highWater: number = 1024): Channel<T> {
  let values: T[] = []
  let at = 0
  let end: { readonly error?: unknown } | undefined
  let wakeReader: (() => void) | undefined
  let room: PromiseWithResolvers<void> | undefined

  function wake(): void {
    wakeReader?.()
    wakeReader = undefined
  }

  function makeRoom(): void {
    room?.resolve()
    room = undefined
  }

  return {
    push(value) {
      if (end !== undefined) return undefined
      values.push(value)
      wake()
      if (values.length - at < highWater) return undefined
      room ??= Promise.withResolvers<void>()
      return room.promise
    },
    close() {
      end ??= {}
      wake()
      makeRoom()
    },
    fail(error) {
      end ??= { error }
      wake()
      makeRoom()
    },
    async *[Symbol.asyncIterator]() {
      try {
        for (;;) {
          while (at < values.length) {
            const value = values[at++] as T
            if (at === values.length) {
              values = []
              at = 0
              makeRoom()
            }
            yield value
          }
          if (end !== undefined) {
            if ('error' in end) throw end.error
            return
          }
          await new Promise<void>((resolve) => {
            wakeReader = resolve
          })
        }
      } finally {
        end ??= {}
        makeRoom()
      }
    },
  }
}
