import { spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { describeCluster, type TestCluster } from './describe-cluster.ts'
import { type ExampleChange, exampleJob } from './example.ts'
import { readAll } from './log-reading.ts'
import { trainJob } from './train-job.ts'

/** Programs that a user installs, from where the examples look for them. */
const has = (program: string, ...args: string[]): boolean => spawnSync(program, args).status === 0
const withMpi = has('mpirun', '--version') && has('/usr/bin/python3', '-c', 'import mpi4py')
const withPython = has('python3', '--version')

describeCluster('shipped runtimes run two nodes', (cluster) => {
  it('plain: each node knows its share', async () => {
    expect(await linesOf(cluster, 'plain')).toEqual([
      'node-0: share 0 of 2: sum=2500',
      'node-1: share 1 of 2: sum=2550',
    ])
  })

  it.skipIf(!withPython)('tensorflow-distributed: workers meet by TF_CONFIG (skipped without python3)', async () => {
    const lines = await linesOf(cluster, 'tensorflow')
    expect(lines.filter((line) => line.includes('y ='))).toEqual([
      'node-0: worker 0: y = 3.000 x + -2.000',
      'node-1: worker 1: y = 3.000 x + -2.000',
    ])
  })

  it.skipIf(!withMpi).each(['deepspeed-distributed', 'mlx-distributed'])(
    '%s: mpirun starts a rank on each (skipped without Open MPI and mpi4py)',
    async (runtime) => {
      const lines = await linesOf(cluster, 'mpi', { runtime, name: runtime })
      expect(lines.filter((line) => line.includes('y ='))).toEqual([
        'launcher-0: rank 0 of 2: y = 3.000 x + -2.000',
        'launcher-0: rank 1 of 2: y = 3.000 x + -2.000',
      ])
    },
  )

  it.skipIf(!withMpi)(
    'ranks of an MPI job run in the containers of their nodes (skipped without Open MPI)',
    async () => {
      const script = 'mpirun --map-by node sh -c "echo \\$OMPI_COMM_WORLD_RANK \\$HOSTNAME \\$GREETING"'
      const job = trainJob('ranks', { nodes: 3, runtime: 'deepspeed-distributed', script, env: { GREETING: 'hello' } })
      const run = await cluster.trainer.submit(job)
      const [lines, outcome] = await Promise.all([readAll(run.logs()), run.wait()])
      expect(outcome.kind).toBe('complete')
      expect(lines.map((line) => line.replace(/^launcher-0: \d /, '')).toSorted()).toEqual([
        'ranks-launcher-0-0 hello',
        'ranks-node-0-0 hello',
        'ranks-node-0-1 hello',
      ])
    },
  )

  it.skipIf(!withMpi)('an MPI job fails with its rank, wherever that runs (skipped without Open MPI)', async () => {
    const script = 'mpirun --map-by node sh -c "case \\$HOSTNAME in *node-0-0) exit 3;; esac; sleep 30"'
    const job = trainJob('lost-rank', { nodes: 2, runtime: 'deepspeed-distributed', script })
    const { outcome } = await finish(cluster, { ...job, spec: { ...job.spec, activeDeadlineSeconds: 50 } })
    expect(outcome).toMatchObject({ kind: 'failed', reason: 'FailedJobs', firstFailure: { exitCode: 3 } })
  })

  it('flux-distributed: says what is missing', async () => {
    const { outcome } = await finish(cluster, await exampleJob('flux'))
    expect(outcome).toMatchObject({
      kind: 'failed',
      firstFailure: {
        message: expect.stringMatching(/takes Flux out of image .*flux-view.*podman, docker or a cluster/),
      },
    })
  })
})

/** All lines of an example that completes, sorted. */
async function linesOf(cluster: TestCluster, example: string, change: ExampleChange = {}): Promise<readonly string[]> {
  const { outcome, lines } = await finish(cluster, await exampleJob(example, change))
  expect(outcome.kind, lines.join('\n')).toBe('complete')
  return lines.toSorted()
}

async function finish(cluster: TestCluster, job: Parameters<TestCluster['trainer']['submit']>[0]) {
  const run = await cluster.trainer.submit(job)
  const [lines, outcome] = await Promise.all([readAll(run.logs()), run.wait()])
  return { lines, outcome }
}
