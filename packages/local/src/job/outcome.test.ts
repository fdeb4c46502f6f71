import type { Job, JobSpec, Pod } from '@trainjob/api'
import { describe, expect, it } from 'vitest'
import { conditionTexts, NOW, names, pass, type SamplePod, sampleJob, samplePod } from './samples.suite.ts'
import { timestamp } from './timestamp.ts'

const started = { startTime: timestamp(NOW) }
const onFailure: Partial<JobSpec> = {
  template: { spec: { restartPolicy: 'OnFailure', containers: [{ name: 'node' }] } },
}

function pods(...list: SamplePod[]): Pod[] {
  return list.map(samplePod)
}

/** Reason of the outcome that the pass announces, if it does. */
function outcome(job: Job, list: Pod[], afterMs = 0): string | undefined {
  const conditions = pass(job, list, afterMs).status?.conditions ?? []
  return conditions.find(({ type }) => type === 'FailureTarget' || type === 'SuccessCriteriaMet')?.reason
}

describe('back-off limit', () => {
  const failed = (count: number) =>
    Array.from({ length: count }, (_, at) => samplePod({ name: `f${at}`, index: 0, phase: 'Failed', exitCode: 1 }))

  it.each([
    [0, 0, undefined],
    [0, 1, 'BackoffLimitExceeded'],
    [2, 2, undefined],
    [2, 3, 'BackoffLimitExceeded'],
  ])('Never: limit %i with %i failed pods: %s', (backoffLimit, count, expected) => {
    expect(outcome(sampleJob({ backoffLimit }, started), failed(count))).toBe(expected)
  })

  it('counts failures of the past, and uncounted ones once', () => {
    const job = sampleJob({ backoffLimit: 2 }, { ...started, failed: 1, uncountedTerminatedPods: { failed: ['f0'] } })
    expect(outcome(job, failed(1))).toBeUndefined()
    expect(outcome(job, failed(2))).toBe('BackoffLimitExceeded')
  })

  it.each([
    [0, 0, undefined],
    [0, 1, 'BackoffLimitExceeded'],
    [3, 2, undefined],
    [3, 3, 'BackoffLimitExceeded'],
  ])('OnFailure: limit %i with %i restarts in all: %s', (backoffLimit, restarts, expected) => {
    const two = pods(
      { name: 'a', index: 0, phase: 'Running', restarts: Math.floor(restarts / 2) },
      { name: 'b', index: 1, phase: 'Running', restarts: Math.ceil(restarts / 2) },
    )
    expect(outcome(sampleJob({ ...onFailure, backoffLimit }, started), two)).toBe(expected)
  })

  it('Never: restarts do not count', () => {
    const list = pods({ name: 'a', index: 0, phase: 'Running', restarts: 9 }, { name: 'b', index: 1 })
    expect(outcome(sampleJob({ backoffLimit: 0 }, started), list)).toBeUndefined()
  })

  it('OnFailure: restarts of pods that have ended do not count', () => {
    const list = pods(
      { name: 'a', index: 0, phase: 'Succeeded', restarts: 5 },
      { name: 'b', index: 1, phase: 'Running' },
    )
    expect(outcome(sampleJob({ ...onFailure, backoffLimit: 3 }, started), list)).toBeUndefined()
  })
})

describe('deadline', () => {
  const running = pods({ name: 'a', index: 0, phase: 'Running' }, { name: 'b', index: 1, phase: 'Running' })

  it('fails the Job on time, and asks to be woken then', () => {
    const job = sampleJob({ activeDeadlineSeconds: 30 }, started)
    expect(pass(job, running, 10_000).requeueAfterMs).toBe(20_000)
    expect(outcome(job, running, 29_999)).toBeUndefined()
    expect(outcome(job, running, 30_000)).toBe('DeadlineExceeded')
  })

  it('counts from now on for a Job that has just been created', () => {
    expect(pass(sampleJob({ activeDeadlineSeconds: 30 })).requeueAfterMs).toBe(30_000)
  })

  it('stands still while the Job is suspended', () => {
    const job = sampleJob({ activeDeadlineSeconds: 30, suspend: true }, started)
    expect(outcome(job, [], 40_000)).toBeUndefined()
  })

  it('the back-off limit goes first', () => {
    const job = sampleJob({ activeDeadlineSeconds: 30, backoffLimit: 0 }, started)
    const list = pods({ name: 'a', index: 0, phase: 'Failed', exitCode: 1 })
    expect(outcome(job, list, 40_000)).toBe('BackoffLimitExceeded')
  })
})

describe('pod failure policy', () => {
  const rules = [
    { action: 'Ignore' as const, onPodConditions: [{ type: 'DisruptionTarget' }] },
    { action: 'FailJob' as const, onExitCodes: { containerName: 'node', operator: 'In' as const, values: [42] } },
    { action: 'Count' as const, onExitCodes: { operator: 'NotIn' as const, values: [42, 43] } },
  ]
  const job = (extra: Partial<JobSpec> = {}) =>
    sampleJob({ podFailurePolicy: { rules }, backoffLimit: 0, ...extra }, started)
  const failed = (exitCode: number) => samplePod({ name: 'a', index: 0, phase: 'Failed', exitCode })

  it('fails the Job on a rule that says so, and says which', () => {
    const conditions = pass(job(), [failed(42)]).status?.conditions
    expect(conditions?.[0]).toMatchObject({
      type: 'FailureTarget',
      reason: 'PodFailurePolicy',
      message: 'Container node for pod default/a failed with exit code 42 matching FailJob rule at index 1',
    })
  })

  it.each([
    [1, 'BackoffLimitExceeded'],
    [43, 'BackoffLimitExceeded'],
  ])('exit code %i counts as a failure', (code, expected) => {
    expect(outcome(job(), [failed(code)])).toBe(expected)
  })

  it('does not count what is to be ignored', () => {
    const pod = failed(42)
    pod.status?.conditions?.push({ type: 'DisruptionTarget', status: 'True' })
    const result = pass(job(), [pod], 60_000)
    expect(result.status?.conditions).toBeUndefined()
    expect(result.status?.uncountedTerminatedPods).toEqual({})
    expect(names(result.finalize)).toEqual(['a'])
    expect(names(result.create)).toEqual(['train-0-bbbbb', 'train-1-bbbbb'])
  })

  it('replaces a pod only when it has failed, not while it terminates', () => {
    const going = samplePod({ name: 'a', index: 0, phase: 'Running', deleted: true })
    expect(names(pass(job(), [going]).create)).toEqual(['train-1-bbbbb'])
  })
})

