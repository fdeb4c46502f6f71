/** Callers that come while `task` runs get the result of that run instead of starting another. */
export function shareInFlight<T>(task: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined
  return () => {
    running ??= task().finally(() => {
      running = undefined
    })
    return running
  }
}
