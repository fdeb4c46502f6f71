import type { Pod } from '@trainjob/api'
import { ApiError, type Client, type LogOptions, lines } from '@trainjob/kube'
import { containerStatusOf, startsOf } from '../job/container-status.ts'
import { nodeNameOf } from '../job/node-name.ts'
import { type JobKey, podsOfJob } from '../job/pods-of-job.ts'
import { stepsOf } from '../job/steps.ts'
import type { LogLine, LogsOptions } from '../log-line.ts'
import { toTrainerError } from '../to-trainer-error.ts'
import { TrainerError } from '../trainer-error.ts'
import { firstRead } from './first-read.ts'
import { mergeByTime } from './merge-by-time.ts'
import { containerToRead, isSelected } from './selected-pods.ts'
import { splitTimestamp } from './timestamp.ts'

export interface ReadLogsOptions extends LogsOptions, JobKey {
  readonly client: Client
}

/** What the pods of a job have written so far, all nodes in order of time. */
export async function* readLogs(options: ReadLogsOptions): AsyncGenerator<LogLine> {
  const { client, namespace, name, previous = false, signal } = options
  const what = `read the logs of TrainJob ${namespace}/${name}`
  try {
    const { jobSet, pods } = await podsOfJob(client, options, signal)
    const selected = pods.filter((pod) => isSelected(pod, options.node))
    if (selected.length === 0 && options.node !== undefined) throw unknownNode(options, stepsOf(pods, jobSet))
    const sources = selected.flatMap((pod) => {
      const container = containerToRead(pod, options.container)
      const starts = container === undefined ? 0 : startsOf(containerStatusOf(pod, container))
      if (container === undefined || starts < (previous ? 2 : 1)) return []
      return [
        readContainer(client, pod, container, {
          ...firstRead(options),
          ...(previous && { previous }),
          ...(signal !== undefined && { signal }),
        }),
      ]
    })
    if (previous && sources.length === 0) {
      throw new TrainerError(
        'not-found',
        `no container of TrainJob ${namespace}/${name} has been restarted: there is no previous log`,
      )
    }
    for await (const line of mergeByTime(sources)) {
      if (options.timestamps === true) yield line
      else {
        const { timestamp: _, ...rest } = line
        yield rest
      }
    }
  } catch (error) {
    throw toTrainerError(error, what)
  }
}

async function* readContainer(
  client: Client,
  pod: Pod,
  container: string,
  options: LogOptions,
): AsyncGenerator<Required<LogLine>> {
  const key = { namespace: pod.metadata.namespace ?? 'default', name: pod.metadata.name ?? '' }
  const node = nodeNameOf(pod)
  try {
    for await (const line of lines(client.logs(key, { ...options, container, timestamps: true }))) {
      yield { node, pod: key.name, container, ...splitTimestamp(line) }
    }
  } catch (error) {
    // it has just gone, or not yet begun: the others are still worth reading
    if (!(error instanceof ApiError && (error.httpCode === 404 || error.httpCode === 400))) throw error
  }
}

function unknownNode(
  { namespace, name, node = '' }: ReadLogsOptions,
  steps: readonly { readonly node: string }[],
): TrainerError {
  const wanted = typeof node === 'string' ? node : node.join(', ')
  const known = steps.length === 0 ? 'it has no nodes yet' : `it has: ${steps.map((step) => step.node).join(', ')}`
  return new TrainerError('not-found', `TrainJob ${namespace}/${name} has no node ${wanted}; ${known}`)
}
