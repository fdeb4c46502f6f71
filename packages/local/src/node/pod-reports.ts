import { type Pod, Pods } from '@trainjob/api'
import {
  ApiError,
  type Client,
  type Clock,
  type EventRecorder,
  isNotFound,
  type ObjectKey,
  sleep,
} from '@trainjob/kube'
import type { PodReports } from './pod-worker.ts'

export interface PodReportsOptions {
  readonly client: Pick<Client, 'patch' | 'delete'>
  readonly clock: Clock
  readonly recorder: EventRecorder
  /** Nothing is tried again after it aborts. */
  readonly signal: AbortSignal
}

const RETRY_INITIAL_MS = 100
const RETRY_MAX_MS = 5_000
const MAX_CONFLICTS = 4

/** Tells the API server about pods, again and again until it has heard. */
export function createPodReports(options: PodReportsOptions): PodReports {
  const { client, clock, recorder, signal } = options

  async function untilDone(request: () => Promise<unknown>): Promise<void> {
    let conflicts = 0
    for (let wait = RETRY_INITIAL_MS; ; wait = Math.min(wait * 2, RETRY_MAX_MS)) {
      try {
        await request()
        return
      } catch (error) {
        if (isFinal(error) || signal.aborted) return
        // A pod of another uid stays a conflict.
        if (error instanceof ApiError && error.httpCode === 409 && ++conflicts === MAX_CONFLICTS) return
      }
      await sleep(clock, wait, signal)
      if (signal.aborted) return
    }
  }

  return {
    writeStatus(pod, status) {
      // With the uid it is refused when a new pod of the same name has taken the old one's place.
      const patch = { type: 'merge', body: { metadata: { uid: pod.metadata.uid }, status } } as const
      return untilDone(() => client.patch(Pods, keyOf(pod), patch, { subresource: 'status' }))
    },
    finalize(pod) {
      const { uid } = pod.metadata
      return untilDone(() =>
        client.delete(Pods, keyOf(pod), {
          gracePeriodSeconds: 0,
          ...(uid === undefined ? {} : { preconditions: { uid } }),
        }),
      )
    },
    event: (pod, type, reason, message) => recorder.record(pod, { type, reason, message }),
  }
}

function keyOf({ metadata }: Pod): ObjectKey {
  return { namespace: metadata.namespace ?? 'default', name: metadata.name ?? '' }
}

/** The pod is gone, or what is written is not allowed: trying again would change nothing. */
function isFinal(error: unknown): boolean {
  return isNotFound(error) || (error instanceof ApiError && error.httpCode === 422)
}
