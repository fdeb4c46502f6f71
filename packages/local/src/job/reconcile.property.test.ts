import type { Job, JobSpec, JobStatus, Pod } from '@trainjob/api'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { terminalCondition, trueCondition } from './conditions.ts'
import { countIndexes, parseIndexRanges } from './index-ranges.ts'
import { TRACKING_FINALIZER } from './labels.ts'
import { completionIndex, isActive, isEnded, isTracked } from './pod-state.ts'
import { reconcileJob } from './reconcile.ts'
import { NOW, sampleJob } from './samples.suite.ts'
import { timestamp } from './timestamp.ts'

/** Things that happen to a Job and its pods; `at` picks the pod. */
type Step =
  | { readonly do: 'run' | 'succeed' | 'restart' | 'remove'; readonly at: number }
  | { readonly do: 'fail'; readonly at: number; readonly code: number }
  | { readonly do: 'suspend' | 'resume' | 'wait' }

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constantFrom('run' as const, 'succeed' as const, 'restart' as const),
      at: fc.nat(20),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('fail' as const), at: fc.nat(20), code: fc.constantFrom(1, 42, 43) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('remove' as const), at: fc.nat(20) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('suspend' as const, 'resume' as const) }) },
  { weight: 2, arbitrary: fc.constant({ do: 'wait' as const }) },
)

const spec: fc.Arbitrary<Partial<JobSpec>> = fc
  .record({
    indexed: fc.boolean(),
    completions: fc.integer({ min: 1, max: 5 }),
    parallelism: fc.integer({ min: 1, max: 6 }),
    backoffLimit: fc.nat(4),
    perIndex: fc.option(fc.nat(2)),
    restartPolicy: fc.constantFrom('Never' as const, 'OnFailure' as const),
    failurePolicy: fc.boolean(),
    successCount: fc.option(fc.integer({ min: 1, max: 5 })),
    podReplacementPolicy: fc.constantFrom('TerminatingOrFailed' as const, 'Failed' as const),
    suspend: fc.boolean(),
  })
  .map(({ indexed, completions, parallelism, backoffLimit, perIndex, failurePolicy, successCount, ...rest }) => ({
    completionMode: indexed ? ('Indexed' as const) : ('NonIndexed' as const),
    completions,
    parallelism,
    backoffLimit,
    podReplacementPolicy: rest.podReplacementPolicy,
    suspend: rest.suspend,
    ...(indexed && perIndex !== null && { backoffLimitPerIndex: perIndex, backoffLimit: 2 ** 31 - 1 }),
    ...(indexed &&
      successCount !== null &&
      successCount <= completions && { successPolicy: { rules: [{ succeededCount: successCount }] } }),
    ...(failurePolicy && {
      podFailurePolicy: {
        rules: [
          { action: 'FailJob' as const, onExitCodes: { operator: 'In' as const, values: [42] } },
          { action: 'Ignore' as const, onExitCodes: { operator: 'In' as const, values: [43] } },
        ],
      },
    }),
    template: {
      spec: { restartPolicy: failurePolicy ? ('Never' as const) : rest.restartPolicy, containers: [{ name: 'node' }] },
    },
  }))

/** A Job, its pods and the clock, with whatever a server and a kubelet do around a pass. */
class World {
  job: Job
  pods: Pod[] = []
  now: number = NOW
  /** Successes that must be counted, and those that may be: of pods that were being deleted. */
  readonly successes = { certain: 0, possible: 0 }
  #serial = 0

  constructor(jobSpec: Partial<JobSpec>) {
    this.job = sampleJob(jobSpec)
  }

  apply(step: Step): void {
    if (step.do === 'wait') this.now += 700_000
    else if (step.do === 'suspend' || step.do === 'resume') {
      this.job = { ...this.job, spec: { ...this.job.spec, suspend: step.do === 'suspend' } }
    } else if ('at' in step) {
      const living = this.pods.filter((pod) => !isEnded(pod))
      const pod = living[step.at % Math.max(1, living.length)]
      if (pod !== undefined) this.#happen(pod, step)
    }
    this.now += 1000
  }

