import { ClusterTrainingRuntimes, JobSets, Pods } from '@trainjob/api'
import { expect, it } from 'vitest'
import { describeCluster } from './describe-cluster.ts'
import { readAll } from './log-reading.ts'
import { runtime, trainJob } from './train-job.ts'

describeCluster('failurePolicy.maxRestarts', (cluster) => {
  it('starts all nodes anew, those that had not failed too', async () => {
    await cluster.client.create(
      ClusterTrainingRuntimes,
      runtime('whole', { backoffLimit: 0, jobSet: { failurePolicy: { maxRestarts: 2 } } }),
    )
    // the first attempt fails on rank 1 when rank 0 runs; in the second one all succeed
    const script = `
      echo start
      if [ -e "$DIR/second" ]; then exit 0; fi
      if [ "$JOB_COMPLETION_INDEX" = 0 ]; then : > "$DIR/rank0"; exec sleep 1000; fi
      until [ -e "$DIR/rank0" ]; do sleep 0.02; done
      : > "$DIR/second"
      exit 1`
    const run = await cluster.trainer.submit(
      trainJob('whole', { nodes: 2, runtime: 'whole', script, env: { DIR: cluster.dir } }),
    )
    const [lines, outcome] = await Promise.all([readAll(run.logs()), run.wait()])
    expect(outcome.kind).toBe('complete')
    expect(lines.toSorted()).toEqual(['node-0: start', 'node-0: start', 'node-1: start', 'node-1: start'])
    const jobSet = await cluster.client.get(JobSets, { namespace: 'default', name: 'whole' })
    expect(jobSet.status?.restarts).toBe(1)
    const { items } = await cluster.client.list(Pods, {
      namespace: 'default',
      labelSelector: 'jobset.sigs.k8s.io/jobset-name=whole',
    })
    expect(items.map((pod) => pod.metadata.labels?.['jobset.sigs.k8s.io/restart-attempt'])).toEqual(['1', '1'])
  })

  it('fails the job when they are used up', async () => {
    await cluster.client.create(
      ClusterTrainingRuntimes,
      runtime('few', { backoffLimit: 0, jobSet: { failurePolicy: { maxRestarts: 1 } } }),
    )
    const run = await cluster.trainer.submit(trainJob('few', { runtime: 'few', script: 'echo broken; exit 5' }))
    const outcome = await run.wait()
    expect(outcome).toMatchObject({
      kind: 'failed',
      reason: 'ReachedMaxRestarts',
      firstFailure: { node: 'node-0', exitCode: 5, lastLines: ['broken'] },
    })
    const jobSet = await cluster.client.get(JobSets, { namespace: 'default', name: 'few' })
    expect(jobSet.status?.restarts).toBe(1)
  })
})
