import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Nodes } from '@trainjob/api'
import { expect, it } from 'vitest'
import { describeCluster } from './describe-cluster.ts'
import { eventually } from './eventually.ts'
import { readAll } from './log-reading.ts'
import { trainJob } from './train-job.ts'

describeCluster('a job that does not fit', (cluster) => {
  it('stays pending and says why', async () => {
    const job = trainJob('huge', { script: 'echo', resources: { 'example.com/none': '8' } })
    const run = await cluster.trainer.submit(job)
    await eventually(async () => (await run.steps())[0]?.reason === 'Unschedulable')
    const [step] = await run.steps()
    expect(step).toMatchObject({ node: 'node-0', phase: 'Pending', ready: false })
    expect(step?.message).toMatch(/example\.com\/none/)
    const events = await eventually(async () => {
      const found = (await run.events()).filter((event) => event.reason === 'FailedScheduling')
      return found.length > 0 && found
    })
    expect(events[0]).toMatchObject({ type: 'Warning', involvedObject: { kind: 'Pod' } })
    const views: string[] = []
    for await (const view of run.watch()) {
      views.push(view.state)
      break
    }
    expect(views).toEqual(['Pending'])
    await run.delete()
  })

  it('is followed by `logs` until there is room, then streamed', async () => {
    const [node] = (await cluster.client.list(Nodes)).items
    const cpu = node?.status?.allocatable?.cpu ?? '1'
    const script = `until [ -e "$DIR/room" ]; do sleep 0.02; done`
    const env = { DIR: cluster.dir }
    const first = await cluster.trainer.submit(trainJob('first', { script, env, resources: { cpu } }))
    await first.wait({ until: 'Running' })
    const second = await cluster.trainer.submit(
      trainJob('second', { script: 'echo one; echo two', resources: { cpu } }),
    )
    const lines = readAll(second.logs())
    await eventually(async () => (await second.steps())[0]?.reason === 'Unschedulable')
    await writeFile(join(cluster.dir, 'room'), '')
    expect(await lines).toEqual(['node-0: one', 'node-0: two'])
    expect((await second.wait()).kind).toBe('complete')
    expect((await first.wait()).kind).toBe('complete')
  })
})
