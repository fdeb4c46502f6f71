import { describe, expect, it } from 'vitest'
import type { Condition } from '../kubernetes/meta.ts'
import { conditionOf, isConditionTrue, isFinished, setCondition } from './conditions.ts'

const EARLY = '2026-01-01T00:00:00Z'
const LATE = '2026-01-02T00:00:00Z'
const suspended: Condition = {
  type: 'Suspended',
  status: 'True',
  reason: 'Suspended',
  message: 'TrainJob is suspended',
  lastTransitionTime: EARLY,
}

describe('conditions', () => {
  it('are appended when new', () => {
    const complete = { type: 'Complete', status: 'True', reason: 'AllJobsCompleted', message: 'done' } as const
    expect(setCondition(undefined, complete, LATE)).toEqual([{ ...complete, lastTransitionTime: LATE }])
    expect(setCondition([suspended], complete, LATE).map(({ type }) => type)).toEqual(['Suspended', 'Complete'])
  })

  it('keep their time while the status stays, and their place', () => {
    const other = { ...suspended, type: 'Other' }
    const after = setCondition([suspended, other], { ...suspended, message: 'still' }, LATE)
    expect(after).toEqual([{ ...suspended, message: 'still', lastTransitionTime: EARLY }, other])
  })

  it('get a new time when the status changes', () => {
    const [after] = setCondition([suspended], { ...suspended, status: 'False', reason: 'Resumed' }, LATE)
    expect(after).toMatchObject({ status: 'False', reason: 'Resumed', lastTransitionTime: LATE })
  })

  it('come back as they are when nothing changes', () => {
    const before = [suspended]
    expect(setCondition(before, { ...suspended }, LATE)).toBe(before)
  })

  it('leave the list that came in alone', () => {
    const before = [suspended]
    setCondition(before, { ...suspended, status: 'False' }, LATE)
    expect(before).toEqual([suspended])
  })

  it('are found by type', () => {
    expect(conditionOf({ conditions: [suspended] }, 'Suspended')).toBe(suspended)
    expect(conditionOf({}, 'Suspended')).toBeUndefined()
    expect(conditionOf(undefined, 'Suspended')).toBeUndefined()
    expect(isConditionTrue({ conditions: [{ ...suspended, status: 'False' }] }, 'Suspended')).toBe(false)
  })

  it('tell whether a job is finished', () => {
    const job = (type: string, status: Condition['status']) => ({
      status: { conditions: [{ ...suspended, type, status }] },
    })
    expect(isFinished({})).toBe(false)
    expect(isFinished(job('Complete', 'True'))).toBe(true)
    expect(isFinished(job('Failed', 'True'))).toBe(true)
    expect(isFinished(job('Failed', 'False'))).toBe(false)
    expect(isFinished(job('Suspended', 'True'))).toBe(false)
  })
})
