import { JobSets, TrainJobs } from '@trainjob/api'
import {
  ApiError,
  type Client,
  ConnectionError,
  type ControllerBuilder,
  createInformer,
  type Resource,
} from '@trainjob/kube'
import { fakeClock } from '@trainjob/kube/testing'
import { describe, expect, it } from 'vitest'
import { withWatches } from './watches.ts'

/** How many kinds are watched beside TrainJobs, when questions about pod groups are answered like that, one after the other. */
async function watchedKinds(...answers: readonly (Error | undefined)[]): Promise<number> {
  const left = [...answers]
  const clock = fakeClock()
  const list = async ({ kind }: Resource): Promise<object> => {
    const failure = kind === 'PodGroup' ? left.shift() : undefined
    if (failure !== undefined) throw failure
    return { items: [] }
  }
  const client = { list } as unknown as Client
  let count = 0
  const builder = {
    for: () => builder,
    watches() {
      count++
      return builder
    },
  } as unknown as ControllerBuilder
  const scope = { client, clock }
  const asking = withWatches(builder, {
    ...scope,
    trainJobs: createInformer({ ...scope, resource: TrainJobs }),
    jobSets: createInformer({ ...scope, resource: JobSets }),
    disturbed: new Set(),
    signal: new AbortController().signal,
  })
  for (let tries = 0; tries < 5; tries++) await clock.advance(1000)
  await asking
  return count
}

describe('what the controller watches', () => {
  const refused = (code: number): Error =>
    new ApiError({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', code })

  it.each<[string, number, (Error | undefined)[]]>([
    ['JobSets, ConfigMaps, Secrets, both kinds of runtimes and both of pod groups', 7, []],
    ['no kind that the cluster does not have', 5, [refused(404), refused(404)]],
    ['nor one that it may not see', 6, [refused(403)]],
    ['all of them, once a server that was away answers', 7, [new ConnectionError('refused'), refused(503)]],
  ])('%s', async (_, expected, answers) => {
    expect(await watchedKinds(...answers)).toBe(expected)
  })
})
