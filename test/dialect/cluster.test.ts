import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  JobSets,
  JSON_PATCHES_ANNOTATION,
  type KubernetesObject,
  TrainingRuntimes,
  type TrainJob,
  TrainJobs,
} from '@trainjob/api'
import { reportedProgress } from '@trainjob/sdk'
import { expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { describeCluster } from '../cluster/describe-cluster.ts'
import { eventually } from '../cluster/eventually.ts'
import { readAll } from '../cluster/log-reading.ts'

/** The objects of an example as they are written: nothing of ours has read them. */
function written(file: string): KubernetesObject[] {
  const text = readFileSync(join(import.meta.dirname, 'examples', `${file}.yaml`), 'utf8')
  return parseAllDocuments(text).map((document) => document.toJS() as KubernetesObject)
}

function ofKind(kind: string, ...files: string[]): KubernetesObject {
  const found = files.flatMap(written).find((object) => object.kind === kind)
  if (found === undefined) throw new Error(`expected a ${kind}`)
  return found
}

/** A job of the document with a command of a test, and without what this machine lacks. */
function running(name: string, script: string, spec: object = {}): TrainJob {
  const trainer = { numNodes: 2, command: ['sh', '-c', script], resources: { requests: { cpu: '10m' } } }
  const job = {
    apiVersion: 'trainer.kubeflow.org/v1alpha1',
    kind: 'TrainJob',
    metadata: { name },
    spec: { runtimeRef: { name: 'document' }, trainer, ...spec },
  }
  return job as unknown as TrainJob
}

const runtime = {
  apiVersion: 'trainer.kubeflow.org/v1alpha1',
  kind: 'TrainingRuntime',
  metadata: { name: 'document', namespace: 'default' },
  spec: {
    mlPolicy: { torch: {} },
    template: {
      spec: {
        replicatedJobs: [
          {
            name: 'worker',
            replicas: 2,
            template: { spec: { containers: [{ name: 'trainer', image: 'x' }], restartPolicy: 'OnFailure' } },
          },
        ],
        failurePolicy: { maxRetries: 1 },
      },
    },
  },
} as never

describeCluster("the document's form on a server", (cluster) => {
  it('is taken as it is written, and stored in canonical form', async () => {
    const own = ofKind('TrainingRuntime', 'trainingruntime-pytorch-mnist')
    const runtimeStored = await cluster.client.create(TrainingRuntimes, {
      ...own,
      metadata: { ...own.metadata, namespace: 'default' },
    } as never)
    expect(runtimeStored.spec).toMatchObject({
      mlPolicy: { numNodes: 4, torch: {} },
      podGroupPolicy: { coscheduling: {} },
      template: { spec: { replicatedJobs: [{ name: 'node' }], failurePolicy: { maxRestarts: 3 } } },
    })
    const job = ofKind('TrainJob', 'trainjob-pytorch-mnist')
    const stored = await cluster.client.create(TrainJobs, {
      ...job,
      metadata: { ...job.metadata, namespace: 'default' },
    } as never)
    expect(stored.spec).toMatchObject({
      runtimeRef: { name: 'pytorch-mnist-runtime', kind: 'TrainingRuntime' },
      trainer: { resourcesPerNode: { limits: { 'nvidia.com/gpu': 2 } } },
      initializer: { dataset: { storageUri: 's3://bucket/datasets/mnist/', secretRef: { name: 's3-credentials' } } },
      activeDeadlineSeconds: 3600,
      managedBy: 'kueue.x-k8s.io/multikueue',
    })
    expect(stored.spec).not.toHaveProperty('runtimePatches')
    const [entry] = JSON.parse(stored.metadata.annotations?.[JSON_PATCHES_ANNOTATION] ?? '[]')
    expect(entry).toMatchObject({ manager: 'user-overrides', time: expect.stringMatching(/^\d{4}-.*Z$/) })
  })

  it('written a second time changes nothing: same generation, same times', async () => {
    const job = ofKind('TrainJob', 'trainjob-pytorch-mnist')
    const key = { namespace: 'default', name: 'pytorch-mnist' }
    const before = await cluster.client.get(TrainJobs, key)
    const { metadata: _, ...body } = job
    const after = await cluster.client.patch(TrainJobs, key, { type: 'merge', body })
    expect(after).toEqual(before)
  })

  it('that cannot be translated is refused with what to write', async () => {
    const job = running('misplaced', 'true', { podGroupPolicy: { volcano: { minMember: 2 } } })
    await cluster.client.create(TrainingRuntimes, runtime)
    await expect(
      cluster.client.create(TrainJobs, { ...job, metadata: { ...job.metadata, namespace: 'default' } }),
    ).rejects.toMatchObject({
      message: expect.stringMatching(/podGroupPolicy.*kind: TrainingRuntime/s),
    })
    await expect(cluster.trainer.submit(job)).rejects.toMatchObject({
      code: 'invalid',
      causes: [{ path: 'spec.podGroupPolicy' }],
    })
  })

  it('runs, with its environment, and has the conditions of the document ahead of the others', async () => {
    const script = 'echo "$RANK of $WORLD_SIZE: $LOG_LEVEL at $MASTER_ADDR:$MASTER_PORT"'
    const path = '/spec/replicatedJobs/0/template/spec/template/spec/containers/0/env/-'
    const patch = [{ op: 'add', path, value: { name: 'LOG_LEVEL', value: 'debug' } }]
    const run = await cluster.trainer.submit(
      running('ranked', script, { runtimePatches: [{ managerKey: 'me', patch }] }),
    )
    const lines = await readAll(run.logs())
    expect((await run.wait()).kind).toBe('complete')
    expect(lines.toSorted()).toEqual([
      expect.stringMatching(/^node-0: 0 of 2: debug at \S+:\d+$/),
      expect.stringMatching(/^node-1: 1 of 2: debug at \S+:\d+$/),
    ])
    const named = (options: object) => readAll(run.logs({ follow: false, ...options }))
    expect(await named({ node: 'worker-1' })).toEqual(lines.filter((line) => line.startsWith('node-1')))
    expect(await named({ node: 'worker', container: 'trainer' })).toHaveLength(2)
    expect(await named({ container: 'other' })).toEqual([])
    const types = async () => (await run.refresh()).status?.conditions?.map(({ type, status }) => `${type} ${status}`)
    await eventually(async () => (await types())?.includes('Completed True') === true)
    expect(await types()).toEqual(['Accepted True', 'Started True', 'Completed True', 'Complete True'])
  })

  it('shows the progress of the fragment about the status, and keeps it off the wire', async () => {
    const trainerStatus = {
      progressPercentage: 75,
      estimatedRemainingSeconds: 1800,
      metrics: [
        { name: 'loss', value: '0.023' },
        { name: 'accuracy', value: '0.992' },
      ],
      lastUpdatedTime: '2026-06-12T14:00:00Z',
    }
    const run = await cluster.trainer.submit(running('reporting', 'sleep 60'))
    const key = { namespace: 'default', name: 'reporting' }
    const started = async () => (await run.refresh()).status?.conditions?.map(({ type, status }) => [type, status])
    await eventually(async () => (await started())?.length === 2)
    await cluster.client.patch(
      TrainJobs,
      key,
      { type: 'merge', body: { status: { trainerStatus } } },
      { subresource: 'status' },
    )
    const stored = await run.refresh()
    expect(stored.status?.trainerStatus).toEqual(trainerStatus)
    // what the document shows
    expect(reportedProgress(stored)).toEqual({
      progress: 75,
      eta: '2026-06-12T14:30:00Z',
      metrics: { loss: 0.023, accuracy: 0.992 },
    })
    expect(await started()).toEqual([
      ['Accepted', 'True'],
      ['Started', 'True'],
    ])
    await run.delete()
  })

  it('with the fragment about Kueue waits for its queue: stored as it is, and nothing of it runs here', async () => {
    const job = running('queued', 'true', { managedBy: 'kueue.x-k8s.io/multikueue' })
    const labels = { 'kueue.x-k8s.io/queue-name': 'training-queue' }
    const run = await cluster.trainer.submit({ ...job, metadata: { ...job.metadata, labels } })
    const ours = await cluster.trainer.submit(running('not-queued', 'true', { managedBy: 'trainjob-controller' }))
    expect((await ours.wait()).kind).toBe('complete')
    const stored = await run.refresh()
    expect(stored.metadata.labels).toEqual({ 'kueue.x-k8s.io/queue-name': 'training-queue' })
    expect(stored.spec.managedBy).toBe('kueue.x-k8s.io/multikueue')
    expect(stored.status).toBeUndefined()
    const jobSets = await cluster.client.list(JobSets, { namespace: 'default' })
    const names = jobSets.items.map(({ metadata }) => metadata.name)
    expect(names).toContain('not-queued')
    expect(names).not.toContain('queued')
    expect(ours.trainJob.spec.managedBy).toBe('trainer.kubeflow.org/trainjob-controller')
    await run.delete()
  })

  it('of others is not touched: a canonical job has upstream’s conditions only', async () => {
    const { trainer, ...spec } = running('canonical', 'true').spec
    const { resources: _, ...canonical } = trainer as NonNullable<typeof trainer> & { resources?: unknown }
    const run = await cluster.trainer.submit({ ...running('canonical', 'true'), spec: { ...spec, trainer: canonical } })
    await run.wait()
    expect((await run.refresh()).status?.conditions?.map(({ type }) => type)).toEqual(['Complete'])
  })
})
