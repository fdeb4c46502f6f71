/** Time as a dependency, so that tests decide when it passes. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** Runs `task` once after `ms`; the answer cancels it. A pending timer never keeps the process alive. */
  after(ms: number, task: () => void): () => void
}

/** The time of the machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after: (ms, task) => {
    // setTimeout fires at once for delays that do not fit 32 bits
    const timer = setTimeout(task, Math.min(ms, 2 ** 31 - 1))
    timer.unref()
    return () => clearTimeout(timer)
  },
}
