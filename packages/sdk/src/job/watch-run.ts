import { state } from '../state.ts'
import { aborted } from '../to-trainer-error.ts'
import type { RunView } from '../train-job-run.ts'
import type { JobObserver } from './job-observer.ts'
import { stepsOf } from './steps.ts'

/**
 * A view of the job now and after each change; when the reader is slower than the changes, the latest only. Ends after
 * the view in which the job is finished, or when it is gone.
 */
export async function* watchRun(observer: JobObserver, what: string, signal?: AbortSignal): AsyncGenerator<RunView> {
  let dirty = true
  let wake: (() => void) | undefined
  let refused: { readonly error: unknown } | undefined
  const stir = () => {
    dirty = true
    wake?.()
  }
  observer.refused.catch((error: unknown) => {
    refused = { error }
    stir()
  })
  const off = observer.on(stir)
  signal?.addEventListener('abort', stir, { once: true })
  try {
    await observer.ready()
    for (;;) {
      if (signal?.aborted === true) throw aborted(what, signal.reason)
      if (refused !== undefined) throw refused.error
      if (dirty) {
        dirty = false
        const view = viewOf(observer)
        if (view !== undefined) yield view
        if (observer.over) return
      } else {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    }
  } finally {
    off()
    signal?.removeEventListener('abort', stir)
  }
}

function viewOf({ trainJob, jobSet, gone, pods }: JobObserver): RunView | undefined {
  if (trainJob === undefined || gone) return undefined
  const all = pods()
  return {
    trainJob,
    state: state(trainJob, { jobSet, pods: all }),
    ...(jobSet !== undefined && { jobSet }),
    pods: all,
    steps: stepsOf(all, jobSet),
  }
}
