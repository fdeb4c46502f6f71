import { TrainJobs } from '@trainjob/api'
import { expect, it } from 'vitest'
import { describeCluster } from './describe-cluster.ts'
import { belongings } from './leftovers.ts'
import { trainJob } from './train-job.ts'

describeCluster('a name that is too long', (cluster) => {
  it('is refused before anything is created, with the longest one that fits', async () => {
    const long = 'a'.repeat(60)
    const refused = await cluster.trainer
      .submit(trainJob(long, { nodes: 4, script: 'echo' }))
      .catch((error: unknown) => error)
    expect(refused).toMatchObject({ code: 'invalid' })
    const longest = Number(/longest name that fits has (\d+)/.exec(String(refused))?.[1])
    expect(longest).toBeGreaterThan(40)
    expect(await belongings(cluster.client, long)).toEqual([])
    expect((await cluster.client.list(TrainJobs, { namespace: 'default' })).items).toEqual([])

    const one = 'a'.repeat(longest + 1)
    await expect(cluster.trainer.submit(trainJob(one, { nodes: 4, script: 'echo' }))).rejects.toMatchObject({
      code: 'invalid',
    })
    const run = await cluster.trainer.submit(trainJob('a'.repeat(longest), { nodes: 4, script: 'echo' }))
    expect((await run.wait()).kind).toBe('complete')
  })

  it('counts the digits of the last rank', async () => {
    const refusal = (nodes: number) =>
      cluster.trainer
        .submit(trainJob('b'.repeat(60), { nodes, script: 'echo' }))
        .catch((error: unknown) => String(error))
    const longest = (text: unknown) => Number(/longest name that fits has (\d+)/.exec(String(text))?.[1])
    expect(longest(await refusal(10)) - longest(await refusal(11))).toBe(1)
  })
})
