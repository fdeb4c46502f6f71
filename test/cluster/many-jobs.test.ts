import { expect, it } from 'vitest'
import { describeCluster } from './describe-cluster.ts'
import { readAll } from './log-reading.ts'
import { trainJob } from './train-job.ts'

const JOBS = 200

describeCluster('many jobs', (cluster) => {
  it(`${JOBS} short ones at once all complete, each with its own output`, async () => {
    const names = Array.from({ length: JOBS }, (_, index) => `short-${index}`)
    // as many at a time as the machine has room for: the rest wait their turn
    const runs = await Promise.all(
      names.map((name) =>
        cluster.trainer.submit(trainJob(name, { script: `echo ${name}`, resources: { cpu: '250m' } })),
      ),
    )
    const outcomes = await Promise.all(runs.map((run) => run.wait()))
    expect(outcomes.filter((outcome) => outcome.kind !== 'complete')).toEqual([])
    const logs = await Promise.all(runs.map((run) => readAll(run.logs({ follow: false }))))
    expect(logs).toEqual(names.map((name) => [`node-0: ${name}`]))
    const jobs = await cluster.trainer.list()
    expect(jobs).toHaveLength(JOBS)
  })
})
