import { describe, expect, it } from 'vitest'
import { type FailureRun, failureRunOf, nextFailureRun, remainingDelay } from './replacement-delay.ts'
import { NOW, type SamplePod, sampleJob, samplePod } from './samples.suite.ts'

const SECOND = 1000
const BACKOFF = { initialMs: 10 * SECOND, maxMs: 60 * SECOND }

function ended(second: number, phase: 'Failed' | 'Succeeded' = 'Failed', more: Partial<SamplePod> = {}) {
  const exitCode = phase === 'Failed' ? 1 : 0
  return samplePod({ name: `p${second}`, phase, exitCode, finishedAt: NOW + second * SECOND, ...more })
}

const run = (failures: number, second: number): FailureRun => ({ failures, lastFailure: NOW + second * SECOND })

describe('a run of failures', () => {
  it.each<[string, FailureRun, ReturnType<typeof ended>[], ReturnType<typeof ended>[], FailureRun]>([
    ['goes on when nothing ends', run(2, 1), [], [], run(2, 1)],
    ['grows with each failure', run(2, 1), [], [ended(3), ended(2)], run(4, 3)],
    ['ends with a success', run(2, 1), [ended(2, 'Succeeded')], [], { failures: 0, lastFailure: 0 }],
    ['begins anew after a success', run(2, 1), [ended(3, 'Succeeded')], [ended(2), ended(4), ended(5)], run(2, 5)],
    [
      'ends with a success after the last failure',
      run(2, 1),
      [ended(9, 'Succeeded')],
      [ended(4)],
      { failures: 0, lastFailure: 0 },
    ],
  ])('%s', (_, before, succeeded, failed, expected) => {
    expect(nextFailureRun(before, succeeded, failed)).toEqual(expected)
  })

  it('is read from the pods that are left', () => {
    const pods = [
      ended(1),
      ended(2, 'Succeeded'),
      ended(3),
      ended(4, 'Failed', { deleted: true, tracked: false }),
      samplePod({ name: 'new' }),
    ]
    expect(failureRunOf(sampleJob(), pods)).toEqual(run(1, 3))
  })
})

describe('the delay of a replacement', () => {
  it.each([
    [0, 0, 0],
    [1, 0, 10],
    [1, 4, 6],
    [2, 0, 20],
    [3, 0, 40],
    [4, 0, 60],
    [400, 0, 60],
    [1, 11, 0],
  ])('after %i failures and %i s is %i s', (failures, waited, seconds) => {
    expect(remainingDelay(BACKOFF, failures, NOW, NOW + waited * SECOND)).toBe(seconds * SECOND)
  })
})
