import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it } from 'vitest'
import { describeCluster, type TestCluster } from '../cluster/describe-cluster.ts'
import { type ExampleChange, exampleJob } from '../cluster/example.ts'
import { readAll } from '../cluster/log-reading.ts'
import { pythonEnvironment } from '../python/environment.ts'

const python = await pythonEnvironment(path.join(import.meta.dirname, 'requirements.txt'))
if (typeof python === 'object') process.stderr.write(`NOT RUN: examples of JAX and XGBoost. ${python.missing}\n`)
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
