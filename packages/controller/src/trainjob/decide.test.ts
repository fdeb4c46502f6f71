import type { Condition, JobSet, TrainJob } from '@trainjob/api'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decide } from './decide.ts'

const NOW = Date.UTC(2026, 0, 1, 12)
const T0 = '2026-01-01T11:00:00Z'

function trainJob(
  over: { spec?: Partial<TrainJob['spec']>; status?: TrainJob['status']; metadata?: object } = {},
): TrainJob {
  return {
    apiVersion: 'trainer.kubeflow.org/v1alpha1',
    kind: 'TrainJob',
    metadata: { name: 'mnist', namespace: 'default', uid: 'job', creationTimestamp: T0, ...over.metadata },
    spec: { runtimeRef: { name: 'torch-distributed' }, ...over.spec },
    ...(over.status !== undefined && { status: over.status }),
  }
}

function jobSet(
  over: { suspend?: boolean; owner?: string; deleting?: boolean; status?: JobSet['status'] } = {},
): JobSet {
  const { suspend = false, owner = 'job', deleting = false, status } = over
  return {
    apiVersion: 'jobset.x-k8s.io/v1alpha2',
    kind: 'JobSet',
    metadata: {
      name: 'mnist',
      namespace: 'default',
      uid: 'set',
      ...(deleting && { deletionTimestamp: T0 }),
      ownerReferences: [
        { apiVersion: 'trainer.kubeflow.org/v1alpha1', kind: 'TrainJob', name: 'mnist', uid: owner, controller: true },
      ],
    },
    spec: { suspend },
    ...(status !== undefined && { status }),
  }
}

function condition(type: string, status: 'True' | 'False' = 'True', reason: string = type, at: string = T0): Condition {
  return { type, status, reason, message: '', lastTransitionTime: at }
}

const counts = { name: 'node', ready: 1, succeeded: 0, failed: 0, active: 1, suspended: 0 }

describe('scaling', () => {
  const env = [
    { name: 'PET_NNODES', value: '1:4' },
    { name: 'PET_RDZV_BACKEND', value: 'c10d' },
  ]
  const elastic = (over: Parameters<typeof jobSet>[0] = {}): JobSet => {
    const set = jobSet(over)
    const template = { spec: { template: { spec: { containers: [{ name: 'node', env }] } } } }
    return { ...set, spec: { ...set.spec, replicatedJobs: [{ name: 'node', template }] } }
  }
  const scaled = trainJob({ metadata: { annotations: { 'trainjob.dev/nodes': '3' } } })
  it.each<[string, TrainJob, JobSet, true | undefined]>([
    ['an elastic job that runs', scaled, elastic(), true],
    ['one whose annotation was taken away', trainJob(), elastic(), true],
    ['a rigid job keeps its nodes', scaled, jobSet(), undefined],
    ['a JobSet that is going stays as it is', scaled, elastic({ deleting: true }), undefined],
    ['a suspended job is rendered again', scaled, elastic({ suspend: true }), undefined],
    ["somebody else's JobSet", scaled, elastic({ owner: 'other' }), undefined],
    ['a job that has ended', trainJob({ status: { conditions: [condition('Complete')] } }), elastic(), undefined],
  ])('%s', (_, job, set, scale) => {
    expect(decide({ trainJob: job, jobSet: set, now: NOW }).scale).toBe(scale)
    expect(decide({ trainJob: job, jobSet: set, now: NOW, compat: 'upstream' }).scale).toBeUndefined()
  })
})

