import { Events, type JobSet, JobSets, Jobs, Pods, Services } from '@trainjob/api'
import { afterEach, describe, expect, it } from 'vitest'
import { type Engines, type EnginesOptions, startEngines } from './engines.suite.ts'
import { isEnded } from './job/pod-state.ts'
import { RESTART_ATTEMPT } from './jobset/labels.ts'
import { clone } from './object/clone.ts'

let engines: Engines

async function start(options: EnginesOptions = {}): Promise<Engines> {
  engines = await startEngines(options)
  return engines
}

afterEach(() => engines.stop())

function jobSet(name: string, spec: Partial<JobSet['spec']> = {}, pods = 2, job: object = {}): JobSet {
  return {
    apiVersion: 'jobset.x-k8s.io/v1alpha2',
    kind: 'JobSet',
    metadata: { name, namespace: 'default' },
    spec: {
      replicatedJobs: [
        {
          name: 'node',
          template: {
            spec: {
              completions: pods,
              parallelism: pods,
              template: { spec: { restartPolicy: 'Never', containers: [{ name: 'node', image: 'i' }] } },
              ...job,
            },
          },
        },
      ],
      ...spec,
    },
  }
}

function finished(name: string): Promise<JobSet> {
  return engines.until(async () => {
    const found = await engines.find(JobSets, name)
    return found?.status?.terminalState !== undefined && found
  })
}

function pods(count: number) {
  return engines.until(async () => {
    const all = (await engines.list(Pods)).filter(
      (pod) => !isEnded(pod) && pod.metadata.deletionTimestamp === undefined,
    )
    const running = all.filter((pod) => pod.status?.phase === 'Running')
    return all.length === count && running.length === count && running
  })
}

async function reasons(kind: string): Promise<string[]> {
  const events = (await engines.list(Events)).filter((event) => event.involvedObject.kind === kind)
  return events.map(({ reason }) => reason ?? '')
}