  #happen(pod: Pod, step: Step): void {
    switch (step.do) {
      case 'run':
        this.#set(pod, { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] })
        return
      case 'restart': {
        const old = pod.status?.containerStatuses?.[0]?.restartCount ?? 0
        if (this.job.spec.template.spec?.restartPolicy !== 'OnFailure') return
        this.#set(pod, {
          phase: 'Running',
          containerStatuses: [{ name: 'node', ready: false, restartCount: old + 1, image: '', imageID: '' }],
        })
        return
      }
      case 'succeed':
        if (isTracked(pod) && isActive(pod)) this.successes.certain++
        else this.successes.possible++
        this.#end(pod, 'Succeeded', 0)
        return
      case 'fail':
        this.#end(pod, 'Failed', step.code)
        return
      case 'remove':
        this.#replace(pod, { ...pod, metadata: { ...pod.metadata, deletionTimestamp: timestamp(this.now) } })
    }
  }

  /** The processes of pods that are being deleted come to their end. */
  reap(): void {
    for (const pod of this.pods) {
      if (pod.metadata.deletionTimestamp !== undefined && !isEnded(pod)) this.#end(pod, 'Failed', 143)
    }
    this.pods = this.pods.filter((pod) => pod.metadata.deletionTimestamp === undefined || isTracked(pod))
  }

  /** Passes until nothing changes; checks after each that nothing impossible was written. */
  settle(): void {
    for (let passes = 0; ; passes++) {
      expect(passes, 'a Job that is left alone comes to rest').toBeLessThan(20)
      const before = this.job.status
      const result = reconcileJob({
        job: this.job,
        pods: this.pods,
        now: this.now,
        random: () => (this.#serial++ % 1000) / 1000,
        backoff: { initialMs: 10_000, maxMs: 600_000 },
      })
      for (const pod of result.create) this.#create(pod)
      for (const pod of result.discard) this.#delete(this.#untrack(pod))
      for (const pod of result.delete) this.#delete(pod)
      if (result.status !== undefined) {
        checkTransition(before, result.status)
        this.job = { ...this.job, status: result.status }
      }
      for (const pod of result.finalize) this.#untrack(pod)
      checkPods(this.job, this.pods)
      const idle =
        result.status === undefined && result.create.length + result.discard.length + result.finalize.length === 0
      if (idle) return
    }
  }

  #create(pod: Pod): void {
    const uid = `pod-${this.#serial++}`
    const metadata = { ...pod.metadata, name: uid, uid, creationTimestamp: timestamp(this.now) }
    this.pods.push({ ...pod, metadata, status: { phase: 'Pending' } })
  }

  #delete(pod: Pod): void {
    const current = this.#current(pod)
    this.#replace(pod, { ...current, metadata: { ...current.metadata, deletionTimestamp: timestamp(this.now) } })
  }

  #untrack(pod: Pod): Pod {
    const current = this.#current(pod)
    const finalizers = current.metadata.finalizers?.filter((name) => name !== TRACKING_FINALIZER) ?? []
    const next = { ...current, metadata: { ...current.metadata, finalizers } }
    this.#replace(pod, next)
    return next
  }

  #end(pod: Pod, phase: 'Succeeded' | 'Failed', exitCode: number): void {
    const terminated = { exitCode, finishedAt: timestamp(this.now) }
    const old = pod.status?.containerStatuses?.[0]?.restartCount ?? 0
    this.#set(pod, {
      phase,
      containerStatuses: [
        { name: 'node', ready: false, restartCount: old, image: '', imageID: '', state: { terminated } },
      ],
    })
  }

  #set(pod: Pod, status: Pod['status'] & object): void {
    const current = this.#current(pod)
    this.#replace(pod, { ...current, status: { ...current.status, ...status } })
  }

  #current(pod: Pod): Pod {
    return this.pods.find(({ metadata }) => metadata.uid === pod.metadata.uid) as Pod
  }

  #replace(pod: Pod, next: Pod): void {
    this.pods = this.pods.map((other) => (other.metadata.uid === pod.metadata.uid ? next : other))
  }
}

