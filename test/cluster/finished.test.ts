import { ClusterTrainingRuntimes, JobSets, TrainJobs } from '@trainjob/api'
import { isNotFound } from '@trainjob/kube'
import { expect, it } from 'vitest'
import { describeCluster } from './describe-cluster.ts'
import { eventually } from './eventually.ts'
import { runtime, trainJob } from './train-job.ts'

describeCluster('a finished job', (cluster) => {
  it.each([
    ['complete', 'exit 0'],
    ['failed', 'exit 1'],
  ] as const)('that is %s stays so when its JobSet is removed by time to live', async (kind, script) => {
    const name = `ttl-${kind}`
    await cluster.client.create(
      ClusterTrainingRuntimes,
      runtime(name, { backoffLimit: 0, jobSet: { ttlSecondsAfterFinished: 0 } }),
    )
    const run = await cluster.trainer.submit(trainJob(name, { runtime: name, script }))
    expect((await run.wait()).kind).toBe(kind)
    const key = { namespace: 'default', name }
    await eventually(() => cluster.client.get(JobSets, key).then(() => false, isNotFound))
    // whatever makes the controller look again must not bring it back
    for (const note of ['one', 'two', 'three']) {
      await cluster.client.patch(TrainJobs, key, { type: 'merge', body: { metadata: { annotations: { note } } } })
    }
    const probe = await cluster.trainer.submit(trainJob(`${name}-probe`, { script: 'echo' }))
    await probe.wait()
    await expect(cluster.client.get(JobSets, key)).rejects.toSatisfy(isNotFound)
    const now = await run.refresh()
    expect(now.status?.conditions?.at(-1)).toMatchObject({
      type: kind === 'complete' ? 'Complete' : 'Failed',
      status: 'True',
    })
  })
})