describe('a JobSet', () => {
  it('makes a Service, a Job and its pods, and completes with them', async () => {
    await start({ behaviour: () => 0 })
    await engines.client.create(JobSets, jobSet('mnist', {}, 4))
    const done = await finished('mnist')
    expect(done.status).toMatchObject({
      terminalState: 'Completed',
      restarts: 0,
      replicatedJobsStatus: [{ name: 'node', ready: 0, succeeded: 1, failed: 0, active: 0, suspended: 0 }],
    })
    expect((await engines.find(Services, 'mnist'))?.spec).toMatchObject({
      clusterIP: 'None',
      publishNotReadyAddresses: true,
      selector: { 'jobset.sigs.k8s.io/jobset-name': 'mnist' },
    })
    const job = await engines.find(Jobs, 'mnist-node-0')
    expect(job?.status).toMatchObject({ succeeded: 4, completedIndexes: '0-3' })
    const all = await engines.list(Pods)
    expect(all.map(({ spec }) => spec.hostname).sort()).toEqual([0, 1, 2, 3].map((index) => `mnist-node-0-${index}`))
    expect(
      all.every(
        ({ metadata, spec }) =>
          (metadata.finalizers ?? []).length === 0 && spec.nodeName === 'local' && spec.subdomain === 'mnist',
      ),
    ).toBe(true)
    await engines.until(async () => (await reasons('JobSet')).includes('AllJobsCompleted'))
    expect(await reasons('Job')).toEqual(expect.arrayContaining(['SuccessfulCreate', 'Completed']))
    expect(await reasons('Pod')).toContain('Scheduled')
  })

  it('fails with the first Job that fails, and leaves no pod running', async () => {
    await start({ behaviour: (pod) => (pod.spec.hostname?.endsWith('-1') ? 3 : undefined) })
    await engines.client.create(JobSets, jobSet('bad', {}, 3, { backoffLimit: 0 }))
    const done = await finished('bad')
    expect(done.status?.conditions).toMatchObject([
      {
        type: 'Failed',
        status: 'True',
        reason: 'FailedJobs',
        message: 'jobset failed due to one or more job failures (first failed job: bad-node-0)',
      },
    ])
    expect((await engines.list(Pods)).filter((pod) => !isEnded(pod))).toEqual([])
    const job = await engines.find(Jobs, 'bad-node-0')
    expect(job?.status?.conditions?.map(({ type, reason }) => `${type}/${reason}`)).toEqual([
      'FailureTarget/BackoffLimitExceeded',
      'Failed/BackoffLimitExceeded',
    ])
    expect(job?.status?.failed).toBe(3)
  })

  it('restarts as often as it may, each time with new Jobs', async () => {
    let attempts = 0
    await start({ behaviour: () => (attempts++ < 2 ? 1 : 0) })
    await engines.client.create(JobSets, jobSet('again', { failurePolicy: { maxRestarts: 2 } }, 1, { backoffLimit: 0 }))
    const done = await finished('again')
    expect(done.status).toMatchObject({ terminalState: 'Completed', restarts: 2, restartsCountTowardsMax: 2 })
    const jobs = await engines.list(Jobs)
    expect(jobs.map(({ metadata }) => metadata.labels?.[RESTART_ATTEMPT])).toEqual(['2'])
    expect(await engines.list(Pods)).toHaveLength(1)
  })

  it('gives up when it has restarted too often', async () => {
    await start({ behaviour: () => 1 })
    await engines.client.create(JobSets, jobSet('never', { failurePolicy: { maxRestarts: 1 } }, 1, { backoffLimit: 0 }))
    const done = await finished('never')
    expect(done.status).toMatchObject({ terminalState: 'Failed', restarts: 1 })
    expect(done.status?.conditions?.find(({ type }) => type === 'Failed')?.reason).toBe('ReachedMaxRestarts')
  })

  it('lets its pods go when it is suspended, and starts them with the changed template when it is resumed', async () => {
    await start()
    await engines.client.create(JobSets, jobSet('pause'))
    const before = await pods(2)
    const patch = (body: object) =>
      engines.client.patch(JobSets, { namespace: 'default', name: 'pause' }, { type: 'merge', body })
    await patch({ spec: { suspend: true } })
    await engines.until(async () => (await engines.list(Pods)).length === 0)
    await engines.until(async () => {
      const job = await engines.find(Jobs, 'pause-node-0')
      return (
        (await engines.find(JobSets, 'pause'))?.status?.conditions?.[0]?.status === 'True' &&
        job?.status?.terminating === 0
      )
    })
    const current = (await engines.find(JobSets, 'pause')) as JobSet
    const spec = clone(current.spec)
    const template = spec.replicatedJobs?.[0]?.template.spec?.template
    if (template !== undefined) template.metadata = { labels: { queue: 'b' } }
    await engines.client.update(JobSets, { ...current, spec: { ...spec, suspend: false } })
    const after = await pods(2)
    expect(after.map(({ metadata }) => metadata.labels?.queue)).toEqual(['b', 'b'])
    expect(after.map(({ metadata }) => metadata.uid)).not.toEqual(expect.arrayContaining([before[0]?.metadata.uid]))
    const job = await engines.find(Jobs, 'pause-node-0')
    expect(job?.status?.failed).toBeUndefined()
    await engines.until(async () => (await engines.find(JobSets, 'pause'))?.status?.conditions?.[0]?.status === 'False')
  })

  it('that is created suspended has a suspended Job and no pod', async () => {
    await start()
    await engines.client.create(JobSets, jobSet('later', { suspend: true }))
    const job = await engines.until(() => engines.find(Jobs, 'later-node-0'))
    expect(job.spec.suspend).toBe(true)
    await engines.until(
      async () => (await engines.find(JobSets, 'later'))?.status?.replicatedJobsStatus?.[0]?.suspended === 1,
    )
    expect(await engines.list(Pods)).toEqual([])
  })

  it('starts a replicated job when the one it depends on has completed', async () => {
    await start({ behaviour: (pod) => (pod.spec.hostname?.includes('-init-') ? undefined : 0) })
    const { replicatedJobs = [] } = jobSet('x', {}, 1).spec
    const [node] = replicatedJobs
    if (node === undefined) throw new Error('a replicated job')
    const init = { ...node, name: 'init' }
    const dependent = { ...node, dependsOn: [{ name: 'init', status: 'Complete' as const }] }
    await engines.client.create(JobSets, jobSet('chain', { replicatedJobs: [init, dependent] }))
    const [pod] = await pods(1)
    expect(await engines.find(Jobs, 'chain-node-0')).toBeUndefined()
    if (pod !== undefined) await engines.end(pod, 0)
    expect((await finished('chain')).status?.terminalState).toBe('Completed')
  })

  it.each(['Background', 'Foreground'] as const)(
    'takes everything with it when it is deleted (%s)',
    async (propagationPolicy) => {
      await start()
      await engines.client.create(JobSets, jobSet('gone'))
      await pods(2)
      await engines.client.delete(JobSets, { namespace: 'default', name: 'gone' }, { propagationPolicy })
      await engines.until(async () => {
        const left = [...(await engines.list(Pods)), ...(await engines.list(Jobs)), ...(await engines.list(Services))]
        return left.length === 0
      })
      expect(await engines.find(JobSets, 'gone')).toBeUndefined()
    },
  )

  it('leaves its Jobs alone when it is deleted without them', async () => {
    await start()
    await engines.client.create(JobSets, jobSet('orphans'))
    await pods(2)
    await engines.client.delete(JobSets, { namespace: 'default', name: 'orphans' }, { propagationPolicy: 'Orphan' })
    await engines.until(async () => (await engines.find(JobSets, 'orphans')) === undefined)
    expect((await engines.find(Jobs, 'orphans-node-0'))?.metadata.ownerReferences).toBeUndefined()
    expect(await engines.list(Pods)).toHaveLength(2)
  })

  it('is deleted some time after it has finished, if it says so', async () => {
    await start({ behaviour: () => 0 })
    await engines.client.create(JobSets, jobSet('short', { ttlSecondsAfterFinished: 60 }))
    await finished('short')
    await engines.clock.advance(59_000)
    expect(await engines.find(JobSets, 'short')).toBeDefined()
    await engines.clock.advance(2000)
    await engines.until(async () => (await engines.list(Pods)).length === 0)
    expect(await engines.find(JobSets, 'short')).toBeUndefined()
  })
})

