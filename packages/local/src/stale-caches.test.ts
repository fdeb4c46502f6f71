import { type Job, type JobSet, JobSets, Jobs, type Pod, Pods } from '@trainjob/api'
import type { Client, KubeObject, Resource, WatchOptions } from '@trainjob/kube'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type Engines, startEngines } from './engines.suite.ts'
import { COMPLETION_INDEX } from './job/labels.ts'
import { isActive } from './job/pod-state.ts'

/** Hands events on late, each after some turns of the event loop; their order stays. */
function late(client: Client, turns: () => number): Client {
  return {
    ...client,
    async *watch<T extends KubeObject>(resource: Resource<T>, options?: WatchOptions) {
      for await (const event of client.watch(resource, options)) {
        for (let left = turns(); left > 0; left--) await new Promise((resolve) => setImmediate(resolve))
        yield event
      }
    },
  }
}

/** Notes every pod that is created for an index while another one of it is active. */
function watchful(client: Client, doubles: string[]): Client {
  return {
    ...client,
    async create<T extends KubeObject>(resource: Resource<T>, object: T, ...rest: [object?]) {
      if (resource.kind === 'Pod') {
        const index = object.metadata.annotations?.[COMPLETION_INDEX]
        const all = (await client.list(Pods)).items
        if (all.some((pod: Pod) => isActive(pod) && pod.metadata.annotations?.[COMPLETION_INDEX] === index)) {
          doubles.push(index ?? '')
        }
      }
      return client.create(resource, object, ...rest)
    },
  }
}

const job: Job = {
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name: 'stale', namespace: 'default' },
  spec: {
    completionMode: 'Indexed',
    completions: 4,
    parallelism: 3,
    backoffLimit: 20,
    template: { spec: { restartPolicy: 'Never', containers: [{ name: 'node', image: 'i' }] } },
  },
}

it('a cache that lags behind makes no pod twice and loses no count', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.nat(6), { minLength: 1, maxLength: 10 }),
      fc.array(fc.constantFrom(0, 0, 1), { minLength: 4, maxLength: 12 }),
      async (delays, codes) => {
        const doubles: string[] = []
        const failures = { count: 0 }
        let at = 0
        let ended = 0
        let engines: Engines | undefined
        try {
          engines = await startEngines({
            wrap: (client) =>
              watchful(
                late(client, () => delays[at++ % delays.length] ?? 0),
                doubles,
              ),
            backoff: { initialMs: 0, maxMs: 0 },
            behaviour: () => {
              const code = codes[ended++] ?? 0
              if (code !== 0) failures.count++
              return code
            },
          })
          const running = engines
          await running.client.create(Jobs, job)
          const done = await running.until(async () => {
            const found = await running.find(Jobs, 'stale')
            return found?.status?.completionTime !== undefined && found
          })
          expect(doubles).toEqual([])
          expect(done.status).toMatchObject({ succeeded: 4, completedIndexes: '0-3' })
          expect(done.status?.failed ?? 0).toBe(failures.count)
          expect(await running.list(Pods)).toHaveLength(4 + failures.count)
        } finally {
          await engines?.stop()
        }
      },
    ),
    { numRuns: 25 },
  )
})

it('a JobSet whose cache lags behind restarts as often as its Jobs fail', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(6), { minLength: 1, maxLength: 10 }), fc.nat(3), async (delays, failures) => {
      const { template, ...rest } = job.spec
      const spec = { ...rest, completions: 1, parallelism: 1, backoffLimit: 0, template }
      const jobSet: JobSet = {
        apiVersion: 'jobset.x-k8s.io/v1alpha2',
        kind: 'JobSet',
        metadata: { name: 'stale', namespace: 'default' },
        spec: { replicatedJobs: [{ name: 'node', template: { spec } }], failurePolicy: { maxRestarts: 3 } },
      }
      let at = 0
      let ended = 0
      let engines: Engines | undefined
      try {
        engines = await startEngines({
          wrap: (client) => late(client, () => delays[at++ % delays.length] ?? 0),
          behaviour: () => (ended++ < failures ? 1 : 0),
        })
        const running = engines
        await running.client.create(JobSets, jobSet)
        const done = await running.until(async () => {
          const found = await running.find(JobSets, 'stale')
          return found?.status?.terminalState !== undefined && found
        })
        expect(done.status).toMatchObject({ terminalState: 'Completed', restarts: failures })
        expect(ended).toBe(failures + 1)
      } finally {
        await engines?.stop()
      }
    }),
    { numRuns: 15 },
  )
})
