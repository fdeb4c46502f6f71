import type { Condition } from '@trainjob/api'
import { describe, expect, it } from 'vitest'
import { endRestart, type StatusDraft, setCondition } from './status-draft.ts'

const old: Condition = {
  type: 'Suspended',
  status: 'True',
  reason: 'SuspendedJobs',
  message: 'm',
  lastTransitionTime: 'then',
}
const draft = (...conditions: Condition[]): StatusDraft => ({ status: { conditions }, events: [], now: 0 })

describe('setting a condition', () => {
  it('does nothing when it says so already', () => {
    const same = draft(old)
    setCondition(same, { type: 'Suspended', status: 'True', reason: 'SuspendedJobs', message: 'm' })
    expect(same.events).toEqual([])
    expect(same.status.conditions?.[0]).toBe(old)
  })

  it('never adds one that is false', () => {
    const empty = draft()
    endRestart(empty, 'JobsReady', 'm')
    expect(empty.status.conditions).toEqual([])
  })

  it('a new reason keeps the time, a new status does not', () => {
    const changed = draft(old)
    setCondition(changed, { type: 'Suspended', status: 'True', reason: 'Other', message: 'm' })
    expect(changed.status.conditions?.[0]).toMatchObject({ reason: 'Other', lastTransitionTime: 'then' })
    setCondition(changed, { type: 'Suspended', status: 'False', reason: 'ResumeJobs', message: 'n' })
    expect(changed.status.conditions?.[0]).toMatchObject({
      status: 'False',
      lastTransitionTime: '1970-01-01T00:00:00Z',
    })
    expect(changed.events.map(({ reason }) => reason)).toEqual(['Other', 'ResumeJobs'])
  })

  it('turns its opposite off and keeps the reason of that', () => {
    const progress = draft({ ...old, type: 'StartupPolicyInProgress', reason: 'InOrderStartupPolicyInProgress' })
    setCondition(progress, {
      type: 'StartupPolicyCompleted',
      status: 'True',
      reason: 'InOrderStartupPolicyCompleted',
      message: 'm',
    })
    expect(progress.status.conditions?.map(({ type, status, reason }) => [type, status, reason])).toEqual([
      ['StartupPolicyInProgress', 'False', 'InOrderStartupPolicyInProgress'],
      ['StartupPolicyCompleted', 'True', 'InOrderStartupPolicyCompleted'],
    ])
  })
})
