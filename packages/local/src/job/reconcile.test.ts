import type { Job, JobStatus } from '@trainjob/api'
import { describe, expect, it } from 'vitest'
import { conditionTexts, NOW, names, pass, sampleJob, samplePod } from './samples.suite.ts'
import { timestamp } from './timestamp.ts'

function after(job: Job, status: JobStatus | undefined): Job {
  return { ...job, status: { ...job.status, ...status } }
}

describe('a Job that has just been created', () => {
  it('starts a pod for each index and says so', () => {
    const { create, status } = pass(sampleJob({ completions: 3 }))
    expect(names(create)).toEqual(['train-0-bbbbb', 'train-1-bbbbb', 'train-2-bbbbb'])
    expect(status).toEqual({
      startTime: timestamp(NOW),
      active: 3,
      ready: 0,
      terminating: 0,
      uncountedTerminatedPods: {},
    })
  })

  it.each([
    ['as many as run at once', { completions: 5, parallelism: 2 }, 2],
    ['no more than are needed', { completions: 2, parallelism: 9 }, 2],
    ['none', { completions: 2, parallelism: 0 }, 0],
    ['a work queue', { completionMode: 'NonIndexed' as const, parallelism: 3 }, 3],
  ])('%s', (_, spec, count) => {
    const job = sampleJob(spec)
    if (!('completions' in spec)) delete job.spec.completions
    expect(pass(job).create).toHaveLength(count)
  })

  it('of another manager is left alone', () => {
    expect(pass(sampleJob({ managedBy: 'kueue.x-k8s.io/multikueue' })).status).toBeUndefined()
  })

  it('is complete at once when it has nothing to do', () => {
    const { status, create } = pass(sampleJob({ completions: 0 }))
    expect(create).toEqual([])
    expect(conditionTexts(status)).toEqual([
      'SuccessCriteriaMet=True/CompletionsReached',
      'Complete=True/CompletionsReached',
    ])
  })
})

describe('counting', () => {
  const job = sampleJob(
    { completions: 2 },
    { startTime: timestamp(NOW), active: 2, ready: 0, terminating: 0, uncountedTerminatedPods: {} },
  )

  it('takes successes of an Indexed Job into the status at once', () => {
    const result = pass(job, [
      samplePod({ name: 'a', index: 0, phase: 'Succeeded' }),
      samplePod({ name: 'b', index: 1, phase: 'Running', ready: true }),
    ])
    expect(result.status).toMatchObject({ succeeded: 1, completedIndexes: '0', active: 1, ready: 1 })
    expect(names(result.finalize)).toEqual(['a'])
    expect(result.create).toEqual([])
  })

  it('counts an index once, whichever pods succeeded', () => {
    const twice = [
      samplePod({ name: 'a', index: 0, phase: 'Succeeded' }),
      samplePod({ name: 'b', index: 0, phase: 'Succeeded' }),
    ]
    expect(pass(job, twice).status).toMatchObject({ succeeded: 1, completedIndexes: '0' })
  })

  it('ignores pods without an index and those beyond the completions', () => {
    const strangers = [
      samplePod({ name: 'a', phase: 'Succeeded' }),
      samplePod({ name: 'b', index: 2, phase: 'Succeeded' }),
    ]
    expect(pass(job, strangers).status?.succeeded).toBeUndefined()
  })

  it('writes a failure down before it lets the pod go, and counts it afterwards', () => {
    const failed = { name: 'a', index: 0, phase: 'Failed' as const, exitCode: 1 }
    const other = samplePod({ name: 'b', index: 1, phase: 'Running' })
    const first = pass(job, [samplePod(failed), other])
    expect(first.status?.uncountedTerminatedPods).toEqual({ failed: ['a'] })
    expect(first.status?.failed).toBeUndefined()
    expect(names(first.finalize)).toEqual(['a'])
    const second = pass(after(job, first.status), [samplePod({ ...failed, tracked: false }), other])
    expect(second.status).toMatchObject({ failed: 1, uncountedTerminatedPods: {} })
    const third = pass(after(job, second.status), [samplePod({ ...failed, tracked: false }), other])
    expect(third.status).toBeUndefined()
  })

  it('counts successes of a Job without indexes in the same way', () => {
    const plain = sampleJob({ completionMode: 'NonIndexed', completions: 2 }, { startTime: timestamp(NOW) })
    const first = pass(plain, [
      samplePod({ name: 'a', phase: 'Succeeded' }),
      samplePod({ name: 'b', phase: 'Running' }),
    ])
    expect(first.status?.uncountedTerminatedPods).toEqual({ succeeded: ['a'] })
    const second = pass(after(plain, first.status), [samplePod({ name: 'b', phase: 'Running' })])
    expect(second.status).toMatchObject({ succeeded: 1, uncountedTerminatedPods: {} })
  })

  it('a work queue starts nothing after its first success', () => {
    const { completions: _, ...rest } = sampleJob({ completionMode: 'NonIndexed', parallelism: 2 }).spec
    const queue: Job = { ...job, spec: rest }
    const result = pass(queue, [
      samplePod({ name: 'a', phase: 'Succeeded' }),
      samplePod({ name: 'b', phase: 'Running' }),
    ])
    expect(result.create).toEqual([])
    expect(result.status?.conditions).toBeUndefined()
  })
})