describe('building', () => {
  it.each<[string, TrainJob, JobSet | undefined, boolean]>([
    ['a new job is built', trainJob(), undefined, true],
    ['a suspended job is built too', trainJob({ spec: { suspend: true } }), undefined, true],
    ['a running JobSet is left alone', trainJob(), jobSet(), false],
    ['a running JobSet of a suspended job is applied to', trainJob({ spec: { suspend: true } }), jobSet(), true],
    ['a suspended JobSet of a resumed job is applied to', trainJob(), jobSet({ suspend: true }), true],
    [
      'a suspended JobSet of a suspended job takes new patches',
      trainJob({ spec: { suspend: true } }),
      jobSet({ suspend: true }),
      true,
    ],
    ['a JobSet that is going is waited for', trainJob(), jobSet({ suspend: true, deleting: true }), false],
    ['a job that is being deleted is not built', trainJob({ metadata: { deletionTimestamp: T0 } }), undefined, false],
    ["MultiKueue's job is not ours", trainJob({ spec: { managedBy: 'kueue.x-k8s.io/multikueue' } }), undefined, false],
    [
      'a complete job is not built again when its JobSet is gone',
      trainJob({ status: { conditions: [condition('Complete')] } }),
      undefined,
      false,
    ],
    ['nor is a failed one', trainJob({ status: { conditions: [condition('Failed')] } }), undefined, false],
    [
      'nor one past its deadline',
      trainJob({ status: { conditions: [condition('Failed', 'True', 'DeadlineExceeded')] } }),
      undefined,
      false,
    ],
  ])('%s', (_, job, set, build) => {
    expect(decide({ trainJob: job, jobSet: set, now: NOW }).build).toBe(build)
  })

  it('does not take over the JobSet of another owner', () => {
    const foreign = jobSet({ owner: 'other', suspend: true, status: { conditions: [condition('Completed')] } })
    const decision = decide({ trainJob: trainJob(), jobSet: foreign, now: NOW })
    expect(decision).toMatchObject({ build: false, blockedBy: foreign })
    expect(decision.status).toBeUndefined()
  })

  it('builds a failed job again as upstream 2.3.0 does, when told to be like it', () => {
    const job = trainJob({ status: { conditions: [condition('Failed')] } })
    const decision = decide({ trainJob: job, jobSet: undefined, now: NOW, compat: 'upstream' })
    expect(decision).toMatchObject({ build: true })
    expect(decision.status?.conditions).toBeUndefined()
  })
})

describe('conditions', () => {
  it.each<[string, TrainJob, JobSet | undefined, Partial<Condition>[]]>([
    [
      'suspended',
      trainJob({ spec: { suspend: true } }),
      undefined,
      [{ type: 'Suspended', status: 'True', reason: 'Suspended' }],
    ],
    [
      'resumed',
      trainJob({ status: { conditions: [condition('Suspended')] } }),
      undefined,
      [{ type: 'Suspended', status: 'False', reason: 'Resumed', lastTransitionTime: '2026-01-01T12:00:00Z' }],
    ],
    [
      'complete, at the time the JobSet gives',
      trainJob(),
      jobSet({ status: { conditions: [condition('Completed', 'True', 'AllJobsCompleted', '2026-01-01T11:30:00Z')] } }),
      [{ type: 'Complete', status: 'True', reason: 'AllJobsCompleted', lastTransitionTime: '2026-01-01T11:30:00Z' }],
    ],
    [
      'failed, with the reason the JobSet gives',
      trainJob(),
      jobSet({ status: { conditions: [condition('Failed', 'True', 'FailedJobs')] } }),
      [{ type: 'Failed', status: 'True', reason: 'FailedJobs' }],
    ],
    [
      'a kind of runtime that nobody knows',
      trainJob({ spec: { runtimeRef: { name: 'x', kind: 'Elsewhere' } } }),
      undefined,
      [{ type: 'Failed', reason: 'TrainingRuntimeNotSupported' }],
    ],
  ])('%s', (_, job, set, expected) => {
    const { status } = decide({ trainJob: job, jobSet: set, now: NOW })
    expect(status?.conditions).toHaveLength(expected.length)
    expect(status?.conditions).toMatchObject(expected)
  })

  it('never suspended says nothing', () => {
    expect(decide({ trainJob: trainJob(), jobSet: jobSet(), now: NOW }).status).toBeUndefined()
  })

  it('keeps what others wrote', () => {
    const trainerStatus = { progressPercentage: 10 }
    const job = trainJob({ spec: { suspend: true }, status: { trainerStatus } })
    expect(decide({ trainJob: job, jobSet: undefined, now: NOW }).status).toMatchObject({ trainerStatus })
  })
})

describe('jobsStatus', () => {
  it('mirrors the JobSet, back to nothing active too', () => {
    const running = jobSet({ status: { replicatedJobsStatus: [counts] } })
    expect(decide({ trainJob: trainJob(), jobSet: running, now: NOW }).status?.jobsStatus).toEqual([counts])
    const stopped = jobSet({
      suspend: true,
      status: { replicatedJobsStatus: [{ ...counts, ready: 0, active: 0, suspended: 1 }] },
    })
    const job = trainJob({
      spec: { suspend: true },
      status: { conditions: [condition('Suspended', 'True', 'Suspended')], jobsStatus: [counts] },
    })
    expect(decide({ trainJob: job, jobSet: stopped, now: NOW }).status?.jobsStatus).toEqual([
      { ...counts, ready: 0, active: 0, suspended: 1 },
    ])
  })

  it('is not written again for a new order', () => {
    const other = { ...counts, name: 'launcher' }
    const job = trainJob({ status: { jobsStatus: [counts, other] } })
    const set = jobSet({ status: { replicatedJobsStatus: [other, counts] } })
    expect(decide({ trainJob: job, jobSet: set, now: NOW }).status).toBe(job.status)
  })
})

