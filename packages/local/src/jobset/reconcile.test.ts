import type { JobSet, JobSetSpec } from '@trainjob/api'
import { describe, expect, it } from 'vitest'
import { timestamp } from '../job/timestamp.ts'
import {
  childJob,
  conditionTexts,
  NOW,
  names,
  pass,
  replicated,
  type SampleJob,
  sampleJobSet,
} from './samples.suite.ts'

const ab = [replicated('a', { replicas: 2 }), replicated('b')]

describe('a JobSet that has just been created', () => {
  it('makes all its Jobs and writes its counters', () => {
    const { create, service, status } = pass(sampleJobSet({ replicatedJobs: ab }))
    expect(names(create)).toEqual(['mnist-a-0', 'mnist-a-1', 'mnist-b-0'])
    expect(service?.metadata.name).toBe('mnist')
    expect(status).toEqual({
      restarts: 0,
      replicatedJobsStatus: [
        { name: 'a', ready: 0, succeeded: 0, failed: 0, active: 0, suspended: 0 },
        { name: 'b', ready: 0, succeeded: 0, failed: 0, active: 0, suspended: 0 },
      ],
    })
  })

  it('of another manager, or on its way out, is left alone', () => {
    expect(pass(sampleJobSet({ managedBy: 'kueue.x-k8s.io/multikueue', ttlSecondsAfterFinished: 0 }))).toMatchObject({
      create: [],
      events: [],
    })
    const going = sampleJobSet()
    going.metadata.deletionTimestamp = timestamp(NOW)
    expect(pass(going).create).toEqual([])
  })

  it('without replicated jobs does nothing', () => {
    expect(pass(sampleJobSet({ replicatedJobs: [] }))).toMatchObject({ create: [], events: [] })
  })
})

describe('counters', () => {
  it.each<[string, SampleJob, object]>([
    ['pending', {}, { ready: 0, active: 0 }],
    ['active', { active: true }, { ready: 0, active: 1 }],
    ['ready', { ready: true }, { ready: 1, active: 1 }],
    ['suspended', { suspend: true }, { suspended: 1, active: 0 }],
    ['complete: no longer ready', { ready: true, end: 'Complete' }, { ready: 0, active: 0, succeeded: 1 }],
    ['of an earlier attempt: not at all', { ready: true, attempt: 0 }, { ready: 0, active: 0 }],
  ])('%s', (_, state, expected) => {
    const jobSet = sampleJobSet({ replicatedJobs: [replicated('a', { replicas: 2 })] }, { restarts: 1 })
    const { status } = pass(jobSet, [childJob(jobSet, 'a', 0, { attempt: 1, ...state })])
    expect(status?.replicatedJobsStatus?.[0]).toMatchObject(expected)
  })

  it('are written only when they change, whatever their order', () => {
    const jobSet = sampleJobSet({ replicatedJobs: ab })
    const jobs = [childJob(jobSet, 'a', 0), childJob(jobSet, 'a', 1), childJob(jobSet, 'b', 0)]
    const { status } = pass(jobSet, jobs)
    const written = { ...status, replicatedJobsStatus: [...(status?.replicatedJobsStatus ?? [])].reverse() }
    expect(pass({ ...jobSet, status: written }, jobs).status).toBeUndefined()
  })
})

describe('success policy', () => {
  const done = (jobSet: JobSet, ...which: [string, number][]) =>
    which.map(([name, index]) => childJob(jobSet, name, index, { end: 'Complete' }))

  it.each<[string, JobSetSpec['successPolicy'], [string, number][], boolean]>([
    [
      'all',
      undefined,
      [
        ['a', 0],
        ['a', 1],
        ['b', 0],
      ],
      true,
    ],
    [
      'all but one',
      undefined,
      [
        ['a', 0],
        ['b', 0],
      ],
      false,
    ],
    ['all targets', { operator: 'All', targetReplicatedJobs: ['b'] }, [['b', 0]], true],
    [
      'not the targets',
      { operator: 'All', targetReplicatedJobs: ['b'] },
      [
        ['a', 0],
        ['a', 1],
      ],
      false,
    ],
    ['any', { operator: 'Any' }, [['a', 1]], true],
    ['any of the targets', { operator: 'Any', targetReplicatedJobs: ['b'] }, [['a', 1]], false],
  ])('%s', (_, successPolicy, which, met) => {
    const jobSet = sampleJobSet({ replicatedJobs: ab, ...(successPolicy !== undefined && { successPolicy }) })
    const { status, events } = pass(jobSet, done(jobSet, ...which))
    expect(status?.terminalState).toBe(met ? 'Completed' : undefined)
    expect(conditionTexts(status)).toEqual(met ? ['Completed=True/AllJobsCompleted'] : [])
    expect(events.map(({ reason }) => reason)).toEqual(met ? ['AllJobsCompleted'] : [])
  })

  it('a failure goes before it', () => {
    const jobSet = sampleJobSet({ replicatedJobs: ab, successPolicy: { operator: 'Any' } })
    const jobs = [...done(jobSet, ['a', 0]), childJob(jobSet, 'b', 0, { end: 'Failed' })]
    expect(pass(jobSet, jobs).status?.terminalState).toBe('Failed')
  })
})

