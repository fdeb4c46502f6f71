import { JobSets } from '@trainjob/api'
import { isNotFound } from '@trainjob/kube'
import { expect, it } from 'vitest'
import { describeCluster } from './describe-cluster.ts'
import { eventually } from './eventually.ts'
import { announcePid, isAlive, pidOf } from './processes.ts'
import { trainJob } from './train-job.ts'

describeCluster('activeDeadlineSeconds', (cluster) => {
  it('fails the job, and its JobSet and processes go for good', async () => {
    const script = `${announcePid(cluster.dir, 'slow')} exec sleep 1000`
    const run = await cluster.trainer.submit(trainJob('slow', { script, spec: { activeDeadlineSeconds: 2 } }))
    const pid = await pidOf(cluster.dir, 'slow')
    const outcome = await run.wait()
    expect(outcome).toMatchObject({ kind: 'failed', reason: 'DeadlineExceeded' })
    const key = { namespace: 'default', name: 'slow' }
    await eventually(() => cluster.client.get(JobSets, key).then(() => false, isNotFound))
    await eventually(() => !isAlive(pid))
    expect((await run.refresh()).status?.conditions).toMatchObject([{ type: 'Failed', reason: 'DeadlineExceeded' }])
  })

  it('does not run while the job is suspended', async () => {
    const spec = { activeDeadlineSeconds: 1, suspend: true }
    const run = await cluster.trainer.submit(trainJob('waiting', { script: 'echo', spec }))
    await expect(run.wait({ timeoutMs: 1500 })).rejects.toMatchObject({ code: 'timeout' })
    await run.resume()
    expect((await run.wait()).kind).toBe('complete')
  })
})