function checkTransition(before: JobStatus | undefined, now: JobStatus): void {
  expect(now.succeeded ?? 0, 'successes are not taken back').toBeGreaterThanOrEqual(before?.succeeded ?? 0)
  expect(now.failed ?? 0, 'failures are not taken back').toBeGreaterThanOrEqual(before?.failed ?? 0)
  for (const field of ['completedIndexes', 'failedIndexes'] as const) {
    const old = parseIndexRanges(before?.[field], 99)
    expect(countIndexes(parseIndexRanges(now[field], 99)), field).toBeGreaterThanOrEqual(countIndexes(old))
  }
  const has = (type: string) => trueCondition(now.conditions, type) !== undefined
  expect(has('FailureTarget') && has('SuccessCriteriaMet'), 'one outcome').toBe(false)
  expect(!has('Failed') || has('FailureTarget')).toBe(true)
  expect(!has('Complete') || has('SuccessCriteriaMet')).toBe(true)
  expect(has('Complete')).toBe(now.completionTime !== undefined)
  for (const type of ['FailureTarget', 'SuccessCriteriaMet', 'Failed', 'Complete']) {
    if (trueCondition(before?.conditions, type) !== undefined) expect(has(type), `${type} stays`).toBe(true)
  }
}

function checkPods(job: Job, pods: readonly Pod[]): void {
  const active = pods.filter(isActive)
  expect(active.length).toBeLessThanOrEqual(job.spec.parallelism ?? 1)
  const indexes = active.map(completionIndex).filter((index) => index !== undefined)
  expect(new Set(indexes).size, 'one active pod for an index').toBe(indexes.length)
  const completed = parseIndexRanges(job.status?.completedIndexes, 99)
  for (const index of indexes) {
    expect(
      completed.some(({ first, last }) => first <= index && index <= last),
      'a completed index does not run again',
    ).toBe(false)
  }
}

describe('a Job to which anything may happen', () => {
  it('ends in a legal state, with every end counted once', () => {
    fc.assert(
      fc.property(spec, fc.array(step, { maxLength: 40 }), (jobSpec, steps) => {
        const world = new World(jobSpec)
        world.settle()
        for (const each of steps) {
          world.apply(each)
          world.settle()
          if (each.do === 'wait') {
            world.reap()
            world.settle()
          }
        }
        // From here on all goes well, so it must come to an end.
        world.apply({ do: 'resume' })
        for (let round = 0; terminalCondition(world.job) === undefined; round++) {
          expect(round, 'it ends').toBeLessThan(30)
          world.apply({ do: 'wait' })
          world.settle()
          world.apply({ do: 'succeed', at: round })
          world.reap()
          world.settle()
        }
        checkEnd(world)
      }),
      { numRuns: 300 },
    )
  })
})

function checkEnd({ job, pods, successes }: World): void {
  expect(pods.filter(isActive)).toEqual([])
  expect(pods.filter(isTracked)).toEqual([])
  const { status = {}, spec: jobSpec } = job
  expect(status.active ?? 0).toBe(0)
  expect(status.uncountedTerminatedPods).toEqual({})
  if (jobSpec.completionMode === 'Indexed') {
    expect(countIndexes(parseIndexRanges(status.completedIndexes, 99))).toBe(status.succeeded ?? 0)
  } else {
    expect(status.succeeded ?? 0).toBeGreaterThanOrEqual(successes.certain)
    expect(status.succeeded ?? 0).toBeLessThanOrEqual(successes.certain + successes.possible)
  }
  const reason = trueCondition(status.conditions, 'Complete')?.reason
  if (reason === 'CompletionsReached' && jobSpec.completionMode === 'Indexed') {
    const all =
      (jobSpec.completions ?? 0) > 1 ? [{ first: 0, last: (jobSpec.completions ?? 0) - 1 }] : [{ first: 0, last: 0 }]
    expect(parseIndexRanges(status.completedIndexes, 99)).toEqual(all)
  }
}