describe('dependsOn', () => {
  const chain = (status: 'Ready' | 'Complete') =>
    sampleJobSet({
      replicatedJobs: [replicated('a', { replicas: 2 }), replicated('b', { dependsOn: [{ name: 'a', status }] })],
    })

  it.each<['Ready' | 'Complete', SampleJob, SampleJob, boolean]>([
    ['Ready', {}, {}, false],
    ['Ready', { ready: true }, {}, false],
    ['Ready', { ready: true }, { ready: true }, true],
    ['Ready', { ready: true }, { end: 'Complete' }, true],
    ['Complete', { ready: true }, { end: 'Complete' }, false],
    ['Complete', { end: 'Complete' }, { end: 'Complete' }, true],
  ])('%s with %j and %j: %s', (status, first, second, met) => {
    const jobSet = chain(status)
    const jobs = [childJob(jobSet, 'a', 0, first), childJob(jobSet, 'a', 1, second)]
    expect(names(pass(jobSet, jobs).create)).toEqual(met ? ['mnist-b-0'] : [])
  })

  it('an empty replicated job is ready and complete', () => {
    const jobSet = sampleJobSet({
      replicatedJobs: [
        replicated('a', { replicas: 0 }),
        replicated('b', { dependsOn: [{ name: 'a', status: 'Complete' }] }),
      ],
    })
    expect(names(pass(jobSet).create)).toEqual(['mnist-b-0'])
  })
})

describe('startup in order', () => {
  const spec: Partial<JobSetSpec> = { replicatedJobs: ab, startupPolicy: { startupPolicyOrder: 'InOrder' } }

  it('creates one replicated job after the other', () => {
    const jobSet = sampleJobSet(spec)
    const first = pass(jobSet)
    expect(names(first.create)).toEqual(['mnist-a-0', 'mnist-a-1'])
    expect(conditionTexts(first.status)).toEqual(['StartupPolicyInProgress=True/InOrderStartupPolicyInProgress'])
    const started = [childJob(jobSet, 'a', 0, { ready: true }), childJob(jobSet, 'a', 1, { ready: true })]
    const second = pass({ ...jobSet, status: first.status ?? {} }, started)
    expect(names(second.create)).toEqual(['mnist-b-0'])
    const third = pass({ ...jobSet, status: second.status ?? {} }, [
      ...started,
      childJob(jobSet, 'b', 0, { ready: true }),
    ])
    expect(conditionTexts(third.status)).toEqual([
      'StartupPolicyInProgress=False/InOrderStartupPolicyInProgress',
      'StartupPolicyCompleted=True/InOrderStartupPolicyCompleted',
    ])
  })

  it('does not hold suspended Jobs back, but resumes them one after the other', () => {
    const suspended = sampleJobSet({ ...spec, suspend: true })
    expect(names(pass(suspended).create)).toHaveLength(3)
    const condition = {
      type: 'Suspended',
      status: 'True' as const,
      reason: 'SuspendedJobs',
      message: 'jobset is suspended',
      lastTransitionTime: 't',
    }
    const jobSet = sampleJobSet(spec, { conditions: [condition] })
    const jobs = [
      childJob(jobSet, 'a', 0, { suspend: true }),
      childJob(jobSet, 'a', 1, { suspend: true }),
      childJob(jobSet, 'b', 0, { suspend: true }),
    ]
    const result = pass(jobSet, jobs)
    expect(names(result.resume.map(({ job }) => job))).toEqual(['mnist-a-0', 'mnist-a-1'])
    expect(conditionTexts(result.status)).toContain('Suspended=True/SuspendedJobs')
    const started = [
      childJob(jobSet, 'a', 0, { ready: true }),
      childJob(jobSet, 'a', 1, { ready: true }),
      childJob(jobSet, 'b', 0, { ready: true }),
    ]
    expect(conditionTexts(pass({ ...jobSet, status: result.status ?? {} }, started).status)).toContain(
      'Suspended=False/ResumeJobs',
    )
  })
})