describe('deadline', () => {
  const hour = { activeDeadlineSeconds: 3600 }

  it('looks again when it is due', () => {
    const job = trainJob({ spec: { activeDeadlineSeconds: 3610 } })
    expect(decide({ trainJob: job, jobSet: jobSet(), now: NOW })).toMatchObject({
      requeueAfterMs: 10_000,
      deleteJobSet: false,
    })
  })

  it('fails the job and deletes its JobSet', () => {
    const decision = decide({ trainJob: trainJob({ spec: hour }), jobSet: jobSet(), now: NOW })
    expect(decision).toMatchObject({ build: false, deleteJobSet: true })
    expect(decision.requeueAfterMs).toBeUndefined()
    expect(decision.status?.conditions).toMatchObject([{ type: 'Failed', status: 'True', reason: 'DeadlineExceeded' }])
  })

  it('asks for the deletion until the JobSet goes', () => {
    const job = trainJob({ spec: hour, status: { conditions: [condition('Failed', 'True', 'DeadlineExceeded')] } })
    expect(decide({ trainJob: job, jobSet: jobSet(), now: NOW }).deleteJobSet).toBe(true)
    expect(decide({ trainJob: job, jobSet: jobSet({ deleting: true }), now: NOW }).deleteJobSet).toBe(false)
    expect(decide({ trainJob: job, jobSet: jobSet({ owner: 'other' }), now: NOW }).deleteJobSet).toBe(false)
  })

  it('does not run while the job is suspended, and starts anew when it is resumed', () => {
    const suspended = trainJob({ spec: { ...hour, suspend: true } })
    expect(decide({ trainJob: suspended, jobSet: undefined, now: NOW }).requeueAfterMs).toBeUndefined()
    const resumed = trainJob({ spec: hour, status: { conditions: [condition('Suspended')] } })
    expect(decide({ trainJob: resumed, jobSet: jobSet({ suspend: true }), now: NOW }).requeueAfterMs).toBe(3_600_000)
  })

  it('comes too late for a job that is complete', () => {
    const done = jobSet({ status: { conditions: [condition('Completed')] } })
    const decision = decide({ trainJob: trainJob({ spec: hour }), jobSet: done, now: NOW })
    expect(decision.deleteJobSet).toBe(false)
    expect(decision.status?.conditions).toMatchObject([{ type: 'Complete' }])
  })
})

describe('any situation', () => {
  const anyCondition = fc.record({
    type: fc.constantFrom('Suspended', 'Complete', 'Failed'),
    status: fc.constantFrom<'True' | 'False'>('True', 'False'),
    reason: fc.constantFrom('FailedJobs', 'DeadlineExceeded', 'Resumed'),
    message: fc.constant(''),
    lastTransitionTime: fc.constant(T0),
  })
  const situation = fc.record({
    suspend: fc.boolean(),
    deadline: fc.option(fc.integer({ min: 1, max: 7200 }), { nil: undefined }),
    conditions: fc.uniqueArray(anyCondition, { selector: (one) => one.type }),
    set: fc.option(
      fc.record({
        suspend: fc.boolean(),
        owner: fc.constantFrom('job', 'other'),
        deleting: fc.boolean(),
        end: fc.constantFrom('Completed', 'Failed', undefined),
      }),
      { nil: undefined },
    ),
  })

  it('settles: carrying the status out leaves nothing more to write, and no finished job is ever built', () => {
    fc.assert(
      fc.property(situation, ({ suspend, deadline, conditions, set }) => {
        const job = trainJob({
          spec: { suspend, ...(deadline !== undefined && { activeDeadlineSeconds: deadline }) },
          status: { conditions },
        })
        const jobset =
          set === undefined
            ? undefined
            : jobSet({ ...set, status: { conditions: set.end === undefined ? [] : [condition(set.end)] } })
        const first = decide({ trainJob: job, jobSet: jobset, now: NOW })
        const after = { ...job, ...(first.status !== undefined && { status: first.status }) }
        const second = decide({ trainJob: after, jobSet: jobset, now: NOW })
        expect(second.status).toBe(after.status)
        expect(second.build).toBe(first.build)
        const finished = (status: TrainJob['status']) =>
          status?.conditions?.some((one) => one.type !== 'Suspended' && one.status === 'True') ?? false
        if (finished(first.status)) expect(first.build).toBe(false)
        // what has ended stays ended
        if (finished(job.status)) expect(first.status?.conditions).toEqual(job.status?.conditions)
      }),
    )
  })
})
