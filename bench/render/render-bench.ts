import { spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import path from 'node:path'
import { applyDefaults, NODE_NAME, type RuntimePatch, type TrainJob } from '@trainjob/api'
import { shippedRuntimes } from '@trainjob/runtime'
import { type LineProcess, startLines } from '@trainjob/test/oracle'
import { buildOracle, type TrainerVersion } from '@trainjob/test/oracle/build'
import { parse } from 'yaml'
import { type BenchmarkRow, toRow } from '../row.ts'

const TARGETS: Readonly<Record<TrainerVersion, number>> = { '2.3.0': 7, '2.2.1': 3 }
const ROUNDS = 9
/** Calls that nobody counts, until both sides are warm. */
const WARM_UP = { ours: 20_000, peer: 2_000 }
/** Calls per round: about as long on both sides. */
const CALLS = { ours: 10_000, peer: 1_000 }

/**
 * `render` of a 4-node job with env, resources and one patch on each shipped runtime, against upstream's `NewObjects`: time per call with
 * fresh inputs and the JSON of the output, all processes on one core and taking turns.
 */
export async function renderBench(): Promise<BenchmarkRow[]> {
  const rows: BenchmarkRow[] = []
  for (const runtime of shippedRuntimes()) {
    const name = runtime.metadata.name ?? ''
    rows.push(...(await benchRuntime(name, ['2.3.0', '2.2.1'])))
  }
  rows.push(...(await benchRuntime('torch-distributed', ['2.3.0'], { variables: 1000 })))
  for (const what of ['variables', 'volumes'] as const) rows.push(await benchGrowth(what))
  return rows
}

/** Entries of a list in the job: variables of `trainer.env`, or volumes that a patch brings, each mounted. */
type Entries = { readonly [what in 'variables' | 'volumes']?: number }

/** Ten times the entries must take ten times as long, not a hundred: the time of 1,000 by that of 100, round by round. */
async function benchGrowth(what: keyof Entries): Promise<BenchmarkRow> {
  await using processes = new AsyncDisposableStack()
  const folder = await mkdtemp(path.join(tmpdir(), 'render-bench-'))
  processes.defer(() => rm(folder, { recursive: true, force: true }))
  const start = async (count: number) =>
    processes.use(startOurs(await writeInputs(folder, 'torch-distributed', { [what]: count })))
  const [few, many] = [await start(100), await start(1000)]
  await round(few, WARM_UP.ours / 20)
  await round(many, WARM_UP.ours / 200)
  const growth: number[] = []
  for (let i = 0; i < ROUNDS; i++) {
    const [small, large] = [await round(few, CALLS.ours / 20), await round(many, CALLS.ours / 200)]
    growth.push(large / small)
  }
  return toRow({
    name: `render torch-distributed, time of 1,000 ${what} by that of 100`,
    unit: 'times',
    ours: growth,
    peer: { name: 'linear growth', version: '1', figures: [10] },
    target: 1,
  })
}

async function benchRuntime(
  name: string,
  versions: readonly TrainerVersion[],
  entries: Entries = {},
): Promise<BenchmarkRow[]> {
  await using processes = new AsyncDisposableStack()
  const folder = await mkdtemp(path.join(tmpdir(), 'render-bench-'))
  processes.defer(() => rm(folder, { recursive: true, force: true }))
  const inputs = await writeInputs(folder, name, entries)

  const ours = processes.use(startOurs(inputs))
  const peers: { version: TrainerVersion; lines: LineProcess; figures: number[] }[] = []
  for (const version of versions) {
    const oracle = await buildOracle(version)
    if ('missing' in oracle) {
      process.stderr.write(`render: no row against Kubeflow Trainer ${version}. ${oracle.missing}\n`)
      continue
    }
    const args = ['bench', '-runtime', inputs.runtime, '-trainjob', inputs.trainJob]
    peers.push({ version, lines: processes.use(startPinned(oracle.binary, args)), figures: [] })
  }

  const own: number[] = []
  await round(ours, WARM_UP.ours)
  for (const { lines } of peers) await round(lines, WARM_UP.peer)
  for (let i = 0; i < ROUNDS; i++) {
    own.push(await round(ours, CALLS.ours))
    for (const { lines, figures } of peers) figures.push(await round(lines, CALLS.peer))
  }
  return peers.map(({ version, figures }) =>
    toRow({
      name: `render ${name}${entriesText(entries)}, against ${version}`,
      unit: 'µs/call',
      ours: own,
      peer: { name: 'Kubeflow Trainer NewObjects', version, figures },
      target: TARGETS[version],
    }),
  )
}

async function round(lines: LineProcess, calls: number): Promise<number> {
  const { microsPerCall } = JSON.parse(await lines.send(String(calls))) as { microsPerCall: number }
  return microsPerCall
}

interface Inputs {
  /** Files. */
  readonly trainJob: string
  readonly runtime: string
  /** The same as JSON: TrainJob, runtime. */
  readonly texts: readonly [string, string]
}

function entriesText(entries: Entries): string {
  return Object.entries(entries)
    .map(([what, count]) => `, ${count} ${what}`)
    .join('')
}

async function writeInputs(folder: string, name: string, { variables = 2, volumes = 0 }: Entries): Promise<Inputs> {
  const shipped = shippedRuntimes().find(({ metadata }) => metadata.name === name)
  // as an API server hands it out: upstream needs the defaults
  const runtime = shipped && applyDefaults(shipped)
  const written = parse(await readFile(path.join(import.meta.dirname, 'trainjob.yaml'), 'utf8')) as TrainJob
  const { runtimeRef, trainer } = written.spec
  const more = Array.from({ length: Math.max(0, variables - 2) }, (_, i) => ({ name: `V${i}`, value: 'x' }))
  const env = [...(trainer?.env ?? []), ...more]
  const runtimePatches = [...(written.spec.runtimePatches ?? []), ...(volumes > 0 ? [volumesPatch(volumes)] : [])]
  const spec = { ...written.spec, runtimeRef: { ...runtimeRef, name }, trainer: { ...trainer, env }, runtimePatches }
  const trainJob = { ...written, spec }
  const texts = [JSON.stringify(trainJob), JSON.stringify(runtime)] as const
  const files = { trainJob: path.join(folder, 'trainjob.json'), runtime: path.join(folder, 'runtime.json') }
  await writeFile(files.trainJob, texts[0])
  await writeFile(files.runtime, texts[1])
  return { ...files, texts }
}

function volumesPatch(count: number): RuntimePatch {
  const names = Array.from({ length: count }, (_, i) => `volume-${i}`)
  const pod = {
    volumes: names.map((name) => ({ name, emptyDir: {} })),
    containers: [{ name: NODE_NAME, volumeMounts: names.map((name) => ({ name, mountPath: `/${name}` })) }],
  }
  const replicatedJobs = [{ name: NODE_NAME, template: { spec: { template: { spec: pod } } } }]
  return { manager: 'example.io/volumes', trainingRuntimeSpec: { template: { spec: { replicatedJobs } } } }
}

function startOurs({ texts }: Inputs): LineProcess {
  return startPinned(process.execPath, [path.join(import.meta.dirname, 'worker.ts'), ...texts])
}

/** On the last core where the system can do that, so that all sides get the same one. */
function startPinned(command: string, args: readonly string[]): LineProcess {
  const core = String(availableParallelism() - 1)
  const canPin = spawnSync('taskset', ['-c', core, 'true']).status === 0
  return canPin ? startLines('taskset', ['-c', core, command, ...args]) : startLines(command, args)
}
