import {
  ClusterTrainingRuntimes,
  type Condition,
  ConfigMaps,
  Events,
  type JobSet,
  JobSets,
  Secrets,
  TrainingRuntimes,
  TrainJobs,
} from '@trainjob/api'
import { describe, expect, it } from 'vitest'
import { type ControllerHarness, controllerHarness } from './controller-harness.ts'
import { runtime, trainJob } from './train-job.ts'

const key = { namespace: 'default', name: 'a' }

function ended(type: 'Completed' | 'Failed'): JobSet['status'] {
  const lastTransitionTime = '2026-01-01T00:00:00Z'
  const condition: Condition = { type, status: 'True', reason: 'Test', message: 'by the test', lastTransitionTime }
  return { conditions: [condition] }
}

async function submit(harness: ControllerHarness, form: Partial<Parameters<typeof trainJob>[1]> = {}): Promise<void> {
  await harness.client.create(ClusterTrainingRuntimes, runtime('plain', {})).catch(() => {})
  await harness.client.create(TrainJobs, { ...trainJob('a', { script: 'echo', ...form }), metadata: key })
  await harness.settle()
}

async function warnings(harness: ControllerHarness): Promise<readonly string[]> {
  const { items } = await harness.client.list(Events, { namespace: 'default' })
  return items.map((event) => `${event.reason}: ${event.message}`)
}

