import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { describeCluster } from './describe-cluster.ts'
import { readAll } from './log-reading.ts'
import { trainJob } from './train-job.ts'

/** Rank 0 listens on all addresses; each rank tells it the job's name, waits for all of both jobs, and hears the answer. */
const program = `
import { createServer, connect } from 'node:net'
import { existsSync, writeFileSync } from 'node:fs'
const { PET_MASTER_ADDR: host, PET_MASTER_PORT: port, PET_NODE_RANK: rank, PET_NNODES: nodes, JOB: job, DIR: dir } = process.env
let heard = 0
let answered = 0
if (rank === '0') {
  const server = createServer((socket) => {
    socket.on('data', (data) => {
      if (String(data) !== job) { console.log('stranger ' + data); process.exit(1) }
      heard++
      const wait = setInterval(() => {
        if (heard < Number(nodes)) return
        writeFileSync(dir + '/' + job + '.met', '')
        if (!existsSync(dir + '/left.met') || !existsSync(dir + '/right.met')) return
        clearInterval(wait)
        socket.end('hello from ' + job, () => { if (++answered === Number(nodes)) server.close() })
      }, 10)
    })
  })
  server.listen(Number(port), '0.0.0.0')
}
function tell() {
  const socket = connect(Number(port), host, () => socket.write(job))
  socket.on('data', (data) => console.log(String(data)))
  socket.on('error', () => setTimeout(tell, 20))
}
tell()
`

describeCluster('two jobs with the same ports', (cluster) => {
  it('run at the same time and find their own peers', async () => {
    const file = join(cluster.dir, 'peers.mjs')
    await writeFile(file, program)
    const submit = (name: string) =>
      cluster.trainer.submit(
        trainJob(name, {
          nodes: 2,
          runtime: 'torch-distributed',
          script: `exec '${process.execPath}' '${file}'`,
          env: { JOB: name, DIR: cluster.dir },
        }),
      )
    const runs = [await submit('left'), await submit('right')]
    const logs = await Promise.all(runs.map((run) => readAll(run.logs())))
    expect(logs.map((lines) => lines.toSorted())).toEqual([
      ['node-0: hello from left', 'node-1: hello from left'],
      ['node-0: hello from right', 'node-1: hello from right'],
    ])
    for (const run of runs) expect((await run.wait()).kind).toBe('complete')
  })
})
