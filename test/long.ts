/**
 * The generated tests at full size, and how much of upstream they reach.
 *
 *     pnpm test:long [FILTER…]
 *
 * Runs every suite that takes its settings from `render/seeded.ts`, or those whose path has one of the filters in it,
 * and then prints which statements of upstream's packages the oracle ran. Ends with 1 when a test fails, or when less
 * than nine tenths of a package were reached.
 */
import { spawn } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { readCoverage } from './render/coverage.ts'

const REACHED = 0.9

const filters = process.argv.slice(2)
const folder = await mkdtemp(path.join(tmpdir(), 'oracle-coverage-'))
try {
  const suites = await generatedSuites()
  const env = { ...process.env, TEST_LONG: 'true', GOCOVERDIR: folder }
  const failed = await run(
    'vitest',
    ['run', '--project', 'interop', '--project', 'unit', '--project', 'cluster', ...suites],
    env,
  )
  const reached = await report()
  process.exitCode = failed === 0 && (reached || filters.length > 0) ? 0 : 1
} finally {
  await rm(folder, { recursive: true, force: true })
}

/** Suites that have a full size. */
async function generatedSuites(): Promise<string[]> {
  const root = path.join(import.meta.dirname, '..')
  const folders = ['test', 'packages']
  const files = (
    await Promise.all(
      folders.map(async (one) =>
        (
          await readdir(path.join(root, one), { recursive: true })
        )
          .filter((file) => file.endsWith('.test.ts') && !file.includes('node_modules'))
          .map((file) => path.join(one, file)),
      ),
    )
  ).flat()
  const sized = await Promise.all(
    files.map(async (file) => /seeded|TEST_LONG/.test(await readFile(path.join(root, file), 'utf8'))),
  )
  const suites = files.filter((_, i) => sized[i])
  const chosen = filters.length === 0 ? suites : suites.filter((file) => filters.some((text) => file.includes(text)))
  if (chosen.length === 0)
    throw new Error(`No generated suite matches ${filters.join(', ')}: there are ${suites.join(', ')}.`)
  return chosen
}

async function report(): Promise<boolean> {
  if ((await readdir(folder)).length === 0) return false
  const { packages, files, missed } = await readCoverage(folder)
  for (const { name, statements, ran } of [...packages, ...files]) {
    process.stdout.write(
      `${percent(ran, statements).padStart(6)} of ${String(statements).padStart(4)} statements  ${name}\n`,
    )
  }
  if (missed.length > 0) process.stdout.write(`not reached:\n${missed.map((at) => `  ${at}\n`).join('')}`)
  const short = packages.filter(({ statements, ran }) => ran < REACHED * statements)
  for (const { name } of short) process.stderr.write(`Less than ${percent(REACHED, 1)} of ${name} were reached.\n`)
  return short.length === 0
}

function percent(part: number, whole: number): string {
  return `${((100 * part) / whole).toFixed(1)} %`
}

function run(command: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: 'inherit', env })
    child.on('error', reject)
    child.on('close', (code) => resolve(code ?? 1))
  })
}
