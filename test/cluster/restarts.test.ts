import { ClusterTrainingRuntimes, JobSets, Jobs, Pods } from '@trainjob/api'
import { expect, it } from 'vitest'
import { describeCluster } from './describe-cluster.ts'
import { readAll } from './log-reading.ts'
import { runtime, trainJob } from './train-job.ts'

describeCluster('a rank that fails', (cluster) => {
  it('is started again in the same pod until it succeeds', async () => {
    const script = `echo try; if [ -e "$DIR/again-$JOB_COMPLETION_INDEX" ]; then echo done; else : > "$DIR/again-$JOB_COMPLETION_INDEX"; exit 3; fi`
    const run = await cluster.trainer.submit(trainJob('again', { nodes: 2, script, env: { DIR: cluster.dir } }))
    const [lines, outcome] = await Promise.all([readAll(run.logs()), run.wait()])
    expect(outcome.kind).toBe('complete')
    expect(lines.toSorted()).toEqual([
      'node-0: done',
      'node-0: try',
      'node-0: try',
      'node-1: done',
      'node-1: try',
      'node-1: try',
    ])
    const { items } = await cluster.client.list(Pods, {
      namespace: 'default',
      labelSelector: 'jobset.sigs.k8s.io/jobset-name=again',
    })
    expect(items.map((pod) => pod.status?.containerStatuses?.map((one) => one.restartCount))).toEqual([[1], [1]])
  })

  it('fails the job after the back-off limit, and what it said last is told', async () => {
    await cluster.client.create(ClusterTrainingRuntimes, runtime('twice', { backoffLimit: 2 }))
    const script = `if [ "$JOB_COMPLETION_INDEX" = 1 ]; then echo "cannot read shard" >&2; exit 7; fi; sleep 1000`
    const run = await cluster.trainer.submit(trainJob('limit', { nodes: 3, runtime: 'twice', script }))
    const outcome = await run.wait()
    expect(outcome).toMatchObject({
      kind: 'failed',
      reason: 'FailedJobs',
      firstFailure: {
        node: 'node-1',
        container: 'node',
        exitCode: 7,
        reason: 'Error',
        lastLines: ['cannot read shard'],
      },
    })
    const key = { namespace: 'default', name: 'limit' }
    const jobSet = await cluster.client.get(JobSets, key)
    expect(jobSet.status?.conditions).toContainEqual(
      expect.objectContaining({ type: 'Failed', status: 'True', reason: 'FailedJobs' }),
    )
    const job = await cluster.client.get(Jobs, { namespace: 'default', name: 'limit-node-0' })
    expect(job.status?.conditions).toContainEqual(
      expect.objectContaining({ type: 'Failed', status: 'True', reason: 'BackoffLimitExceeded' }),
    )
    expect((await run.refresh()).status?.conditions).toMatchObject([
      { type: 'Failed', status: 'True', reason: 'FailedJobs' },
    ])
    const reasons = (await run.events()).map((event) => event.reason)
    expect(reasons).toContain('BackoffLimitExceeded')
    expect(reasons).toContain('FailedJobs')
  })

  it('names the rank that failed first, not those that fail because of it', async () => {
    const script = `
      if [ "$JOB_COMPLETION_INDEX" = 2 ]; then echo "out of memory"; : > "$DIR/broken"; exit 9; fi
      until [ -e "$DIR/broken" ]; do sleep 0.02; done
      sleep 0.2; echo "lost connection to rank 2"; exit 1`
    const run = await cluster.trainer.submit(
      trainJob('cascade', { nodes: 3, runtime: 'twice', script, env: { DIR: cluster.dir } }),
    )
    const outcome = await run.wait()
    expect(outcome).toMatchObject({
      kind: 'failed',
      firstFailure: { node: 'node-2', exitCode: 9, lastLines: ['out of memory'] },
    })
  })

  it('says so when the command does not exist', async () => {
    await cluster.client.create(ClusterTrainingRuntimes, runtime('once', { backoffLimit: 0 }))
    const job = trainJob('nowhere', { runtime: 'once', script: '' })
    const command = ['no-such-program-anywhere', '--flag']
    const run = await cluster.trainer.submit({
      ...job,
      spec: { ...job.spec, trainer: { ...job.spec.trainer, command } },
    })
    const outcome = await run.wait()
    expect(outcome).toMatchObject({ kind: 'failed', firstFailure: { node: 'node-0', exitCode: 127 } })
    expect(JSON.stringify(outcome)).toContain('no-such-program-anywhere')
  })
})
