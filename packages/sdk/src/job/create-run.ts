import { type TrainJob, TrainJobs } from '@trainjob/api'
import type { Client, Clock } from '@trainjob/kube'
import type { LogLine, LogsOptions } from '../log-line.ts'
import { followLogs } from '../logs/follow-logs.ts'
import { readLogs } from '../logs/read-logs.ts'
import { toTrainerError, translated } from '../to-trainer-error.ts'
import type { RunView, TrainJobRun } from '../train-job-run.ts'
import type { TrainerClient } from '../trainer-client.ts'
import { TrainerError } from '../trainer-error.ts'
import { eventsOf } from './job-events.ts'
import { createJobObserver, type JobObserver } from './job-observer.ts'
import { podsOfJob } from './pods-of-job.ts'
import { shareObserver } from './shared-observer.ts'
import { stepsOf } from './steps.ts'
import { waitForEnd } from './wait-for-end.ts'
import { watchRun } from './watch-run.ts'

export interface CreateRunOptions {
  readonly client: Client
  readonly clock: Clock
  readonly trainer: Pick<TrainerClient, 'suspend' | 'resume' | 'delete' | 'scale'>
  readonly trainJob: TrainJob
  /** Whether it has just been submitted: then all of its output is wanted, also of containers that already restarted. */
  readonly submitted: boolean
}

/** A handle on a job that the server has stored. */
export function createRun({ client, clock, trainer, trainJob, submitted }: CreateRunOptions): TrainJobRun {
  const { namespace = 'default', name = '', uid = '' } = trainJob.metadata
  const key = { namespace, name, uid }
  const shared = shareObserver(() => createJobObserver({ client, clock, ...key }))

  async function* observed<T>(what: string, use: (observer: JobObserver) => AsyncIterable<T>): AsyncGenerator<T> {
    const { observer, release } = shared.acquire()
    try {
      yield* use(observer)
    } catch (error) {
      throw toTrainerError(error, what)
    } finally {
      await release()
    }
  }

  function logs(options: LogsOptions = {}): AsyncIterable<LogLine> {
    const { follow = true, previous = false } = options
    if (!follow || previous) return readLogs({ ...options, ...key, client })
    return observed(`follow the logs of TrainJob ${namespace}/${name}`, (observer) =>
      followLogs({ ...options, client, clock, observer, namespace, name, fromStart: submitted }),
    )
  }

  function watch({ signal }: { signal?: AbortSignal } = {}): AsyncIterable<RunView> {
    const what = `watch TrainJob ${namespace}/${name}`
    return observed(what, (observer) => watchRun(observer, what, signal))
  }

  return {
    name,
    namespace,
    uid,
    trainJob,
    logs,
    watch,
    async refresh(options = {}) {
      const what = `read TrainJob ${namespace}/${name}`
      const now = await translated(what, () => client.get(TrainJobs, { namespace, name }, options)).catch(
        (error: TrainerError) => {
          if (error.code === 'not-found') throw goneError(key, error)
          throw error
        },
      )
      if (now.metadata.uid !== uid) throw goneError(key)
      return now
    },
    async wait(options = {}) {
      const { observer, release } = shared.acquire()
      try {
        return await waitForEnd({ ...options, client, clock, observer, namespace, name })
      } catch (error) {
        throw toTrainerError(error, `wait for TrainJob ${namespace}/${name}`)
      } finally {
        await release()
      }
    },
    events: ({ signal } = {}) =>
      translated(`list the events of TrainJob ${namespace}/${name}`, async () => {
        const { jobSet } = await podsOfJob(client, key, signal)
        return eventsOf(client, trainJob, jobSet, signal)
      }),
    steps: ({ signal } = {}) =>
      translated(`list the nodes of TrainJob ${namespace}/${name}`, async () => {
        const { pods, jobSet } = await podsOfJob(client, key, signal)
        return stepsOf(pods, jobSet)
      }),
    suspend: (options = {}) => trainer.suspend(name, { ...options, namespace }),
    resume: (options = {}) => trainer.resume(name, { ...options, namespace }),
    scale: (nodes, options = {}) => trainer.scale(name, nodes, { ...options, namespace }),
    delete: (options = {}) => trainer.delete(name, { ...options, namespace }),
  }
}

function goneError(
  { namespace, name, uid }: { namespace: string; name: string; uid: string },
  cause?: unknown,
): TrainerError {
  return new TrainerError('deleted', `TrainJob ${namespace}/${name} (uid ${uid}) was deleted`, { cause })
}
