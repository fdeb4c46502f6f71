import type { Job, JobSet, JobSetSpec } from '@trainjob/api'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { trueCondition } from '../job/conditions.ts'
import { timestamp } from '../job/timestamp.ts'
import { RESTART_ATTEMPT } from './labels.ts'
import { reconcileJobSet } from './reconcile.ts'
import { NOW, replicated, sampleJobSet } from './samples.suite.ts'
import { isFinished, isTrue } from './status-draft.ts'

const policy: fc.Arbitrary<JobSetSpec['failurePolicy']> = fc.option(
  fc.record({
    maxRestarts: fc.nat(3),
    restartStrategy: fc.constantFrom('Recreate' as const, 'BlockingRecreate' as const),
    rules: fc.constantFrom(
      [],
      [
        { name: 'a', action: 'FailJobSet' as const, targetReplicatedJobs: ['a'] },
        { name: 'b', action: 'RestartJobSetAndIgnoreMaxRestarts' as const, onJobFailureReasons: ['PodFailurePolicy'] },
      ],
    ),
  }),
  { nil: undefined },
)

const spec: fc.Arbitrary<Partial<JobSetSpec>> = fc
  .record({
    replicas: fc.tuple(fc.nat(2), fc.integer({ min: 1, max: 2 })),
    dependency: fc.constantFrom(undefined, 'Ready' as const, 'Complete' as const),
    inOrder: fc.boolean(),
    operator: fc.constantFrom('All' as const, 'Any' as const),
    policy,
  })
  .map(({ replicas: [a, b], dependency, inOrder, operator, policy: failurePolicy }) => ({
    replicatedJobs: [
      replicated('a', { replicas: a }),
      replicated('b', {
        replicas: b,
        ...(dependency !== undefined && { dependsOn: [{ name: 'a', status: dependency }] }),
      }),
    ],
    successPolicy: { operator },
    ...(inOrder && dependency === undefined && { startupPolicy: { startupPolicyOrder: 'InOrder' as const } }),
    ...(failurePolicy !== undefined && { failurePolicy }),
  }))

type Step =
  | { readonly do: 'ready' | 'complete' | 'fail' | 'vanish'; readonly at: number }
  | { readonly do: 'suspend' | 'resume' }

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constantFrom('ready' as const, 'complete' as const, 'fail' as const, 'vanish' as const),
      at: fc.nat(9),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('suspend' as const, 'resume' as const) }) },
)

/** A JobSet, its Jobs, and whatever a server and the Job controller do around a pass. */
class World {
  jobSet: JobSet
  jobs: Job[] = []
  now: number = NOW

  constructor(jobSetSpec: Partial<JobSetSpec>) {
    this.jobSet = sampleJobSet(jobSetSpec)
  }

  apply(each: Step): void {
    this.now += 1000
    if (!('at' in each)) {
      this.jobSet = { ...this.jobSet, spec: { ...this.jobSet.spec, suspend: each.do === 'suspend' } }
      return
    }
    const { at } = each
    if (each.do === 'vanish') {
      const going = this.jobs.filter(({ metadata }) => metadata.deletionTimestamp !== undefined)
      const gone = going[at % Math.max(1, going.length)]
      this.jobs = this.jobs.filter((job) => job !== gone)
      return
    }
    const running = this.jobs.filter((job) => !hasEnded(job) && job.spec.suspend !== true)
    const job = running[at % Math.max(1, running.length)]
    if (job === undefined) return
    const end = each.do === 'complete' ? 'Complete' : 'Failed'
    const reason = at % 2 === 0 ? 'PodFailurePolicy' : 'BackoffLimitExceeded'
    const conditions = [{ type: end, status: 'True' as const, reason, lastTransitionTime: timestamp(this.now) }]
    this.#replace(job, { ...job, status: each.do === 'ready' ? { ready: 1, active: 1 } : { conditions } })
  }

  settle(): void {
    for (let passes = 0; ; passes++) {
      expect(passes, 'a JobSet that is left alone comes to rest').toBeLessThan(20)
      const before = this.jobSet
      const result = reconcileJobSet({ jobSet: this.jobSet, jobs: this.jobs, now: this.now })
      for (const job of result.delete) {
        this.#replace(job, { ...job, metadata: { ...job.metadata, deletionTimestamp: timestamp(this.now) } })
      }
      for (const job of result.create) {
        expect(
          this.jobs.some(({ metadata }) => metadata.name === job.metadata.name),
          'a name is free',
        ).toBe(false)
        expect(job.metadata.labels?.[RESTART_ATTEMPT]).toBe(`${this.jobSet.status?.restarts ?? 0}`)
        this.jobs.push(job)
      }
      // the Job controller lets the pods go
      for (const job of result.suspend) this.#replace(job, { ...job, status: {} })
      for (const { job, resumed } of result.resume) this.#replace(job, resumed)
      if (result.status !== undefined) this.jobSet = { ...this.jobSet, status: result.status }
      check(before, this.jobSet)
      if (
        result.status === undefined &&
        result.create.length + result.delete.length + result.suspend.length + result.resume.length === 0
      )
        return
    }
  }

  #replace(job: Job, next: Job): void {
    this.jobs = this.jobs.map((other) => (other.metadata.name === job.metadata.name ? next : other))
  }
}

function hasEnded({ status }: Job): boolean {
  return (
    trueCondition(status?.conditions, 'Complete') !== undefined ||
    trueCondition(status?.conditions, 'Failed') !== undefined
  )
}

function check(before: JobSet, { spec: jobSetSpec, status }: JobSet): void {
  expect(status?.restarts ?? 0, 'restarts are not taken back').toBeGreaterThanOrEqual(before.status?.restarts ?? 0)
  expect(status?.restartsCountTowardsMax ?? 0).toBeLessThanOrEqual(jobSetSpec.failurePolicy?.maxRestarts ?? 0)
  expect(isTrue(status, 'Completed') && isTrue(status, 'Failed')).toBe(false)
  expect(isTrue(status, 'StartupPolicyInProgress') && isTrue(status, 'StartupPolicyCompleted')).toBe(false)
  if (isFinished(before)) expect(status?.terminalState, 'an end is final').toBe(before.status?.terminalState)
  const expected = isTrue(status, 'Completed') ? 'Completed' : isTrue(status, 'Failed') ? 'Failed' : undefined
  expect(status?.terminalState).toBe(expected)
}

it('a JobSet to which anything may happen ends in a legal state', () => {
  fc.assert(
    fc.property(spec, fc.array(step, { maxLength: 40 }), (jobSetSpec, steps) => {
      const world = new World(jobSetSpec)
      world.settle()
      for (const each of steps) {
        world.apply(each)
        world.settle()
      }
      // From here on all goes well, so it must come to an end.
      world.apply({ do: 'resume' })
      for (let round = 0; !isFinished(world.jobSet); round++) {
        expect(round, 'it ends').toBeLessThan(100)
        world.settle()
        world.apply({ do: 'vanish', at: round })
        world.settle()
        world.apply({ do: 'complete', at: 0 })
        world.settle()
      }
      const { status } = world.jobSet
      const failed = world.jobs.filter((job) => trueCondition(job.status?.conditions, 'Failed') !== undefined)
      if (status?.terminalState === 'Failed') expect(failed.length).toBeGreaterThan(0)
      expect(world.jobs.filter((job) => !hasEnded(job) && job.metadata.deletionTimestamp === undefined)).toEqual([])
    }),
    { numRuns: 300 },
  )
})
