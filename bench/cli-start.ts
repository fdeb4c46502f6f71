import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { packProgram } from './cli/packed-program.ts'
import { timeOfProcess } from './cli/timed.ts'
import { type BenchmarkRow, toRow } from './row.ts'

const ROUNDS = 15

const JOB = `apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata: {name: bench}
spec:
  runtimeRef: {name: torch-distributed}
  suspend: true
  trainer: {numNodes: 4, command: [python, train.py], env: [{name: EPOCHS, value: '3'}]}
`

const COMMANDS = [
  'run',
  'render',
  'validate',
  'apply',
  'get',
  'describe',
  'logs',
  'wait',
  'events',
  'delete',
  'suspend',
  'resume',
  'local up',
  'version',
]

/**
 * How long the packed program takes to start, against a Node that does nothing. The targets are the most that we may
 * take of that, so the ratio (its time by ours) is below one.
 */
export async function cliStartBench(): Promise<BenchmarkRow[]> {
  const packed = packProgram()
  const env = { PATH: process.env.PATH, HOME: packed.home, NODE_COMPILE_CACHE: join(packed.home, 'compiled') }
  const file = join(packed.home, 'job.yaml')
  mkdirSync(packed.home, { recursive: true })
  writeFileSync(file, JOB)
  const ours = (...args: string[]): number => timeOfProcess([packed.file, ...args], env)
  try {
    ours('local', 'up')
    ours('apply', '--local', '-f', file)
    const measured: readonly { name: string; most: number; run: () => number }[] = [
      { name: 'trainjob --help', most: 1.4, run: () => ours('--help') },
      {
        name: 'COMMAND --help, mean of all',
        most: 1.8,
        run: () => COMMANDS.reduce((sum, command) => sum + ours(...command.split(' '), '--help'), 0) / COMMANDS.length,
      },
      { name: 'trainjob validate, one file', most: 3, run: () => ours('validate', '-f', file) },
      { name: 'trainjob get, warm server', most: 3, run: () => ours('get', '--local') },
    ]
    // the compile cache fills
    for (const { run } of measured) run()
    const figures = measured.map(() => ({ ours: [] as number[], bare: [] as number[] }))
    for (let round = 0; round < ROUNDS; round++) {
      for (const [at, { run }] of measured.entries()) {
        figures[at]?.bare.push(timeOfProcess(['-e', '0'], env))
        figures[at]?.ours.push(run())
      }
    }
    return measured.map(({ name, most }, at) =>
      toRow({
        name: `${name} (at most ${most} × node)`,
        unit: 'ms',
        ours: figures[at]?.ours ?? [],
        peer: { name: 'node -e 0', version: process.versions.node, figures: figures[at]?.bare ?? [] },
        target: 1 / most,
      }),
    )
  } finally {
    ours('local', 'down')
    packed.remove()
  }
}
