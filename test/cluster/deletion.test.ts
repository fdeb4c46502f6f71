import { ClusterTrainingRuntimes } from '@trainjob/api'
import type { TrainJobRun } from '@trainjob/sdk'
import { expect, it } from 'vitest'
import { describeCluster, type TestCluster } from './describe-cluster.ts'
import { eventually } from './eventually.ts'
import { allGone } from './leftovers.ts'
import { readUntil } from './log-reading.ts'
import { announcePid, isAlive, pidOf } from './processes.ts'
import { runtime, type TrainJobForm, trainJob } from './train-job.ts'

interface Phase {
  readonly phase: string
  readonly job: (cluster: TestCluster) => TrainJobForm
  /** Resolves when the job is there. */
  readonly reach: (run: TrainJobRun, cluster: TestCluster) => Promise<unknown>
}

const stubborn = `trap '' TERM; echo ready; while :; do sleep 0.05; done`

const phases: readonly Phase[] = [
  { phase: 'just submitted', job: () => ({ nodes: 3, script: 'sleep 1000' }), reach: async () => {} },
  {
    phase: 'pending',
    job: () => ({ script: 'sleep 1000', resources: { cpu: '100000' } }),
    reach: (run) => eventually(async () => (await run.steps()).some((step) => step.reason === 'Unschedulable')),
  },
  {
    phase: 'suspended',
    job: () => ({ script: 'echo', spec: { suspend: true } }),
    reach: (run) => run.wait({ until: 'Suspended' }),
  },
  {
    phase: 'running init containers',
    job: () => ({ runtime: 'slow-init', script: 'echo' }),
    reach: (run) => readUntil(run.logs({ container: 'prepare' }), 'preparing'),
  },
  {
    phase: 'running',
    job: () => ({ nodes: 3, script: 'echo ready; sleep 1000' }),
    reach: (run) => readUntil(run.logs(), 'ready'),
  },
  {
    phase: 'waiting for the next try',
    job: () => ({ script: 'exit 1', runtime: 'patient' }),
    reach: (run) => run.wait({ until: 'Restarting' }),
  },
  {
    phase: 'ending, deaf to SIGTERM',
    job: () => ({ runtime: 'short-grace', script: stubborn }),
    reach: async (run) => {
      await readUntil(run.logs(), 'ready')
      await run.suspend()
    },
  },
  { phase: 'complete', job: () => ({ script: 'echo' }), reach: (run) => run.wait() },
  { phase: 'failed', job: () => ({ runtime: 'no-retry', script: 'exit 1' }), reach: (run) => run.wait() },
]

describeCluster('deleting a job', (cluster) => {
  it.each(phases)('that is $phase leaves nothing behind', async ({ phase, job, reach }) => {
    for (const one of [
      runtime('slow-init', {
        pod: {
          initContainers: [{ name: 'prepare', image: 'busybox', command: ['sh', '-c', 'echo preparing; sleep 1000'] }],
        },
      }),
      runtime('patient', { backoffLimit: 1000 }),
      runtime('short-grace', { pod: { terminationGracePeriodSeconds: 1 } }),
      runtime('no-retry', { backoffLimit: 0 }),
    ]) {
      await cluster.client.create(ClusterTrainingRuntimes, one).catch(() => {})
    }
    const name = `del-${phases.findIndex((one) => one.phase === phase)}`
    const form = job(cluster)
    const run = await cluster.trainer.submit(
      trainJob(name, { ...form, script: announcePid(cluster.dir, name) + form.script }),
    )
    const waiting = run.wait()
    await reach(run, cluster)
    await run.delete()
    const outcome = await waiting
    expect(['deleted', 'complete', 'failed']).toContain(outcome.kind)
    await allGone(cluster.client, name)
    await expect(run.refresh()).rejects.toMatchObject({ code: 'deleted' })
    const started = ['running', 'ending, deaf to SIGTERM'].includes(phase)
    if (started) await eventually(async () => !isAlive(await pidOf(cluster.dir, name)))

    // the name is free for another job at once
    const again = await cluster.trainer.submit(trainJob(name, { script: 'echo again' }))
    expect((await again.wait()).kind).toBe('complete')
  })
})