describe('the TrainJob controller', () => {
  it('builds the JobSet and the snapshot of the runtime, both owned by the job', async () => {
    const harness = await controllerHarness()
    await submit(harness, { nodes: 3 })
    const { uid } = (await harness.trainJob('a')).metadata
    const owner = { kind: 'TrainJob', name: 'a', uid, controller: true, blockOwnerDeletion: true }
    const jobSet = await harness.jobSet('a')
    expect(jobSet?.metadata.ownerReferences).toMatchObject([owner])
    expect(jobSet?.spec.replicatedJobs?.[0]?.template.spec?.completions).toBe(3)
    const snapshot = await harness.client.get(ConfigMaps, { namespace: 'default', name: 'a-runtime-snapshot' })
    expect(snapshot.metadata.ownerReferences).toMatchObject([owner])
    expect(await warnings(harness)).toEqual([])
  })

  it('asks for nothing but the status once the JobSet runs', async () => {
    const harness = await controllerHarness()
    await submit(harness)
    const before = harness.requests.length
    const counts = { name: 'node', ready: 1, succeeded: 0, failed: 0, active: 1, suspended: 0 }
    await harness.report('a', { replicatedJobsStatus: [counts] })
    expect((await harness.trainJob('a')).status?.jobsStatus).toEqual([counts])
    const { resourceVersion } = (await harness.trainJob('a')).metadata
    await harness.report('a', { restarts: 1 })
    expect((await harness.trainJob('a')).metadata.resourceVersion).toBe(resourceVersion)
    expect(harness.requests.slice(before)).toEqual([
      'PATCH /apis/trainer.kubeflow.org/v1alpha1/namespaces/default/trainjobs/a/status',
    ])
  })

  it('puts back what somebody deletes or changes while the job runs, and leaves the JobSet alone', async () => {
    const harness = await controllerHarness()
    const plain = runtime('mpi', {})
    const mpi = { ...plain, spec: { ...plain.spec, mlPolicy: { numNodes: 1, mpi: {} } } }
    await harness.client.create(ClusterTrainingRuntimes, mpi)
    await submit(harness, { runtime: 'mpi', nodes: 2 })
    const hostfile = { namespace: 'default', name: 'a-mpi-hostfile' }
    const keys = { namespace: 'default', name: 'a-mpi-ssh-auth' }
    const { data } = await harness.client.get(ConfigMaps, hostfile)
    const jobSet = await harness.jobSet('a')

    await harness.client.patch(ConfigMaps, hostfile, { type: 'merge', body: { data: { hostfile: 'nowhere' } } })
    await harness.settle()
    expect((await harness.client.get(ConfigMaps, hostfile)).data).toEqual(data)

    harness.fail(1, 500, ({ method, path }) => method === 'PATCH' && path.endsWith(keys.name))
    await harness.client.delete(Secrets, keys)
    await harness.settle()
    await harness.clock.advance(1000)
    await harness.settle()
    expect((await harness.client.get(Secrets, keys)).metadata.name).toBe(keys.name)
    expect(await harness.jobSet('a')).toEqual(jobSet)

    const before = harness.requests.length
    await harness.clock.advance(60_000)
    await harness.settle()
    expect(harness.requests.slice(before)).toEqual([])
  })

  it('deletes the JobSet of a job past its deadline, however often that fails', async () => {
    const harness = await controllerHarness()
    await submit(harness, { spec: { activeDeadlineSeconds: 60 } })
    harness.fail(3, 500, ({ method }) => method === 'DELETE')
    await harness.clock.advance(60_000)
    await harness.settle()
    expect((await harness.trainJob('a')).status?.conditions).toMatchObject([
      { type: 'Failed', reason: 'DeadlineExceeded' },
    ])
    await harness.clock.advance(1000)
    await harness.settle()
    expect(await harness.jobSet('a')).toBeUndefined()
    expect(harness.requests.filter((one) => one.startsWith('DELETE'))).toHaveLength(4)
    await harness.clock.advance(3_600_000)
    expect(await harness.jobSet('a')).toBeUndefined()
  })

  it('does not delete the JobSet before it is written down that the job has failed', async () => {
    const harness = await controllerHarness()
    await submit(harness, { spec: { activeDeadlineSeconds: 60 } })
    harness.fail(2, 500, ({ method, path }) => method === 'PATCH' && path.endsWith('/status'))
    await harness.clock.advance(60_000)
    await harness.clock.advance(1000)
    await harness.settle()
    expect((await harness.trainJob('a')).status?.conditions).toMatchObject([
      { type: 'Failed', reason: 'DeadlineExceeded' },
    ])
    expect(await harness.jobSet('a')).toBeUndefined()
  })

  it.each([
    ['Completed', 'Complete'],
    ['Failed', 'Failed'],
  ] as const)('does not build a %s JobSet again that went while the status could not be written', async (end, type) => {
    const harness = await controllerHarness()
    await submit(harness)
    harness.fail(3, 503, ({ method, path }) => method === 'PATCH' && path.endsWith('/status'))
    await harness.report('a', ended(end))
    await harness.client.delete(JobSets, key)
    await harness.settle()
    await harness.clock.advance(60_000)
    await harness.settle()
    expect(await harness.jobSet('a')).toBeUndefined()
    expect((await harness.trainJob('a')).status?.conditions).toMatchObject([{ type, status: 'True' }])
  })

  it('builds a failed job again only when told to do as upstream 2.3.0 does', async () => {
    for (const compat of ['upstream', undefined] as const) {
      const harness = await controllerHarness(compat === undefined ? {} : { compat })
      await submit(harness)
      await harness.report('a', ended('Failed'))
      await harness.client.delete(JobSets, key)
      await harness.settle()
      expect((await harness.jobSet('a')) !== undefined).toBe(compat === 'upstream')
    }
  })

  it('says in an event why nothing comes of a job, and tries again', async () => {
    const harness = await controllerHarness()
    const refusal = 'exceeded quota '.repeat(100)
    harness.fail(3, 403, ({ method, path }) => method === 'PATCH' && path.endsWith('/jobsets/a'), refusal)
    await submit(harness)
    expect(await harness.jobSet('a')).toBeUndefined()
    const [event = ''] = await warnings(harness)
    expect(event).toMatch(/^TrainJobResourcesCreationFailed: TrainJob resources reconciliation failed: exceeded quota/)
    expect(event.length).toBeLessThan(1024 + 'TrainJobResourcesCreationFailed: '.length)
    await harness.clock.advance(1000)
    await harness.settle()
    expect(await harness.jobSet('a')).toBeDefined()
  })

  it('waits for a runtime that went after the job was admitted', async () => {
    const harness = await controllerHarness()
    harness.fail(1000, 404, ({ path }) => path.endsWith('/clustertrainingruntimes/plain'))
    await submit(harness)
    expect((await warnings(harness)).join()).toMatch(/ClusterTrainingRuntime "plain".* does not exist/)
    expect(await harness.jobSet('a')).toBeUndefined()
  })

  it('builds a job of the document as soon as its runtime is there', async () => {
    const harness = await controllerHarness()
    const { spec, ...job } = trainJob('a', { script: 'echo' })
    const trainer = { ...spec.trainer, resources: { limits: { cpu: 1 } } }
    const written = { ...job, metadata: key, spec: { runtimeRef: { name: 'own' }, trainer } }
    await harness.client.create(TrainJobs, written)
    await harness.settle()
    expect((await harness.trainJob('a')).status?.conditions).toMatchObject([
      { type: 'Accepted', status: 'False', reason: 'RuntimeNotFound' },
    ])
    const own = runtime('own', {})
    const metadata = { name: 'own', namespace: 'default' }
    await harness.client.create(TrainingRuntimes, { ...own, kind: 'TrainingRuntime', metadata })
    await harness.settle()
    expect(await harness.jobSet('a')).toBeDefined()
    expect((await harness.trainJob('a')).status?.conditions).toMatchObject([{ type: 'Accepted', status: 'True' }])
  })

  it("leaves another's JobSet of the same name alone, and builds its own when that is gone", async () => {
    const harness = await controllerHarness()
    const foreign: JobSet = {
      apiVersion: 'jobset.x-k8s.io/v1alpha2',
      kind: 'JobSet',
      metadata: key,
      spec: { suspend: true },
    }
    const { uid } = (await harness.client.create(JobSets, foreign)).metadata
    await submit(harness)
    expect((await harness.jobSet('a'))?.metadata.ownerReferences).toBeUndefined()
    expect((await warnings(harness)).join()).toMatch(/belongs to nobody, not to this TrainJob/)
    await harness.report('a', ended('Completed'))
    expect((await harness.trainJob('a')).status).toBeUndefined()
    await harness.client.delete(JobSets, key)
    await harness.settle()
    const own = await harness.jobSet('a')
    expect(own?.metadata.uid).not.toBe(uid)
    expect(own?.metadata.ownerReferences).toHaveLength(1)
  })

  it('does not touch a job that MultiKueue manages', async () => {
    const harness = await controllerHarness()
    const before = harness.requests.length
    await submit(harness, { spec: { managedBy: 'kueue.x-k8s.io/multikueue', suspend: true } })
    expect(await harness.jobSet('a')).toBeUndefined()
    expect((await harness.trainJob('a')).status).toBeUndefined()
    expect(harness.requests.length).toBe(before)
  })

  it('suspends a JobSet that refuses everything else', async () => {
    const harness = await controllerHarness()
    await submit(harness)
    harness.fail(1, 422, ({ method, path, body }) => method === 'PATCH' && path.endsWith('/jobsets/a') && isApply(body))
    await harness.client.patch(TrainJobs, key, { type: 'merge', body: { spec: { suspend: true } } })
    await harness.settle()
    expect((await harness.jobSet('a'))?.spec.suspend).toBe(true)
  })

  it('leaves a JobSet that refuses to be changed to its author when told to do as upstream', async () => {
    const harness = await controllerHarness({ compat: 'upstream' })
    await submit(harness, { spec: { suspend: true } })
    const { uid } = (await harness.jobSet('a'))?.metadata ?? {}
    harness.fail(1000, 422, ({ method, path }) => method === 'PATCH' && path.endsWith('/jobsets/a'))
    await harness.client.patch(TrainJobs, key, { type: 'merge', body: { spec: { suspend: false } } })
    await harness.settle()
    expect(await harness.jobSet('a')).toMatchObject({ metadata: { uid }, spec: { suspend: true } })
    expect((await warnings(harness)).join()).toContain('TrainJobResourcesCreationFailed')
  })

  it('builds a suspended JobSet anew when it refuses to be changed, once its pods have ended', async () => {
    const harness = await controllerHarness()
    await submit(harness, { spec: { suspend: true } })
    const { uid } = (await harness.jobSet('a'))?.metadata ?? {}
    const active = { name: 'node', ready: 0, succeeded: 0, failed: 0, active: 1, suspended: 0 }
    await harness.report('a', { replicatedJobsStatus: [active] })
    const deleted = () => harness.requests.some((one) => one.startsWith('DELETE'))
    harness.fail(100, 422, ({ method, path }) => method === 'PATCH' && path.endsWith('/jobsets/a') && !deleted())
    await harness.client.patch(TrainJobs, key, { type: 'merge', body: { spec: { suspend: false } } })
    await harness.settle()
    expect((await harness.jobSet('a'))?.metadata.uid).toBe(uid)
    await harness.report('a', { replicatedJobsStatus: [{ ...active, active: 0 }] })
    // the garbage collector, which is not here, would now take the JobSet's dependants and then its finalizer
    await harness.client
      .patch(JobSets, key, { type: 'merge', body: { metadata: { finalizers: null } } })
      .catch(() => {})
    await harness.settle()
    const next = await harness.jobSet('a')
    expect(next?.metadata.uid).not.toBe(uid)
    expect(next?.spec.suspend).toBe(false)
  })
})

function isApply(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'kind' in body
}