describe('suspending and resuming', () => {
  it('suspends active Jobs, and says so even without any', () => {
    const jobSet = sampleJobSet({ replicatedJobs: ab, suspend: true })
    const result = pass(jobSet, [
      childJob(jobSet, 'a', 0, { suspend: false }),
      childJob(jobSet, 'b', 0, { suspend: true }),
    ])
    expect(result.suspend.map(({ metadata, spec }) => [metadata.name, spec.suspend])).toEqual([['mnist-a-0', true]])
    expect(conditionTexts(result.status)).toEqual(['Suspended=True/SuspendedJobs'])
    expect(pass(sampleJobSet({ replicatedJobs: [], suspend: true })).status?.conditions).toHaveLength(1)
  })

  it('does not say that it is resumed when it never was suspended', () => {
    const jobSet = sampleJobSet()
    expect(pass(jobSet, [childJob(jobSet, 'node')]).status?.conditions).toBeUndefined()
  })

  it('gives a Job what has changed in the template, and keeps what the Job has besides', () => {
    const template = {
      metadata: { labels: { queue: 'b' }, annotations: { zone: '2' } },
      spec: {
        containers: [{ name: 'node', image: 'new' }],
        nodeSelector: { gpu: 'a100' },
        tolerations: [{ key: 'gpu', operator: 'Exists' }],
        schedulingGates: [{ name: 'one' }],
      },
    }
    const jobSet = sampleJobSet({ replicatedJobs: [replicated('node', {}, { template })] })
    const old = childJob(jobSet, 'node', 0, { suspend: true, startTime: timestamp(NOW) })
    const own = {
      metadata: { labels: { queue: 'a', own: 'x' } },
      spec: {
        containers: [{ name: 'node', image: 'old' }],
        nodeSelector: { cpu: 'fast' },
        tolerations: [
          { key: 'gpu', operator: 'Exists' },
          { key: 'old', operator: 'Exists' },
        ],
      },
    }
    const job = { ...old, spec: { ...old.spec, template: own } }
    const [resume] = pass(jobSet, [job]).resume
    expect(resume?.clearStartTime).toBe(true)
    expect(resume?.resumed.spec.suspend).toBe(false)
    expect(resume?.resumed.spec.template).toEqual({
      metadata: { labels: { queue: 'b', own: 'x' }, annotations: { zone: '2' } },
      spec: {
        containers: [{ name: 'node', image: 'old' }],
        nodeSelector: { cpu: 'fast', gpu: 'a100' },
        tolerations: [
          { key: 'gpu', operator: 'Exists' },
          { key: 'old', operator: 'Exists' },
        ],
        schedulingGates: [{ name: 'one' }],
      },
    })
  })

  it('resumes a dependant only when what it depends on is ready again', () => {
    const jobSet = sampleJobSet({
      replicatedJobs: [replicated('a'), replicated('b', { dependsOn: [{ name: 'a', status: 'Ready' }] })],
    })
    const b = childJob(jobSet, 'b', 0, { suspend: true })
    expect(names(pass(jobSet, [childJob(jobSet, 'a', 0, { suspend: true }), b]).resume.map(({ job }) => job))).toEqual([
      'mnist-a-0',
    ])
    expect(names(pass(jobSet, [childJob(jobSet, 'a', 0, { ready: true }), b]).resume.map(({ job }) => job))).toEqual([
      'mnist-b-0',
    ])
  })

  it('applies the failure policy also while suspended', () => {
    const jobSet = sampleJobSet({ suspend: true })
    expect(pass(jobSet, [childJob(jobSet, 'node', 0, { end: 'Failed' })]).status?.terminalState).toBe('Failed')
  })
})

describe('a finished JobSet', () => {
  const condition = {
    type: 'Completed',
    status: 'True' as const,
    reason: 'AllJobsCompleted',
    message: 'm',
    lastTransitionTime: timestamp(NOW),
  }
  const finished = (ttl?: number) =>
    sampleJobSet(
      { replicatedJobs: ab, ...(ttl !== undefined && { ttlSecondsAfterFinished: ttl }) },
      { conditions: [condition], terminalState: 'Completed' },
    )

  it('deletes the Jobs that are still active and keeps the others', () => {
    const jobSet = finished()
    const jobs = [
      childJob(jobSet, 'a', 0, { end: 'Complete' }),
      childJob(jobSet, 'a', 1, { ready: true }),
      childJob(jobSet, 'b', 0, { deleted: true }),
    ]
    const result = pass(jobSet, jobs)
    expect(names(result.delete)).toEqual(['mnist-a-1'])
    expect(result.create).toEqual([])
  })

  it('goes when its time is over', () => {
    expect(pass(finished(60), [], 30_000)).toMatchObject({ requeueAfterMs: 30_000 })
    expect(pass(finished(60), [], 60_000).deleteJobSet).toBe(true)
    expect(pass(finished(), [], 9e9).deleteJobSet).toBeUndefined()
  })
})
