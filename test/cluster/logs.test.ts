import { expect, it } from 'vitest'
import { describeCluster } from './describe-cluster.ts'
import { readAll, readUntil } from './log-reading.ts'
import { trainJob } from './train-job.ts'

const range = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

describeCluster('logs', (cluster) => {
  it('give every line of every node up to the last one', async () => {
    const script = `i=0; while [ $i -lt 500 ]; do i=$((i+1)); echo "$JOB_COMPLETION_INDEX/$i"; done; printf 'no line end'`
    const run = await cluster.trainer.submit(trainJob('all', { nodes: 3, script }))
    const lines = await readAll(run.logs())
    for (const node of [0, 1, 2]) {
      expect(lines.filter((line) => line.startsWith(`node-${node}: `))).toEqual([
        ...range(500).map((index) => `node-${node}: ${node}/${index}`),
        `node-${node}: no line end`,
      ])
    }
    // and again from the finished job, followed or not
    expect((await readAll(run.logs())).toSorted()).toEqual(lines.toSorted())
    expect((await readAll(run.logs({ follow: false }))).toSorted()).toEqual(lines.toSorted())
  })

  it('can be had of one node, the last lines only, with times', async () => {
    const script = `for i in 1 2 3 4 5; do echo "line $i"; done`
    const run = await cluster.trainer.submit(trainJob('some', { nodes: 2, script }))
    await run.wait()
    const found = []
    for await (const line of run.logs({ node: 'node-1', tail: 2, follow: false, timestamps: true })) found.push(line)
    expect(found).toMatchObject([
      { node: 'node-1', container: 'node', text: 'line 4' },
      { node: 'node-1', container: 'node', text: 'line 5' },
    ])
    for (const line of found) expect(Date.parse(line.timestamp ?? '')).toBeGreaterThan(0)
    await expect(readAll(run.logs({ node: 'node-7', follow: false }))).rejects.toMatchObject({
      code: 'not-found',
      message: expect.stringContaining('node-0, node-1'),
    })
  })

  it('come while the job runs, over restarts, and stop with the signal', async () => {
    const script = `echo "before $$$$"; if [ -e "$DIR/once" ]; then echo after; sleep 1000; else : > "$DIR/once"; exit 1; fi`
    const run = await cluster.trainer.submit(trainJob('live', { script, env: { DIR: cluster.dir } }))
    const lines = await readUntil(run.logs(), 'after')
    expect(lines.map((line) => line.text.split(' ')[0])).toEqual(['before', 'before', 'after'])
    const [previous] = await readAll(run.logs({ previous: true }))
    expect(previous).toBe(`node-0: ${lines[0]?.text}`)

    const stop = new AbortController()
    const endless = readAll(run.logs({ signal: stop.signal }))
    stop.abort()
    await expect(endless).rejects.toMatchObject({ code: 'aborted' })
    const following = readAll(run.logs())
    await run.delete()
    await following
    expect((await run.wait()).kind).toBe('deleted')
  })
})
