import { conditionOf, isConditionTrue, TRAINJOB_COMPLETE, TRAINJOB_FAILED } from '@trainjob/api'
import type { Client, Clock } from '@trainjob/kube'
import type { Outcome, WaitOptions } from '../outcome.ts'
import { state } from '../state.ts'
import { TrainerError } from '../trainer-error.ts'
import { watchFailures } from './first-failure.ts'
import type { JobObserver } from './job-observer.ts'
import { until } from './until.ts'

export interface WaitForEndOptions extends WaitOptions {
  readonly client: Client
  readonly clock: Clock
  readonly observer: JobObserver
  readonly namespace: string
  readonly name: string
}

/** Resolves when the job is finished or gone, or in the state that is waited for. */
export async function waitForEnd(options: WaitForEndOptions): Promise<Outcome> {
  const { client, clock, observer, namespace, name, timeoutMs, signal } = options
  const what = `wait for TrainJob ${namespace}/${name}`
  const stop = new AbortController()
  const failures = watchFailures(client, observer, options.lastLines ?? 20, stop.signal)
  let late = false
  const cancel = timeoutMs === undefined ? undefined : clock.after(timeoutMs, () => expire())
  const onAbort = () => stop.abort(signal?.reason)
  signal?.addEventListener('abort', onAbort, { once: true })
  if (signal?.aborted === true) onAbort()

  function expire(): void {
    late = true
    stop.abort()
  }

  try {
    const reached = until(observer, what, stop.signal, () => look(observer, options.until))
    await Promise.race([observer.ready(), reached])
    const outcome = await reached
    if (outcome.kind !== 'failed') return outcome
    const firstFailure = await failures.first()
    return firstFailure === undefined ? outcome : { ...outcome, firstFailure }
  } catch (error) {
    if (!late) throw error
    const now = observer.trainJob === undefined ? 'unknown' : state(observer.trainJob, factsOf(observer))
    throw new TrainerError(
      'timeout',
      `TrainJob ${namespace}/${name} is ${now} after ${(timeoutMs ?? 0) / 1000} s, expected ${options.until ?? 'its end'}: wait longer, or look at its events`,
    )
  } finally {
    cancel?.()
    failures.stop()
    signal?.removeEventListener('abort', onAbort)
    stop.abort()
  }
}

function look(observer: JobObserver, wanted: WaitOptions['until']): Outcome | undefined {
  if (observer.gone) return { kind: 'deleted' }
  const { trainJob } = observer
  if (trainJob === undefined) return undefined
  if (isConditionTrue(trainJob.status, TRAINJOB_COMPLETE)) return { kind: 'complete', trainJob }
  const failed = conditionOf(trainJob.status, TRAINJOB_FAILED)
  if (failed?.status === 'True') return { kind: 'failed', trainJob, reason: failed.reason, message: failed.message }
  if (wanted === undefined) return undefined
  const now = state(trainJob, factsOf(observer))
  return now === wanted ? { kind: 'reached', trainJob, state: now } : undefined
}

function factsOf(observer: JobObserver): Parameters<typeof state>[1] {
  return { jobSet: observer.jobSet, pods: observer.pods() }
}