describe('a Job', () => {
  it('replaces a failed pod after its delay', async () => {
    let attempts = 0
    await start({ behaviour: () => (attempts++ === 0 ? 1 : 0) })
    await engines.client.create(JobSets, jobSet('retry', {}, 1))
    await engines.until(async () => ((await engines.find(Jobs, 'retry-node-0'))?.status?.failed ?? 0) === 1)
    expect(await engines.list(Pods)).toHaveLength(1)
    await engines.clock.advance(10_000)
    expect((await finished('retry')).status?.terminalState).toBe('Completed')
    expect((await engines.find(Jobs, 'retry-node-0'))?.status).toMatchObject({ succeeded: 1, failed: 1 })
  })

  it('fails at its deadline', async () => {
    await start()
    await engines.client.create(JobSets, jobSet('late', {}, 2, { activeDeadlineSeconds: 30 }))
    await pods(2)
    await engines.clock.advance(31_000)
    await finished('late')
    const job = await engines.find(Jobs, 'late-node-0')
    expect(job?.status?.conditions?.at(-1)).toMatchObject({ type: 'Failed', reason: 'DeadlineExceeded' })
    expect((await engines.list(Pods)).filter((pod) => !isEnded(pod))).toEqual([])
  })
})

describe('the scheduler', () => {
  const cpu = (amount: string) => ({
    template: {
      spec: {
        restartPolicy: 'Never',
        containers: [{ name: 'node', image: 'i', resources: { requests: { cpu: amount } } }],
      },
    },
  })

  it('lets pods wait until others have ended, and says why once', async () => {
    await start({ allocatable: { cpu: '2', memory: '4Gi' } })
    await engines.client.create(JobSets, jobSet('first', {}, 1, cpu('1500m')))
    const [running] = await pods(1)
    await engines.client.create(JobSets, jobSet('second', {}, 1, cpu('1')))
    const waiting = await engines.until(async () =>
      (await engines.list(Pods)).find((pod) =>
        pod.status?.conditions?.some(({ reason }) => reason === 'Unschedulable'),
      ),
    )
    const text = '0/1 nodes are available: 1 Insufficient cpu. cpu: requested 1, free 500m of 2.'
    expect(waiting.status?.conditions).toMatchObject([{ type: 'PodScheduled', status: 'False', message: text }])
    if (running !== undefined) await engines.end(running, 0)
    await engines.until(
      async () => (await engines.find(Pods, waiting.metadata.name ?? ''))?.status?.phase === 'Running',
    )
    const events = (await engines.list(Events)).filter(({ reason }) => reason === 'FailedScheduling')
    expect(events).toMatchObject([{ message: text, type: 'Warning' }])
  })

  it('says that a job can never run', async () => {
    await start({ allocatable: { cpu: '2' } })
    await engines.client.create(JobSets, jobSet('wide', {}, 4, cpu('1')))
    const event = await engines.until(async () =>
      (await engines.list(Events)).find(({ reason }) => reason === 'FailedScheduling'),
    )
    expect(event.message).toContain(
      'The 4 pods of Job wide-node-0 can never run at the same time: they request 4 cpu in all, and there is 2.',
    )
  })

  it('holds a pod that has gates, and takes it when they are gone', async () => {
    await start()
    const gated = {
      template: {
        spec: {
          schedulingGates: [{ name: 'wait' }],
          restartPolicy: 'Never',
          containers: [{ name: 'node', image: 'i' }],
        },
      },
    }
    await engines.client.create(JobSets, jobSet('gated', {}, 1, gated))
    const pod = await engines.until(async () =>
      (await engines.list(Pods)).find(({ status }) => status?.conditions?.[0]?.reason === 'SchedulingGated'),
    )
    expect(pod.spec.nodeName).toBeUndefined()
    await engines.client.patch(
      Pods,
      { namespace: 'default', name: pod.metadata.name ?? '' },
      { type: 'merge', body: { spec: { schedulingGates: null } } },
    )
    await pods(1)
  })
})

describe('many jobs at once', () => {
  it('all complete, with an effort that grows with their number only', async () => {
    await start({ behaviour: () => 0, allocatable: { cpu: '20', memory: '1Ti' } })
    const job = {
      template: {
        spec: {
          restartPolicy: 'Never',
          containers: [{ name: 'node', image: 'i', resources: { requests: { cpu: '1' } } }],
        },
      },
    }
    const names = Array.from({ length: 200 }, (_, at) => `short-${at}`)
    for (const name of names) await engines.client.create(JobSets, jobSet(name, {}, 2, job))
    await engines.until(async () => {
      const all = await engines.list(JobSets)
      return all.length === 200 && all.every(({ status }) => status?.terminalState === 'Completed')
    })
    expect(await engines.list(Pods)).toHaveLength(400)
    expect(engines.requests.count / 200).toBeLessThan(40)
  })
})
