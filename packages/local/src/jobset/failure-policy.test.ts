import type { JobSetFailurePolicy } from '@trainjob/api'
import { describe, expect, it } from 'vitest'
import { childJob, conditionTexts, pass, replicated, type SampleJob, sampleJobSet } from './samples.suite.ts'

const jobs = [replicated('a'), replicated('b')]

function failing(policy: JobSetFailurePolicy | undefined, failures: Record<string, SampleJob>, status = {}) {
  const jobSet = sampleJobSet({ replicatedJobs: jobs, ...(policy !== undefined && { failurePolicy: policy }) }, status)
  const children = Object.entries(failures).map(([name, state]) =>
    childJob(jobSet, name, 0, { end: 'Failed', ...state }),
  )
  return pass(jobSet, children)
}

describe('a failed Job', () => {
  it('without a policy fails the JobSet, naming the Job that failed first', () => {
    const { status, events } = failing(undefined, { a: { endedAt: 2000 }, b: { endedAt: 1000 } })
    const message = 'jobset failed due to one or more job failures (first failed job: mnist-b-0)'
    expect(status?.terminalState).toBe('Failed')
    expect(status?.conditions).toMatchObject([{ type: 'Failed', reason: 'FailedJobs', message }])
    expect(events).toEqual([{ type: 'Warning', reason: 'FailedJobs', message }])
  })

  it.each([
    [{}, {}, 'ReachedMaxRestarts'],
    [{ maxRestarts: 2 }, { restarts: 5, restartsCountTowardsMax: 2 }, 'ReachedMaxRestarts'],
    [{ maxRestarts: 3 }, { restarts: 5, restartsCountTowardsMax: 2 }, undefined],
  ])('policy %j after %j: %s', (policy, before, reason) => {
    const { status } = failing(policy, { a: {} }, before)
    expect(status?.conditions?.find(({ type }) => type === 'Failed')?.reason).toBe(reason)
    if (reason === undefined) expect(status).toMatchObject({ restarts: 6, restartsCountTowardsMax: 3 })
  })

  it('restarts the JobSet and says that it does', () => {
    const { status, events, create } = failing({ maxRestarts: 1 }, { a: {} })
    expect(status).toMatchObject({ restarts: 1, restartsCountTowardsMax: 1 })
    expect(status?.terminalState).toBeUndefined()
    expect(conditionTexts(status)).toEqual(['RestartingJobSet=True/DefaultFailurePolicy'])
    expect(events.map(({ reason }) => reason)).toEqual(['DefaultFailurePolicy', 'RestartJobSetFailurePolicyAction'])
    expect(create).toEqual([])
  })
})

