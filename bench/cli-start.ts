import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { packProgram } from './cli/packed-program.ts'
import { timeOfProcess } from './cli/timed.ts'
import { type BenchmarkRow, toRow } from './row.ts'

const ROUNDS = 15
/** In each round the least of so many runs counts: on a busy machine most runs wait for their turn now and then. */
const TRIES = 3
/** The first run of a command writes the compile cache, the second may still add to it. */
const WARM_UP = 2

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

interface Measurement {
  readonly name: string
  /** Of the time of a bare Node. */
  readonly most: number
  /** Command lines; their mean is one figure. */
  readonly lines: readonly (readonly string[])[]
}

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
  const ours = (args: readonly string[]): number => timeOfProcess([packed.file, ...args], env)
  const bare = (): number => timeOfProcess(['-e', '0'], env)
  try {
    ours(['local', 'up'])
    ours(['apply', '--local', '-f', file])
    const measured: readonly Measurement[] = [
      { name: 'trainjob --help', most: 1.4, lines: [['--help']] },
      {
        name: 'COMMAND --help, mean of all',
        most: 1.8,
        lines: COMMANDS.map((command) => [...command.split(' '), '--help']),
      },
      { name: 'trainjob validate, one file', most: 3, lines: [['validate', '-f', file]] },
      { name: 'trainjob get, warm server', most: 3, lines: [['get', '--local']] },
    ]
    const figures = measured.map(() => ({ ours: [] as number[], bare: [] as number[] }))
    for (const { lines } of measured) for (const line of lines) for (let run = 0; run < WARM_UP; run++) ours(line)
    for (let round = 0; round < ROUNDS; round++) {
      for (const [at, { lines }] of measured.entries()) {
        const sum = { ours: 0, bare: 0 }
        for (const line of lines) {
          const pair = neighbours(() => ours(line), bare)
          sum.ours += pair.ours
          sum.bare += pair.bare
        }
        figures[at]?.bare.push(sum.bare / lines.length)
        figures[at]?.ours.push(sum.ours / lines.length)
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
    ours(['local', 'down'])
    packed.remove()
  }
}

/** The least of both, measured next to each other and taking turns to be first, so that other load hits both alike. */
function neighbours(ours: () => number, bare: () => number): { ours: number; bare: number } {
  const least = { ours: Number.POSITIVE_INFINITY, bare: Number.POSITIVE_INFINITY }
  for (let run = 0; run < TRIES; run++) {
    if (run % 2 === 0) least.bare = Math.min(least.bare, bare())
    least.ours = Math.min(least.ours, ours())
    if (run % 2 === 1) least.bare = Math.min(least.bare, bare())
  }
  return least
}
