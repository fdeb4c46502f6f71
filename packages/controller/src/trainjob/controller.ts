import { type JobSet, JobSets, TrainJobs } from '@trainjob/api'
import {
  type Client,
  type Clock,
  createController,
  createEventRecorder,
  createInformer,
  type ObjectKey,
} from '@trainjob/kube'
import type { StatusServer } from '@trainjob/runtime'
import { reconcileTrainJob } from './reconcile.ts'
import { withWatches } from './watches.ts'

/** Which TrainJobs, and how. */
export interface TrainJobControllerOptions {
  readonly client: Client
  readonly clock: Clock
  /** One namespace; all of them when left out. */
  readonly namespace?: string
  /** How many jobs are worked on at once. Default 5, as upstream. */
  readonly concurrency?: number
  /** Switches every deliberate difference of docs/deviations.md off. */
  readonly compat?: 'upstream'
  /** Where training code reports its progress; pods are told when it is given. */
  readonly statusServer?: StatusServer
  /** Told of every pass that failed. Each is tried again; what concerns the user stands in an event. */
  readonly onError?: (error: unknown, key: ObjectKey | undefined) => void
}

/** A controller that is ready to start. */
export interface TrainJobController {
  /** Resolves when it has stopped, after `signal` fired. */
  start(signal: AbortSignal): Promise<void>
}

/**
 * Keeps every TrainJob's JobSet and status as the job asks. It knows nothing but the API: embedded or real.
 *
 * @example
 * import { systemClock } from '@trainjob/kube'
 *
 * const stop = new AbortController()
 * const controller = createTrainJobController({ client, clock: systemClock, namespace: 'team-a' })
 * const running = controller.start(stop.signal)
 * stop.abort()
 * await running
 */
export function createTrainJobController(options: TrainJobControllerOptions): TrainJobController {
  const { client, clock, namespace, concurrency = 5, compat, onError = () => {} } = options
  const scope = { client, clock, ...(namespace !== undefined && { namespace }) }
  const watched = {
    trainJobs: createInformer({ ...scope, resource: TrainJobs }),
    jobSets: createInformer({ ...scope, resource: JobSets }),
  }
  const disturbed = new Set<string>()
  const parts = {
    client,
    clock,
    events: createEventRecorder({ client, clock, component: 'trainjob-controller' }),
    trainJobs: watched.trainJobs.store,
    jobSets: watched.jobSets.store,
    ended: new Map<string, JobSet>(),
    disturbed,
    compat,
    statusServer: options.statusServer,
  }
  return {
    async start(signal) {
      const watching = createController({ name: 'trainjob', clock, concurrency, onError })
      const complete = await withWatches(watching, { ...scope, ...watched, disturbed, signal })
      await complete.reconcile((key, call) => reconcileTrainJob(parts, key, call)).run(signal)
    },
  }
}
