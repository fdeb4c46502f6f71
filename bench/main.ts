import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import type { BenchmarkRow } from './row.ts'
import { table } from './table.ts'

/** Every benchmark; a module is loaded when its name is asked for. */
const BENCHMARKS: Readonly<Record<string, () => Promise<BenchmarkRow[]>>> = {
  'api-create': async () =>
    (await import('./api-server/create-bench.ts')).createBench('memory', { perSecond: 2500, timesPeer: 3 }),
  'api-create-sqlite': async () =>
    (await import('./api-server/create-bench.ts')).createBench('sqlite', { perSecond: 1500, timesPeer: 2 }),
  'api-get': async () => (await import('./api-server/get-bench.ts')).getBench(),
  'api-memory': async () => (await import('./api-server/memory-bench.ts')).memoryBench(),
  'api-stall': async () => (await import('./api-server/stall-bench.ts')).stallBench(),
  'api-watch': async () => (await import('./api-server/watch-bench.ts')).watchBench(),
  'cli-start': async () => (await import('./cli-start.ts')).cliStartBench(),
  jobs: async () => (await import('./jobs/jobs-bench.ts')).jobsBench(),
  'local-up': async () => (await import('./local-up.ts')).localUpBench(),
  'run-start': async () => (await import('./run-start.ts')).runStartBench(),
  validate: async () => (await import('./validate.ts')).validateBench(),
  render: async () => (await import('./render/render-bench.ts')).renderBench(),
}

const { values, positionals } = parseArgs({ allowPositionals: true, options: { json: { type: 'string' } } })
const names = positionals.length > 0 ? positionals : Object.keys(BENCHMARKS)
const unknown = names.filter((name) => !(name in BENCHMARKS))
if (unknown.length > 0) {
  process.stderr.write(
    `No benchmark is called ${unknown.join(', ')}; there are: ${Object.keys(BENCHMARKS).join(', ')}.\n`,
  )
  process.exit(2)
}

const rows: BenchmarkRow[] = []
for (const name of names) {
  process.stderr.write(`${name} …\n`)
  rows.push(...((await BENCHMARKS[name]?.()) ?? []))
}
process.stdout.write(table(rows))
if (values.json !== undefined) await writeFile(values.json, `${JSON.stringify({ benchmarks: rows }, undefined, 2)}\n`)
