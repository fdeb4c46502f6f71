import { ClusterTrainingRuntimes, TrainingRuntimes, TrainJobs } from '@trainjob/api'
import { expect, it } from 'vitest'
import { describeCluster } from './describe-cluster.ts'
import { eventually } from './eventually.ts'
import { readAll } from './log-reading.ts'
import { runtime, trainJob } from './train-job.ts'

describeCluster('runtimes', (cluster) => {
  it('that do not exist are named with those that do', async () => {
    const refused = cluster.trainer.submit(trainJob('lost', { runtime: 'torch-distribted', script: 'echo' }))
    await expect(refused).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringMatching(/torch-distribted.*did you mean "torch-distributed".*plain, .*torch-distributed/),
    })
    expect((await cluster.client.list(TrainJobs)).items).toEqual([])
  })

  it('of the namespace serve where the cluster has none of that name', async () => {
    const { metadata, spec } = runtime('own', {})
    await cluster.client.create(TrainingRuntimes, {
      apiVersion: 'trainer.kubeflow.org/v1alpha1',
      kind: 'TrainingRuntime',
      metadata: { ...metadata, namespace: 'default' },
      spec,
    })
    const run = await cluster.trainer.submit(trainJob('own', { runtime: 'own', script: 'echo' }))
    expect(run.trainJob.spec.runtimeRef).toMatchObject({ kind: 'TrainingRuntime' })
    expect((await run.wait()).kind).toBe('complete')
  })

  it('can be edited and deleted without touching the jobs that use them', async () => {
    const pod = (text: string) => ({
      containers: [{ name: 'node', image: 'busybox', env: [{ name: 'TEXT', value: text }] }],
    })
    await cluster.client.create(ClusterTrainingRuntimes, runtime('edited', { pod: pod('before') }))
    const job = trainJob('edited', { runtime: 'edited', script: 'echo "$TEXT"', spec: { suspend: true } })
    const run = await cluster.trainer.submit(job)
    await eventually(async () => (await run.refresh()).status?.conditions?.some((one) => one.type === 'Suspended'))
    const body = runtime('edited', { pod: pod('after') })
    await cluster.client.patch(ClusterTrainingRuntimes, { name: 'edited' }, { type: 'merge', body })
    await cluster.client.delete(ClusterTrainingRuntimes, { name: 'edited' })
    await run.resume()
    expect(await readAll(run.logs())).toEqual(['node-0: before'])
    expect((await run.wait()).kind).toBe('complete')
  })

  it('refuse a job template without the trainer container', async () => {
    const containers = ['main', 'metrics'].map((name) => ({ name, image: 'busybox' }))
    const broken = runtime('broken', { pod: { containers } })
    await expect(cluster.client.create(ClusterTrainingRuntimes, broken)).rejects.toThrow(/container named node/)
  })
})
