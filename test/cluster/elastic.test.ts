import { spawnSync } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Events, Jobs, Pods } from '@trainjob/api'
import type { TrainJobRun } from '@trainjob/sdk'
import { expect, it } from 'vitest'
import { describeCluster, type TestCluster } from './describe-cluster.ts'
import { eventually } from './eventually.ts'
import { exampleJob } from './example.ts'
import { isAlive, pidOf } from './processes.ts'
import { trainJob } from './train-job.ts'

const withTorch = spawnSync('/usr/bin/torchrun', ['--help']).status === 0

describeCluster('elastic jobs', (cluster) => {
  it('get more and fewer nodes while they run', async () => {
    const { dir } = cluster
    // Kubernetes reads `$$` in a command as `$`
    const own = `${dir}/$JOB_COMPLETION_INDEX`
    const script = `echo $$$$ > "${own}.tmp"; mv "${own}.tmp" "${own}.pid"; exec sleep 300`
    const run = await cluster.trainer.submit(trainJob('wide', { nodes: 2, runtime: 'torch-elastic', script }))
    const first = await pidOf(dir, '0')
    await run.scale(4)
    const fourth = await pidOf(dir, '3')
    expect(await nodesOf(cluster, 'wide')).toBe(4)
    await run.scale(1)
    await eventually(() => !isAlive(fourth))
    expect(await nodesOf(cluster, 'wide')).toBe(1)
    expect(isAlive(first)).toBe(true)
    expect(await messages(cluster, 'wide', 'Scaled')).toEqual(['Scaled from 2 to 4 nodes', 'Scaled from 4 to 1 nodes'])
    await run.delete()
    await eventually(() => !isAlive(first))
  })

  it('keep their number of nodes when they are suspended and resumed', async () => {
    const script = 'sleep 300'
    const run = await cluster.trainer.submit(trainJob('kept', { nodes: 2, runtime: 'torch-elastic', script }))
    await run.scale(3)
    await until(cluster, 'kept', 3)
    await run.suspend()
    await eventually(async () => (await run.refresh()).status?.conditions?.some(({ type }) => type === 'Suspended'))
    await run.resume()
    await until(cluster, 'kept', 3)
    await run.delete()
  })

  it('stay within their bounds, and rigid ones as they are', async () => {
    const elastic = await cluster.trainer.submit(
      trainJob('bound', { nodes: 2, runtime: 'torch-elastic', script: 'sleep 300' }),
    )
    const rigid = await cluster.trainer.submit(trainJob('rigid', { nodes: 2, script: 'sleep 300' }))
    await expect(elastic.scale(17)).rejects.toMatchObject({
      code: 'invalid',
      message: 'cannot scale TrainJob default/bound to 17 nodes: its runtime torch-elastic takes 1 to 16',
    })
    await expect(rigid.scale(3)).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringContaining('its runtime plain is not elastic'),
    })
    // by hand, past the checks of the client
    const warnings: string[] = []
    const annotate = (name: string, nodes: string) =>
      cluster.trainer.patch(
        name,
        { type: 'merge', body: { metadata: { annotations: { 'trainjob.dev/nodes': nodes } } } },
        { onWarning: (text) => warnings.push(text) },
      )
    await annotate('bound', '40')
    await annotate('rigid', '3')
    await until(cluster, 'bound', 16)
    expect(await messages(cluster, 'bound', 'Scaled')).toEqual([
      expect.stringMatching(/^Scaled from 2 to 16 nodes .*40/),
    ])
    expect(warnings).toEqual([expect.stringContaining('found 40'), expect.stringContaining('plain is none')])
    expect(await nodesOf(cluster, 'rigid')).toBe(2)
    await Promise.all([elastic.delete(), rigid.delete()])
  })

  it.skipIf(!withTorch)(
    'torchrun loses a node, gets it back, and goes on with fewer and with more (skipped without /usr/bin/torchrun)',
    async () => {
      const checkpoints = join(cluster.dir, 'checkpoints')
      await mkdir(checkpoints)
      const job = await exampleJob('elastic', {
        nodes: 3,
        program: '/usr/bin/torchrun',
        // PyTorch 1.13, which Debian has, wants the first two on Python 3.11
        env: { PET_REDIRECTS: '1', PET_TEE: '1', CHECKPOINTS: checkpoints, EPOCHS: '100000' },
      })
      const run = await cluster.trainer.submit({
        ...job,
        metadata: { name: job.metadata.name ?? '', annotations: { 'trainjob.dev/nodes': '3' } },
      })
      // not the log: torchrun hands on what its processes print when it likes to
      const epochOf = async (world: number, after = 0): Promise<number> =>
        eventually(async () => {
          const text = await readFile(join(checkpoints, 'progress.txt'), 'utf8').catch(() => '')
          const [, epoch, size] = /epoch=(\d+) world=(\d+)\n/.exec(text) ?? []
          return Number(size) === world && Number(epoch) > after && Number(epoch)
        })
      const start = await epochOf(3)
      await loseNode(run, 2)
      // the others finish at most the epoch they are in
      const lost = await epochOf(3, start - 1)
      const regained = await epochOf(3, lost + 1)
      await run.scale(2)
      const fewer = await epochOf(2, regained)
      await run.scale(3)
      await epochOf(3, fewer)
      await writeFile(join(checkpoints, 'stop'), '')
      expect((await run.wait()).kind).toBe('complete')
    },
    180_000,
  )

  /** Kills the processes of a node, and waits until it starts again. */
  async function loseNode(run: TrainJobRun, index: number): Promise<void> {
    const { items } = await cluster.client.list(Pods, { namespace: 'default' })
    const pod = items.find(({ metadata }) => metadata.name?.startsWith(`${run.name}-node-0-${index}-`))
    const uid = pod?.metadata.uid ?? 'no pod'
    const found = spawnSync('sh', ['-c', `grep -lsF '${uid}' /proc/[0-9]*/environ`], { encoding: 'utf8' })
    for (const file of found.stdout.trim().split('\n')) process.kill(Number(file.split('/')[2]), 'SIGKILL')
    // restarted in its pod, as JobSet has it by default
    await eventually(async () => {
      const key = { namespace: 'default', name: pod?.metadata.name ?? '' }
      const { status } = await cluster.client.get(Pods, key)
      return status?.containerStatuses?.some(({ restartCount }) => restartCount > 0)
    })
  }
})

/** Nodes that the job has now. */
async function nodesOf(cluster: TestCluster, name: string): Promise<number | undefined> {
  const { spec } = await cluster.client.get(Jobs, { namespace: 'default', name: `${name}-node-0` })
  return spec.completions
}

/** Waits until so many pods of the job run. */
async function until(cluster: TestCluster, name: string, nodes: number): Promise<void> {
  await eventually(async () => {
    const { items } = await cluster.client.list(Jobs, { namespace: 'default' })
    const job = items.find(({ metadata }) => metadata.name === `${name}-node-0`)
    return job?.spec.completions === nodes && job.status?.active === nodes
  })
}

async function messages(cluster: TestCluster, name: string, reason: string): Promise<readonly string[]> {
  return eventually(async () => {
    const { items } = await cluster.client.list(Events, { namespace: 'default' })
    const own = items.filter((event) => event.involvedObject.name === name && event.reason === reason)
    return own.length > 0 && own.map((event) => event.message ?? '')
  })
}
