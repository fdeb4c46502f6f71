import type { JobObserver } from './job-observer.ts'

/** An observer that runs while somebody uses it. */
export interface SharedObserver {
  /** The observer, running; call `release` when done with it. */
  acquire(): { readonly observer: JobObserver; release(): Promise<void> }
}

/** Lets `logs`, `wait` and `watch` of one handle share their watches. */
export function shareObserver(create: () => JobObserver): SharedObserver {
  let current:
    | { readonly observer: JobObserver; readonly stop: AbortController; readonly done: Promise<void>; users: number }
    | undefined
  return {
    acquire() {
      if (current === undefined) {
        const observer = create()
        const stop = new AbortController()
        current = { observer, stop, done: observer.run(stop.signal), users: 0 }
      }
      const mine = current
      mine.users++
      let released = false
      return {
        observer: mine.observer,
        async release() {
          if (released) return
          released = true
          mine.users--
          if (mine.users > 0) return
          if (current === mine) current = undefined
          mine.stop.abort()
          await mine.done
        },
      }
    },
  }
}
