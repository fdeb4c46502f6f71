import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packProgram, sourceProgram } from './cli/packed-program.ts'
import { pythonWith } from './cli/python-peer.ts'
import { timeOfProcess, timeToLine } from './cli/timed.ts'
import { type BenchmarkRow, spread, toRow } from './row.ts'

const ROUNDS = 11
const PEER_ROUNDS = 3
const NODES = '4'
const COMMAND = ['node', '-e', "console.log('up')"]
const FIRST_LINE = /node-0 \| up/

/**
 * From the start of `trainjob run` to the first line of rank 0 of four nodes, against a script that does no more than
 * start the same four commands; and a whole run of four nodes against one trivial task of kubeflow's local backend.
 */
export async function runStartBench(): Promise<BenchmarkRow[]> {
  const packed = packProgram()
  mkdirSync(packed.home, { recursive: true })
  const env = { PATH: process.env.PATH, HOME: packed.home, NODE_COMPILE_CACHE: join(packed.home, 'compiled') }
  const run = (program: string): string[] => [program, 'run', '--nodes', NODES, '--', ...COMMAND]
  const bare = [fileURLToPath(new URL('cli/bare.js', import.meta.url)), NODES, ...COMMAND]
  try {
    const figures = { packed: [] as number[], source: [] as number[], bare: [] as number[] }
    for (const program of [packed.file, sourceProgram]) await timeToLine(run(program), env, FIRST_LINE)
    for (let round = 0; round < ROUNDS; round++) {
      figures.bare.push(await timeToLine(bare, env, FIRST_LINE))
      figures.packed.push(await timeToLine(run(packed.file), env, FIRST_LINE))
      figures.source.push(await timeToLine(run(sourceProgram), env, FIRST_LINE))
    }
    const rows = [
      within('first line of rank 0, packed (at most 0.25 s more)', figures.packed, figures.bare, 250),
      within('first line of rank 0, from the sources (at most 0.5 s more)', figures.source, figures.bare, 500),
    ]
    const python = pythonWith('kubeflow==0.5.0')
    if (python === undefined) return rows
    const whole: number[] = []
    const peer: number[] = []
    for (let round = 0; round < PEER_ROUNDS; round++) {
      const task = fileURLToPath(new URL('cli/local-process.py', import.meta.url))
      peer.push(Number(execFileSync(python, [task], { encoding: 'utf8' }).trim().split('\n').at(-1)) * 1000)
      whole.push(timeOfProcess(run(packed.file), env))
    }
    rows.push(
      toRow({
        name: 'a trivial task to its end: 4 nodes here, 1 there',
        unit: 'ms',
        ours: whole,
        peer: { name: 'kubeflow local process', version: '0.5.0', figures: peer },
        target: 10,
      }),
    )
    return rows
  } finally {
    packed.remove()
  }
}

/** The target is a time on top of the peer's; the ratio that it stands for depends on this machine. */
function within(name: string, ours: readonly number[], bare: readonly number[], moreMs: number): BenchmarkRow {
  const target = spread(bare).median / (spread(bare).median + moreMs)
  const peer = { name: 'bare script', version: process.versions.node, figures: bare }
  return toRow({ name, unit: 'ms', ours, peer, target: Number(target.toFixed(3)) })
}
