import { spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ClusterTrainingRuntimes, type EnvVar, TrainingRuntimes, type TrainJob } from '@trainjob/api'
import { expect, it } from 'vitest'
import { describeCluster } from './describe-cluster.ts'
import { EXAMPLES, readExample } from './example.ts'
import { readAll } from './log-reading.ts'
import { runtime } from './train-job.ts'

const withTorch = spawnSync('/usr/bin/python3', ['-c', 'import torch.distributed']).status === 0

describeCluster('examples/mnist', (cluster) => {
  it('trains on four nodes and recognises digits it was not trained on', async () => {
    const job = await mnist('digits', { MODEL_DIR: join(cluster.dir, 'four') })
    const run = await cluster.trainer.submit(job)
    const [lines, outcome] = await Promise.all([readAll(run.logs()), run.wait()])
    expect(outcome.kind).toBe('complete')
    const accuracies = lines.flatMap((line) => / accuracy=(\d\.\d+)$/.exec(line)?.[1] ?? [])
    expect(accuracies).toHaveLength(8)
    expect(Number(accuracies.at(-1))).toBeGreaterThanOrEqual(0.93)
    const speakers = lines.filter((line) => line.includes('epoch=8 ')).map((line) => line.split(':')[0])
    expect(speakers.toSorted()).toEqual(['node-0', 'node-1', 'node-2', 'node-3'])
  })

  it('reaches the same weights on four nodes as on one', async () => {
    const weights = await Promise.all(
      [1, 4].map(async (nodes) => {
        const dir = join(cluster.dir, `nodes-${nodes}`)
        const job = await mnist(`same-${nodes}`, { EPOCHS: '1', MODEL_DIR: dir })
        const run = await cluster.trainer.submit(withNodes(job, nodes))
        expect((await run.wait()).kind).toBe('complete')
        return readWeights(join(dir, 'model.json'))
      }),
    )
    const [one, four] = weights as [Float64Array, Float64Array]
    const difference = one.reduce((most, weight, n) => Math.max(most, Math.abs(weight - (four[n] as number))), 0)
    expect(one.length).toBe(784 * 64 + 64 + 64 * 10 + 10)
    expect(difference).toBeLessThan(1e-4)
  })

  it('fails when the ring is cut', async () => {
    const noRetry = runtime('no-retry', { backoffLimit: 0 })
    await cluster.client.create(ClusterTrainingRuntimes, {
      ...noRetry,
      spec: { ...noRetry.spec, mlPolicy: { numNodes: 1, torch: {} } },
    })
    // rank 2 dies without a word in the middle of the training
    const script = `
      node ${join(EXAMPLES, 'mnist/src/train.ts')} > "$OUT/$PET_NODE_RANK.txt" 2>&1 & pid=$!
      if [ "$PET_NODE_RANK" = 2 ]; then
        until grep -q epoch=1 "$OUT/2.txt"; do sleep 0.1; done
        kill -9 $pid
      fi
      wait $pid; code=$?; cat "$OUT/$PET_NODE_RANK.txt"; exit $code`
    const job = await mnist('cut', { EPOCHS: '1000', OUT: cluster.dir })
    const run = await cluster.trainer.submit({
      ...job,
      spec: {
        ...job.spec,
        runtimeRef: { name: 'no-retry' },
        trainer: { ...job.spec.trainer, command: ['sh', '-c', script] },
      },
    })
    expect(await run.wait()).toMatchObject({
      kind: 'failed',
      reason: 'FailedJobs',
      firstFailure: { node: 'node-2', exitCode: 137 },
    })
  })

  async function mnist(name: string, env: Record<string, string>): Promise<TrainJob> {
    const { job } = await readExample('mnist')
    const command = ['node', join(EXAMPLES, 'mnist/src/train.ts')]
    const changed: EnvVar[] = Object.entries(env).map(([key, value]) => ({ name: key, value }))
    const kept = job.spec.trainer?.env?.filter((one) => env[one.name] === undefined) ?? []
    const trainer = { ...job.spec.trainer, command, env: [...kept, ...changed] }
    return { ...job, metadata: { name }, spec: { ...job.spec, trainer } }
  }
})

describeCluster('examples/torch', (cluster) => {
  it.skipIf(!withTorch)('trains on two nodes (skipped where /usr/bin/python3 has no torch)', async () => {
    const { outcome, lines } = await torch('with-torch', '/usr/bin/python3')
    expect(outcome.kind, lines.join('\n')).toBe('complete')
    const fits = lines.flatMap((line) => /process (\d): y = (.*)$/.exec(line)?.slice(1, 3).join(' ') ?? [])
    expect(fits.toSorted()).toEqual(['0 2.996 x + -1.998', '1 2.996 x + -1.998'])
  })

  it('says what is missing where there is no Python', async () => {
    const { outcome } = await torch('without-python', 'no-such-python')
    expect(outcome).toMatchObject({
      kind: 'failed',
      firstFailure: { exitCode: 1, lastLines: [expect.stringContaining('Python is missing'), expect.any(String)] },
    })
  })

  async function torch(name: string, python: string) {
    const { job, objects } = await readExample('torch')
    const own = objects.find(({ kind }) => kind === 'TrainingRuntime')
    if (own === undefined) throw new Error('the example brings its own runtime')
    await cluster.client.patch(
      TrainingRuntimes,
      { namespace: 'default', name: own.metadata.name ?? '' },
      { type: 'apply', body: own },
      { fieldManager: 'test' },
    )
    const command = ['sh', '-c', `cd ${join(EXAMPLES, 'torch')} && exec sh launch.sh`]
    const trainer = { ...job.spec.trainer, command, env: [{ name: 'PYTHON', value: python }] }
    const run = await cluster.trainer.submit({ ...job, metadata: { name }, spec: { ...job.spec, trainer } })
    const [lines, outcome] = await Promise.all([readAll(run.logs()), run.wait()])
    return { lines, outcome }
  }
})

function withNodes(job: TrainJob, numNodes: number): TrainJob {
  return { ...job, spec: { ...job.spec, trainer: { ...job.spec.trainer, numNodes } } }
}

async function readWeights(file: string): Promise<Float64Array> {
  const { parameters } = JSON.parse(await readFile(file, 'utf8')) as { parameters: string }
  const bytes = Buffer.from(parameters, 'base64')
  return new Float64Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength))
}