describe('replacing failed pods', () => {
  const job = sampleJob({ completions: 1, backoffLimit: 9 }, { startTime: timestamp(NOW) })
  const failure = (name: string, agoMs: number) =>
    samplePod({ name, index: 0, phase: 'Failed', exitCode: 1, finishedAt: NOW - agoMs, tracked: false })

  it.each([
    [1, 4000, 6000],
    [2, 4000, 16_000],
    [3, 0, 40_000],
    [8, 0, 600_000],
  ])('after %i failures, the last one %i ms ago, it waits %i ms', (failures, agoMs, wait) => {
    const pods = Array.from({ length: failures }, (_, at) => failure(`f${at}`, agoMs))
    const result = pass(job, pods)
    expect(result.create).toEqual([])
    expect(result.requeueAfterMs).toBe(wait)
    expect(names(pass(job, pods, wait).create)).toEqual(['train-0-bbbbb'])
  })

  it('a success in between makes the wait short again', () => {
    const two = sampleJob(
      { completions: 2, backoffLimit: 9 },
      { startTime: timestamp(NOW), completedIndexes: '1', succeeded: 1 },
    )
    const success = samplePod({
      name: 's',
      index: 1,
      phase: 'Succeeded',
      exitCode: 0,
      finishedAt: NOW - 5000,
      tracked: false,
    })
    const pods = [failure('f0', 20_000), failure('f1', 10_000), success, failure('f2', 1000)]
    expect(pass(two, pods).requeueAfterMs).toBe(9000)
  })

  it('a pod that terminates is replaced at once, or only when it has failed', () => {
    const going = samplePod({ name: 'g', index: 0, phase: 'Running', deleted: true, tracked: false })
    expect(pass(job, [going]).create).toHaveLength(1)
    const patient = sampleJob({ completions: 1, podReplacementPolicy: 'Failed' }, { startTime: timestamp(NOW) })
    expect(pass(patient, [going]).create).toEqual([])
  })
})

describe('too many pods', () => {
  const job = (parallelism: number) => sampleJob({ completions: 4, parallelism }, { startTime: timestamp(NOW) })
  const pods = [
    samplePod({ name: 'ready', index: 0, phase: 'Running', ready: true, node: 'n' }),
    samplePod({ name: 'running', index: 1, phase: 'Running', node: 'n' }),
    samplePod({ name: 'pending', index: 2, node: 'n' }),
    samplePod({ name: 'unscheduled', index: 3 }),
  ]

  it.each([
    [4, []],
    [3, ['unscheduled']],
    [2, ['unscheduled', 'pending']],
    [1, ['unscheduled', 'pending', 'running']],
    [0, ['unscheduled', 'pending', 'running', 'ready']],
  ])('parallelism %i lets go of %j', (parallelism, expected) => {
    const result = pass(job(parallelism), pods)
    expect(names(result.discard)).toEqual(expected)
    expect(result.delete).toEqual([])
    expect(result.status?.failed).toBeUndefined()
  })

  it('of two pods with one index the more advanced one stays', () => {
    const twice = [
      samplePod({ name: 'late', index: 0 }),
      samplePod({ name: 'early', index: 0, phase: 'Running', node: 'n' }),
    ]
    expect(names(pass(job(4), twice).discard)).toEqual(['late'])
  })
})