describe('rules', () => {
  const oom = {
    name: 'oom',
    action: 'RestartJobSetAndIgnoreMaxRestarts' as const,
    onJobFailureMessagePatterns: ['exit code 137$'],
  }
  const leader = { name: 'leader', action: 'FailJobSet' as const, targetReplicatedJobs: ['a'] }
  const deadline = { name: 'late', action: 'RestartJobSet' as const, onJobFailureReasons: ['DeadlineExceeded'] }

  it.each([
    ['the message matches', [oom], { a: { message: 'failed with exit code 137' } }, 'FailurePolicy_oom', 1, 0],
    ['the message does not', [oom], { a: { message: 'exit code 137 it was not' } }, undefined, 0, 0],
    ['the reason matches', [deadline], { a: { reason: 'DeadlineExceeded' } }, 'FailurePolicy_late', 1, 1],
    ['a target', [leader], { a: {} }, 'FailJobSetFailurePolicyAction', 0, 0],
    ['no target, so the default', [leader], { b: {} }, 'DefaultFailurePolicy', 1, 1],
    [
      'the first rule that matches any Job',
      [leader, deadline],
      { b: { reason: 'DeadlineExceeded' }, a: { endedAt: 9000 } },
      'FailJobSetFailurePolicyAction',
      0,
      0,
    ],
    [
      'a broken pattern matches nothing',
      [{ ...oom, onJobFailureMessagePatterns: ['('] }],
      { a: {} },
      'DefaultFailurePolicy',
      1,
      1,
    ],
    [
      'all filters of a rule together',
      [{ ...leader, onJobFailureReasons: ['DeadlineExceeded'] }],
      { a: {} },
      'DefaultFailurePolicy',
      1,
      1,
    ],
  ])('%s', (_, rules, failures, reason, restarts, counted) => {
    const maxRestarts = reason === undefined ? 0 : 1
    const { status } = failing({ maxRestarts, rules }, failures as Record<string, SampleJob>)
    expect(status?.conditions?.[0]?.reason).toBe(reason ?? 'ReachedMaxRestarts')
    expect(status?.restarts ?? 0).toBe(restarts)
    expect(status?.restartsCountTowardsMax ?? 0).toBe(counted)
  })

  it('the Job named is the first one that the rule matches', () => {
    const { status } = failing({ rules: [leader] }, { b: { endedAt: 0 }, a: { endedAt: 5000 } })
    expect(status?.conditions?.[0]?.message).toBe(
      'applying FailJobSet failure policy action (first failed job: mnist-a-0)',
    )
  })
})

describe('a restart', () => {
  const restarted = (strategy: 'Recreate' | 'BlockingRecreate') =>
    sampleJobSet(
      { replicatedJobs: jobs, failurePolicy: { maxRestarts: 3, restartStrategy: strategy } },
      { restarts: 1, restartsCountTowardsMax: 1 },
    )

  it('deletes all Jobs of the earlier attempt, the successful ones too, and counts none of them', () => {
    const jobSet = restarted('Recreate')
    const old = [
      childJob(jobSet, 'a', 0, { attempt: 0, end: 'Failed' }),
      childJob(jobSet, 'b', 0, { attempt: 0, end: 'Complete' }),
    ]
    const result = pass(jobSet, old)
    expect(result.delete.map(({ metadata }) => metadata.name)).toEqual(['mnist-a-0', 'mnist-b-0'])
    expect(result.create).toEqual([])
    expect(result.status?.replicatedJobsStatus).toMatchObject([{ failed: 0 }, { succeeded: 0 }])
    const again = pass(
      jobSet,
      old.map((job) => ({ ...job, metadata: { ...job.metadata, deletionTimestamp: 'x' } })),
    )
    expect(again.delete).toEqual([])
  })

  it.each([
    ['Recreate', ['mnist-a-0']],
    ['BlockingRecreate', []],
  ] as const)('%s creates %j while another old Job is still there', (strategy, expected) => {
    const jobSet = restarted(strategy)
    const result = pass(jobSet, [childJob(jobSet, 'b', 0, { attempt: 0, deleted: true })])
    expect(result.create.map(({ metadata }) => metadata.name)).toEqual(expected)
    expect(pass(jobSet, []).create).toHaveLength(2)
  })

  it('is over when all Jobs are ready', () => {
    const condition = {
      type: 'RestartingJobSet',
      status: 'True' as const,
      reason: 'DefaultFailurePolicy',
      message: 'm',
      lastTransitionTime: 't',
    }
    const jobSet = sampleJobSet({ replicatedJobs: jobs }, { restarts: 1, conditions: [condition] })
    const half = [childJob(jobSet, 'a', 0, { ready: true }), childJob(jobSet, 'b')]
    expect(conditionTexts(pass(jobSet, half).status)).toEqual(['RestartingJobSet=True/DefaultFailurePolicy'])
    const all = [childJob(jobSet, 'a', 0, { ready: true }), childJob(jobSet, 'b', 0, { end: 'Complete' })]
    expect(conditionTexts(pass(jobSet, all).status)).toEqual(['RestartingJobSet=False/JobsReady'])
  })
})
