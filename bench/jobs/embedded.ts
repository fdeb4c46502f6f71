import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startCluster } from '@trainjob/local'
import { completeJobs } from './complete-jobs.ts'
import { cpuOfTree } from './cpu-of-tree.ts'

/** An embedded cluster in this process: completes as many jobs as each argument says, one after the other, and prints the times as JSON. */
const dir = await mkdtemp(path.join(tmpdir(), 'trainjob-bench-embedded-'))
const cluster = await startCluster({ dir })
try {
  const rounds: { ms: number; cpuMs: number | undefined }[] = []
  for (const [round, count] of process.argv.slice(2).map(Number).entries()) {
    const before = cpuOfTree()
    const ms = await completeJobs(cluster.client, `round-${round}`, count)
    const after = cpuOfTree()
    rounds.push({ ms, cpuMs: before === undefined || after === undefined ? undefined : after - before })
  }
  process.stdout.write(JSON.stringify(rounds))
} finally {
  await cluster.stop()
  await rm(dir, { recursive: true, force: true })
}