describe('suspending', () => {
  const running = [
    samplePod({ name: 'a', index: 0, phase: 'Running', ready: true, node: 'n' }),
    samplePod({ name: 'b', index: 1, phase: 'Running', node: 'n' }),
  ]

  it('a new suspended Job has neither pods nor a start time', () => {
    const { create, status } = pass(sampleJob({ suspend: true }))
    expect(create).toEqual([])
    expect(status?.startTime).toBeUndefined()
    expect(conditionTexts(status)).toEqual(['Suspended=True/JobSuspended'])
  })

  it('lets the pods of a running Job go without counting them, and clears the start time', () => {
    const job = sampleJob({ suspend: true }, { startTime: timestamp(NOW), active: 2 })
    const result = pass(job, running)
    expect(names(result.discard).sort()).toEqual(['a', 'b'])
    expect(result.status).toMatchObject({ terminating: 2, ready: 0 })
    expect(result.status?.active).toBeUndefined()
    expect(result.status?.startTime).toBeUndefined()
    expect(result.events.map(({ reason }) => reason)).toEqual(['Suspended'])
    const going = running.map((pod) => ({
      ...pod,
      metadata: { ...pod.metadata, finalizers: [], deletionTimestamp: timestamp(NOW) },
    }))
    const next = pass(after({ ...job, status: {} }, result.status), going)
    expect(next.status).toBeUndefined()
    expect(next.create).toEqual([])
  })

  it('starts anew on resume, with a start time of its own and no delay for the pods it let go', () => {
    const suspended = { status: 'True' as const, type: 'Suspended', reason: 'JobSuspended', message: 'Job suspended' }
    const job = sampleJob({}, { conditions: [suspended], succeeded: 1, completedIndexes: '0' })
    const going = samplePod({ name: 'b', index: 1, phase: 'Failed', exitCode: 143, deleted: true, tracked: false })
    const result = pass(job, [going], 60_000)
    expect(names(result.create)).toEqual(['train-1-bbbbb'])
    expect(conditionTexts(result.status)).toEqual(['Suspended=False/JobResumed'])
    expect(result.status?.startTime).toBe(timestamp(NOW + 60_000))
    expect(result.events.map(({ reason }) => reason)).toEqual(['Resumed'])
  })

  it('a start time alone is nothing to write, when JobSet has removed that of a Job that is all but over', () => {
    const met = { type: 'SuccessCriteriaMet', status: 'True' as const, reason: 'CompletionsReached', message: 'done' }
    const job = sampleJob({}, { conditions: [met], succeeded: 2, completedIndexes: '0,1', ready: 0, terminating: 1 })
    const status = { ...job.status, uncountedTerminatedPods: {} }
    const going = samplePod({ name: 'a', index: 0, phase: 'Running', deleted: true, tracked: false })
    expect(pass({ ...job, status }, [going]).status).toBeUndefined()
  })

  it('does not add a condition to a Job that never was suspended', () => {
    expect(pass(sampleJob()).status?.conditions).toBeUndefined()
  })

  it('a suspended Job that has succeeded already completes', () => {
    const job = sampleJob({ suspend: true, completions: 1 }, { succeeded: 1, completedIndexes: '0' })
    expect(conditionTexts(pass(job).status)).toContain('Complete=True/CompletionsReached')
  })
})

