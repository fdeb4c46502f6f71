import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Pods } from '@trainjob/api'
import type { TrainJobRun } from '@trainjob/sdk'
import { expect, it } from 'vitest'
import { describeCluster, type TestCluster } from '../cluster/describe-cluster.ts'
import { eventually } from '../cluster/eventually.ts'
import { type ExampleChange, exampleJob } from '../cluster/example.ts'
import { readAll } from '../cluster/log-reading.ts'
import { pythonEnvironment, systemTorch } from '../python/environment.ts'

const python = await pythonEnvironment(path.join(import.meta.dirname, 'requirements.txt'))
const withoutTorch = await systemTorch()
for (const answer of [python, withoutTorch]) {
  if (typeof answer === 'object') process.stderr.write(`NOT RUN: examples of Python's frameworks. ${answer.missing}\n`)
}
const MINUTES = 60_000

describeCluster('frameworks of Python', (cluster) => {
  it.skipIf(typeof python === 'object')(
    'JAX: the processes of two nodes are one program, and sum up over all devices',
    async () => {
      const lines = await linesOf(cluster, 'jax')
      expect(lines.filter((line) => line.includes('devices'))).toEqual([
        expect.stringContaining('node-0: process 0 of 2, 2 devices'),
        expect.stringContaining('node-1: process 1 of 2, 2 devices'),
      ])
      expect(lines.filter((line) => line.includes('y ='))).toEqual([
        'node-0: process 0: y = 3.000 x + -2.000',
        'node-1: process 1: y = 3.000 x + -2.000',
      ])
    },
    4 * MINUTES,
  )

  it.skipIf(typeof python === 'object')(
    'XGBoost: two workers and a tracker make the model that one worker makes of all data',
    async () => {
      const folder = await mkdtemp(path.join(tmpdir(), 'trainjob-xgboost-'))
      try {
        const train = async (nodes: number) => {
          const file = path.join(folder, `model-${nodes}.json`)
          const lines = await linesOf(cluster, 'xgboost', { name: `x-${nodes}`, nodes, env: { MODEL: file } })
          const errors = lines.flatMap((line) => /rmse=(\d\.\d+)$/.exec(line)?.[1] ?? [])
          return { lines, errors, trees: await treesOf(file) }
        }
        const [one, two] = [await train(1), await train(2)]
        expect(two.lines).toContainEqual(expect.stringContaining('node-1: worker 1 of 2'))
        // both workers have the same model, and it is as good as that of one
        expect(two.errors).toHaveLength(2)
        expect(new Set(two.errors).size).toBe(1)
        expect(Math.abs(Number(two.errors[0]) / Number(one.errors[0]) - 1)).toBeLessThan(0.05)
        expect([one.trees, two.trees]).toEqual([40, 40])
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    },
    4 * MINUTES,
  )

  it.skipIf(withoutTorch !== undefined)(
    'torchrun loses a node, gets it back, and goes on with fewer and with more',
    async () => {
      const checkpoints = path.join(cluster.dir, 'checkpoints')
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
          const text = await readFile(path.join(checkpoints, 'progress.txt'), 'utf8').catch(() => '')
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
      await writeFile(path.join(checkpoints, 'stop'), '')
      expect((await run.wait()).kind).toBe('complete')
    },
    4 * MINUTES,
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

async function linesOf(cluster: TestCluster, example: string, change: ExampleChange = {}): Promise<readonly string[]> {
  const run = await cluster.trainer.submit(await exampleJob(example, { ...change, program: python as string }))
  const [lines, outcome] = await Promise.all([readAll(run.logs()), run.wait()])
  expect(outcome.kind, lines.join('\n')).toBe('complete')
  return lines.toSorted()
}

async function treesOf(file: string): Promise<number> {
  const { learner } = JSON.parse(await readFile(file, 'utf8')) as {
    learner: { gradient_booster: { model: { trees: readonly unknown[] } } }
  }
  return learner.gradient_booster.model.trees.length
}
