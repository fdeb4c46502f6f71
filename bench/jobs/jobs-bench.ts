import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { createClient, httpTransport, loadClusterConfig } from '@trainjob/kube'
import { down, up } from '@trainjob/local/daemon'
import { type BuiltControlPlane, buildControlPlane } from '@trainjob/test/control-plane/build'
import { type BenchmarkRow, toRow } from '../row.ts'
import { type BuiltPeer, buildPeer } from './build-peer.ts'
import { completeJobs } from './complete-jobs.ts'
import { cpuOfTree } from './cpu-of-tree.ts'
import { startPeer } from './start-peer.ts'

const run = promisify(execFile)
const ROUNDS = 3
/** Jobs that nobody counts. */
const WARM_UP = 50
const JOBS = 1000
/** The real control plane takes a minute for the others; its rate does not change with their number. */
const PEER_JOBS = 300
/** For the cost of a job among many. */
const GROWTH = [100, 900, 1000, 1000]
const TARGET = 5
const VERSION = 'Kubernetes 1.36.3, JobSet 0.12.0, Trainer 2.3.0, KWOK 0.8.0'

/** Per job. */
interface Figures {
  readonly ms: number[]
  readonly cpuMs: number[]
}

/**
 * TrainJobs of one instant process each, from create to Complete: the embedded cluster, whose pods are processes, against
 * kube-apiserver, etcd (without fsync), the controllers of Kubernetes, JobSet and Trainer, and KWOK, whose pods are none.
 */
export async function jobsBench(): Promise<BenchmarkRow[]> {
  const served = figures()
  const embedded = figures()
  const growth: number[][] = []
  const peer = figures()
  const parts = await buildParts()
  for (let round = 0; round < ROUNDS; round++) {
    if (parts !== undefined) await measurePeer(parts, peer)
    await measureServed(served)
    add(embedded, (await embed([WARM_UP, JOBS]))[1], JOBS)
    growth.push((await embed([WARM_UP, ...GROWTH])).slice(1).map(({ ms }, i) => ms / (GROWTH[i] ?? 1)))
  }
  process.stderr.write(`  served: ${summary(served)}\n  in process: ${summary(embedded)}\n  peer: ${summary(peer)}\n`)
  const grown: BenchmarkRow = toRow({
    name: 'a job among 3,000 in the same cluster, against one among 1,000',
    unit: 'ms/job',
    ours: growth.map((each) => each.at(-1) ?? 0),
    peer: { name: 'ourselves', version: 'jobs 100 to 1,000', figures: growth.map((each) => each[1] ?? 0) },
    target: 0.8,
  })
  if (parts === undefined) return [grown]
  const against = (name: string, unit: string, ours: readonly number[], theirs: readonly number[], target = TARGET) =>
    toRow({ name, unit, ours, peer: { name: 'real control plane', version: VERSION, figures: theirs }, target })
  return [
    against('a TrainJob to Complete, server process over TLS with SQLite', 'ms/job', served.ms, peer.ms),
    against('a TrainJob to Complete, cluster in this process', 'ms/job', embedded.ms, peer.ms),
    ...(peer.cpuMs.length > 0
      ? [against('CPU of all processes, cluster in this process', 'ms/job', embedded.cpuMs, peer.cpuMs, 1)]
      : []),
    grown,
  ]
}

interface Parts {
  readonly plane: BuiltControlPlane
  readonly peer: BuiltPeer
}

async function buildParts(): Promise<Parts | undefined> {
  const plane = await buildControlPlane()
  const peer = 'missing' in plane ? plane : await buildPeer()
  if (!('missing' in plane) && !('missing' in peer)) return { plane, peer }
  process.stderr.write(`jobs: no row against the real control plane. ${'missing' in peer ? peer.missing : ''}\n`)
  return undefined
}

async function measurePeer({ plane, peer }: Parts, into: Figures): Promise<void> {
  const cluster = await startPeer(plane, peer)
  try {
    await completeJobs(cluster.client, 'warm-up', WARM_UP)
    const before = cpuOfTree()
    const ms = await completeJobs(cluster.client, 'job', PEER_JOBS)
    add(into, { ms, cpuMs: since(before) }, PEER_JOBS)
  } finally {
    await cluster.stop()
  }
}

async function measureServed(into: Figures): Promise<void> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'trainjob-bench-served-'))
  try {
    const { kubeconfig, pid } = await up({ dataDir })
    const client = createClient(httpTransport(await loadClusterConfig({ path: kubeconfig })))
    await completeJobs(client, 'warm-up', WARM_UP)
    const before = cpuOfTree([pid])
    const ms = await completeJobs(client, 'job', JOBS)
    add(into, { ms, cpuMs: since(before, [pid]) }, JOBS)
    await client.close()
  } finally {
    await down({ dataDir })
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function embed(counts: readonly number[]): Promise<{ ms: number; cpuMs?: number }[]> {
  const program = path.join(import.meta.dirname, 'embedded.ts')
  return JSON.parse((await run(process.execPath, [program, ...counts.map(String)])).stdout)
}

function since(before: number | undefined, also: readonly number[] = []): number | undefined {
  const after = cpuOfTree(also)
  return before === undefined || after === undefined ? undefined : after - before
}

function figures(): Figures {
  return { ms: [], cpuMs: [] }
}

function add(into: Figures, round: { ms: number; cpuMs?: number | undefined } | undefined, jobs: number): void {
  if (round === undefined) return
  into.ms.push(round.ms / jobs)
  if (round.cpuMs !== undefined) into.cpuMs.push(round.cpuMs / jobs)
}

function summary({ ms, cpuMs }: Figures): string {
  const rates = ms.map((each) => (1000 / each).toFixed(1))
  return `${rates.join(', ')} jobs/s; CPU ${cpuMs.map((each) => each.toFixed(1)).join(', ')} ms/job`
}