describe('success policy', () => {
  const job = (rules: { succeededIndexes?: string; succeededCount?: number }[]) =>
    sampleJob({ completions: 5, successPolicy: { rules } }, started)
  const done = (...indexes: number[]) =>
    indexes.map((index) => samplePod({ name: `p${index}`, index, phase: 'Succeeded' }))

  it.each([
    ['all listed indexes', [{ succeededIndexes: '0,2' }], [0, 2], true],
    ['one of the listed missing', [{ succeededIndexes: '0,2' }], [0, 3], false],
    ['enough of the listed', [{ succeededIndexes: '1-3', succeededCount: 2 }], [1, 3], true],
    ['others do not count', [{ succeededIndexes: '1-3', succeededCount: 2 }], [1, 0, 4], false],
    ['any two', [{ succeededCount: 2 }], [4, 1], true],
    ['the second rule', [{ succeededIndexes: '4' }, { succeededCount: 1 }], [0], true],
  ])('%s', (_, rules, indexes, met) => {
    expect(outcome(job(rules), done(...indexes))).toBe(met ? 'SuccessPolicy' : undefined)
  })

  it('ends the Job with what is left of it killed, and counts the killed pods neither way', () => {
    const running = samplePod({ name: 'r', index: 1, phase: 'Running', node: 'here' })
    const first = pass(job([{ succeededIndexes: '0' }]), [...done(0), running])
    expect(names(first.delete)).toEqual(['r'])
    expect(conditionTexts(first.status)).toEqual(['SuccessCriteriaMet=True/SuccessPolicy'])
    const after = { ...job([{ succeededIndexes: '0' }]), status: first.status ?? {} }
    const last = pass(after, [])
    expect(conditionTexts(last.status)).toEqual([
      'SuccessCriteriaMet=True/SuccessPolicy',
      'Complete=True/SuccessPolicy',
    ])
    expect(last.status).toMatchObject({ succeeded: 1, completedIndexes: '0', completionTime: timestamp(NOW) })
    expect(last.status?.failed).toBeUndefined()
  })
})

describe('back-off limit per index', () => {
  const job = (extra: Partial<JobSpec> = {}) =>
    sampleJob({ completions: 3, backoffLimitPerIndex: 1, ...extra }, started)
  const count = (failures: number) => ({ 'batch.kubernetes.io/job-index-failure-count': `${failures}` })

  it('replaces a failed pod after its own delay, and hands its failures on', () => {
    const list = pods(
      { name: 'a', index: 0, phase: 'Failed', exitCode: 1, annotations: count(0) },
      { name: 'b', index: 1, phase: 'Running' },
      { name: 'c', index: 2, phase: 'Running' },
    )
    const early = pass(job(), list, 4000)
    expect(early.create).toEqual([])
    expect(early.requeueAfterMs).toBe(6000)
    expect(early.finalize).toEqual([])
    const late = pass(job(), list, 10_000)
    expect(late.create[0]?.metadata.annotations).toMatchObject(count(1))
    const replaced = pass(job(), [...list, samplePod({ name: 'a2', index: 0, annotations: count(1) })], 10_000)
    expect(names(replaced.finalize)).toEqual(['a'])
  })

  it('gives an index up after its limit, goes on with the others, and fails in the end', () => {
    const lost = samplePod({ name: 'a', index: 0, phase: 'Failed', exitCode: 1, annotations: count(1) })
    const others = pods({ name: 'b', index: 1, phase: 'Running' }, { name: 'c', index: 2, phase: 'Succeeded' })
    const first = pass(job(), [lost, ...others], 60_000)
    expect(first.status?.failedIndexes).toBe('0')
    expect(first.create).toEqual([])
    expect(names(first.finalize)).toEqual(['a', 'c'])
    const last = pass({ ...job(), status: first.status ?? {} }, pods({ name: 'b', index: 1, phase: 'Succeeded' }))
    expect(conditionTexts(last.status)[0]).toBe('FailureTarget=True/FailedIndexes')
  })

  it.each([
    [0, 'MaxFailedIndexesExceeded'],
    [1, undefined],
  ])('at most %i failed indexes: %s', (maxFailedIndexes, expected) => {
    const list = pods(
      { name: 'a', index: 0, phase: 'Failed', exitCode: 1, annotations: count(1) },
      { name: 'b', index: 1, phase: 'Running' },
    )
    expect(outcome(job({ maxFailedIndexes }), list)).toBe(expected)
  })

  it('FailIndex gives an index up at once', () => {
    const rules = [{ action: 'FailIndex' as const, onExitCodes: { operator: 'In' as const, values: [7] } }]
    const list = pods({ name: 'a', index: 0, phase: 'Failed', exitCode: 7, annotations: count(0) })
    expect(pass(job({ podFailurePolicy: { rules } }), list).status?.failedIndexes).toBe('0')
  })
})