describe('ending', () => {
  const job = sampleJob({ backoffLimit: 0 }, { startTime: timestamp(NOW), active: 2 })
  const failed = { name: 'a', index: 0, phase: 'Failed' as const, exitCode: 1 }
  const other = { name: 'b', index: 1, phase: 'Running' as const, node: 'n' }

  it('kills what is left, and is failed only when nothing is left', () => {
    const first = pass(job, [samplePod(failed), samplePod(other)])
    expect(names(first.delete)).toEqual(['b'])
    expect(names(first.finalize)).toEqual(['a', 'b'])
    expect(conditionTexts(first.status)).toEqual(['FailureTarget=True/BackoffLimitExceeded'])
    expect(first.status).toMatchObject({ terminating: 1, uncountedTerminatedPods: { failed: ['a', 'b'] } })
    expect(first.events).toEqual([])

    const waiting = after(job, first.status)
    const going = samplePod({ ...other, deleted: true, tracked: false })
    const second = pass(waiting, [samplePod({ ...failed, tracked: false }), going], 1000)
    expect(conditionTexts(second.status)).toEqual(['FailureTarget=True/BackoffLimitExceeded'])
    expect(second.status).toMatchObject({ failed: 2, terminating: 1 })

    const last = pass(after(job, second.status), [samplePod({ ...failed, tracked: false })], 2000)
    expect(conditionTexts(last.status)).toEqual([
      'FailureTarget=True/BackoffLimitExceeded',
      'Failed=True/BackoffLimitExceeded',
    ])
    expect(last.status?.completionTime).toBeUndefined()
    expect(last.events).toEqual([
      { type: 'Warning', reason: 'BackoffLimitExceeded', message: 'Job has reached the specified backoff limit' },
    ])
  })

  it('completes in the pass that sees the last success', () => {
    const done = [0, 1].map((index) => samplePod({ name: `p${index}`, index, phase: 'Succeeded', exitCode: 0 }))
    const result = pass(job, done)
    expect(conditionTexts(result.status)).toEqual([
      'SuccessCriteriaMet=True/CompletionsReached',
      'Complete=True/CompletionsReached',
    ])
    expect(result.status).toMatchObject({ succeeded: 2, completedIndexes: '0,1', completionTime: timestamp(NOW) })
    expect(names(result.finalize)).toEqual(['p0', 'p1'])
    expect(result.events.map(({ reason }) => reason)).toEqual(['Completed'])
  })

  it('waits for pods that terminate before it completes', () => {
    const done = [0, 1].map((index) => samplePod({ name: `p${index}`, index, phase: 'Succeeded', exitCode: 0 }))
    const going = samplePod({ name: 'g', index: 0, phase: 'Running', deleted: true, tracked: false })
    expect(conditionTexts(pass(job, [...done, going]).status)).toEqual(['SuccessCriteriaMet=True/CompletionsReached'])
  })

  it('a pod that goes with its Job is no failure', () => {
    const job = sampleJob({ backoffLimit: 0 }, { startTime: timestamp(NOW), active: 1 })
    const leaving = { ...job, metadata: { ...job.metadata, deletionTimestamp: timestamp(NOW) } }
    const going = [samplePod({ name: 'a', index: 0, phase: 'Running', deleted: true })]
    expect(pass(job, going).status?.failed ?? pass(job, going).status?.uncountedTerminatedPods?.failed).toEqual(['a'])
    const result = pass(leaving, going)
    expect(result.status?.uncountedTerminatedPods).toEqual({})
    expect(conditionTexts(result.status)).toEqual([])
    expect(names(result.finalize)).toEqual(['a'])
  })

  it('never changes its mind', () => {
    const condition = { type: 'FailureTarget', status: 'True' as const, reason: 'DeadlineExceeded', message: 'm' }
    const decided = sampleJob({}, { startTime: timestamp(NOW), conditions: [condition] })
    const done = [0, 1].map((index) => samplePod({ name: `p${index}`, index, phase: 'Succeeded', exitCode: 0 }))
    expect(conditionTexts(pass(decided, done).status)).toEqual([
      'FailureTarget=True/DeadlineExceeded',
      'Failed=True/DeadlineExceeded',
    ])
  })
})

describe('an ended Job', () => {
  const condition = { type: 'Complete', status: 'True' as const, lastTransitionTime: timestamp(NOW) }
  const ended = (ttlSecondsAfterFinished?: number) =>
    sampleJob(
      { ...(ttlSecondsAfterFinished !== undefined && { ttlSecondsAfterFinished }) },
      { conditions: [condition] },
    )

  it('lets go of its last pods and does nothing else', () => {
    const result = pass(ended(), [samplePod({ name: 'a', index: 0, phase: 'Succeeded' })])
    expect(names(result.finalize)).toEqual(['a'])
    expect(result).toMatchObject({ create: [], delete: [], discard: [] })
    expect(result.status).toBeUndefined()
  })

  it('is deleted when its time is over', () => {
    expect(pass(ended(60), [], 20_000)).toMatchObject({ requeueAfterMs: 40_000 })
    expect(pass(ended(60), [], 60_000).deleteJob).toBe(true)
    expect(pass(ended(0)).deleteJob).toBe(true)
    expect(pass(ended(), [], 9e9).deleteJob).toBeUndefined()
  })
})

it('a Job that is being deleted lets go of its pods and starts none', () => {
  const job = sampleJob({}, { startTime: timestamp(NOW) })
  const deleted: Job = { ...job, metadata: { ...job.metadata, deletionTimestamp: timestamp(NOW) } }
  const result = pass(deleted, [samplePod({ name: 'a', index: 0, phase: 'Running', deleted: true })])
  expect(names(result.finalize)).toEqual(['a'])
  expect(result).toMatchObject({ create: [], delete: [], discard: [] })
})
