import { ClusterTrainingRuntimes, JobSets, Pods, type RuntimePatch } from '@trainjob/api'
import { state } from '@trainjob/sdk'
import { expect, it } from 'vitest'
import { describeCluster } from './describe-cluster.ts'
import { eventually } from './eventually.ts'
import { readAll, readUntil } from './log-reading.ts'
import { announcePid, isAlive, pidOf } from './processes.ts'
import { runtime, trainJob } from './train-job.ts'

/** A patch of the pods' labels, which a suspended JobSet lets change. */
function labelled(label: string): RuntimePatch {
  const template = { metadata: { labels: { label } } }
  return {
    manager: 'test.example/labels',
    trainingRuntimeSpec: {
      template: { spec: { replicatedJobs: [{ name: 'node', template: { spec: { template } } }] } },
    },
  }
}

describeCluster('suspend and resume', (cluster) => {
  const podsOf = async (name: string) =>
    (await cluster.client.list(Pods, { namespace: 'default', labelSelector: `jobset.sigs.k8s.io/jobset-name=${name}` }))
      .items

  it('before the run: nothing starts until it is resumed', async () => {
    const job = trainJob('later', { nodes: 2, script: 'echo hello', spec: { suspend: true } })
    const run = await cluster.trainer.submit(job)
    await run.wait({ until: 'Suspended' })
    const lines = readAll(run.logs())
    await eventually(async () => (await run.refresh()).status?.conditions?.some((one) => one.type === 'Suspended'))
    expect((await run.refresh()).status?.conditions).toMatchObject([
      { type: 'Suspended', status: 'True', reason: 'Suspended' },
    ])
    const jobSet = await cluster.client.get(JobSets, { namespace: 'default', name: 'later' })
    expect(jobSet.spec.suspend).toBe(true)
    expect(await podsOf('later')).toEqual([])

    const resumed = await run.resume()
    expect(state(resumed)).toBe('Pending')
    const outcome = await run.wait()
    expect(outcome.kind).toBe('complete')
    expect((await lines).toSorted()).toEqual(['node-0: hello', 'node-1: hello'])
    expect((await run.refresh()).status?.conditions).toMatchObject([
      { type: 'Suspended', status: 'False', reason: 'Resumed' },
      { type: 'Complete', status: 'True' },
    ])
  })

  it('during the run: the processes end, and it starts anew with the patched template', async () => {
    const script = `${announcePid(cluster.dir, 'paused')} echo "start $JOB_COMPLETION_INDEX"; until [ -e "$DIR/go" ]; do sleep 0.02; done; echo end`
    const run = await cluster.trainer.submit(trainJob('paused', { script, env: { DIR: cluster.dir } }))
    await readUntil(run.logs(), 'start 0')
    await run.wait({ until: 'Running' })
    const first = await pidOf(cluster.dir, 'paused')

    expect(state(await run.suspend())).toBe('Suspended')
    await eventually(async () => (await podsOf('paused')).length === 0)
    await eventually(() => !isAlive(first))
    await eventually(async () => (await run.refresh()).status?.jobsStatus?.every((one) => one.active === 0))

    const { writeFile } = await import('node:fs/promises')
    await writeFile(`${cluster.dir}/go`, '')
    const resumed = await run.resume({ runtimePatches: [labelled('second')] })
    expect(resumed.spec.runtimePatches?.[0]?.time).toMatch(/Z$/)
    expect((await run.wait()).kind).toBe('complete')
    const pods = await podsOf('paused')
    expect(pods.map((pod) => pod.metadata.labels?.label)).toEqual(['second'])
    expect(await pidOf(cluster.dir, 'paused')).not.toBe(first)
  })

  it('takes a patch of what a JobSet never lets change by building it anew', async () => {
    await cluster.client.create(
      ClusterTrainingRuntimes,
      runtime('sidecar', {
        pod: {
          containers: [
            { name: 'node', image: 'busybox' },
            { name: 'helper', image: 'busybox', command: ['sh', '-c', 'echo "mode $MODE"'] },
          ],
        },
      }),
    )
    const job = trainJob('rebuilt', { runtime: 'sidecar', script: 'echo node', spec: { suspend: true } })
    const run = await cluster.trainer.submit(job)
    await eventually(async () => (await run.refresh()).status?.conditions?.some((one) => one.type === 'Suspended'))
    const spec = { containers: [{ name: 'helper', env: [{ name: 'MODE', value: 'patched' }] }] }
    const patch: RuntimePatch = {
      manager: 'test.example/env',
      trainingRuntimeSpec: {
        template: { spec: { replicatedJobs: [{ name: 'node', template: { spec: { template: { spec } } } }] } },
      },
    }
    await run.resume({ runtimePatches: [patch] })
    expect(await readAll(run.logs({ container: 'helper' }))).toEqual(['node-0: mode patched'])
    expect((await run.wait()).kind).toBe('complete')
  })

  it('refuses a patch while the job runs', async () => {
    const run = await cluster.trainer.submit(trainJob('fixed', { script: 'sleep 1000' }))
    await run.wait({ until: 'Running' })
    const body = { spec: { runtimePatches: [labelled('x')] } }
    await expect(cluster.trainer.patch('fixed', { type: 'merge', body })).rejects.toMatchObject({ code: 'invalid' })
    await run.delete()
  })
})
