import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ENGINE_MARK, markedProcesses } from '../process/marked-processes.ts'

/** What a container does to survive its engine, printing `up` twice. */
const SURVIVORS = {
  'another session':
    'trap "" TERM HUP INT; setsid sh -c "echo up; sleep 300; sleep 300" & echo up; sleep 300; sleep 300',
  'a daemon that was forked twice':
    '(setsid sh -c "(trap \\"\\" TERM HUP INT; echo up; sleep 300; sleep 300) & exit" &); trap "" TERM; echo up; sleep 300; sleep 300',
  'processes that make ever new ones':
    'breed() { while :; do setsid sh -c "sleep 0.05; exec sleep 300" & sleep 0.02; done; }; breed & echo up; echo up; wait',
} as const

/** An engine in a process of its own: starts containers that do all they can to survive, then waits. */
const ENGINE = `
import { createProcessRunner } from ${JSON.stringify(join(import.meta.dirname, '../process/process-runner.ts'))}
import { createReaper } from ${JSON.stringify(join(import.meta.dirname, 'reaper.ts'))}
const [engineId, dir, script, count, mounted] = process.argv.slice(1)
const reaper = createReaper({ engineId, removeDir: dir })
const runner = createProcessRunner({ engineId, dir, reaper })
for (let id = 0; id < count; id++) {
  runner.start({
    id: String(id), argv: ['sh', '-c', script], cwd: dir, env: { PATH: process.env.PATH },
    mounts: mounted ? [{ source: dir, target: '/tj-mounted' }] : [],
    onOutput: (_, chunk) => process.stdout.write(chunk),
  })
}
// whoever reads has enough
process.stdout.on('error', () => {})
process.on('SIGTERM', async () => { await runner.close(); process.exit(0) })
setInterval(() => {}, 1000)
`

let dir: string
/** The folder of the engine that was started last. */
let run: string
let runs = 0
let engine: ChildProcess | undefined
/** Of the engine that was started last: the reaper of the one before may still look for what is left of that. */
let engineId = ''
const left = () => markedProcesses(ENGINE_MARK, new Set([engineId]))
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'trainjob-reaper-'))
})
afterEach(() => {
  engine?.kill('SIGKILL')
  for (const pid of left()) process.kill(pid, 'SIGKILL')
  rmSync(dir, { recursive: true, force: true })
})

/** Starts the engine with so many containers, and waits until it has read `up` so often. */
async function start(script: string, containers: number, ups: number, mounted = false): Promise<ChildProcess> {
  run = join(dir, `run-${runs++}`)
  engineId = `reaper-test-${process.pid}-${runs}`
  mkdirSync(run)
  const args = [engineId, run, script, String(containers), mounted ? 'mounted' : '']
  // Beside this file, so that it finds the workspace's packages.
  engine = spawn(process.execPath, ['--input-type=module', '--eval', ENGINE, '--', ...args], {
    cwd: import.meta.dirname,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let up = 0
  for await (const chunk of engine.stdout as AsyncIterable<Buffer>) {
    up += String(chunk).match(/up/g)?.length ?? 0
    if (up >= ups) break
  }
  expect(left().length).toBeGreaterThan(0)
  return engine
}

/** Nothing is left, nor comes after. */
async function nothingLeft(): Promise<void> {
  do {
    await until(() => left().length === 0)
    await new Promise((resolve) => setTimeout(resolve, 200))
  } while (left().length > 0)
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  const gone = new Promise((resolve) => child.once('exit', resolve))
  child.kill(signal)
  await gone
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 10))
}

describe.runIf(process.platform === 'linux')('no process outlives the engine', () => {
  const cases = Object.entries(SURVIVORS).flatMap(([name, script]) =>
    (['SIGKILL', 'SIGSEGV', 'SIGTERM'] as const).map((signal) => ({ name, script, signal })),
  )
  it.each(cases)('that ends with $signal: $name', async ({ script, signal }) => {
    const child = await start(script, 2, 4)
    expect(left().length).toBeGreaterThanOrEqual(4)
    await end(child, signal)
    await nothingLeft()
    // After a crash the reaper removes the folder; an engine that ends by itself decides on its own.
    if (signal !== 'SIGTERM') await until(() => !existsSync(run))
    else expect(existsSync(run)).toBe(true)
  })
  it.each([
    { containers: 30, mounted: false },
    { containers: 12, mounted: true },
  ])('that is killed while it starts $containers containers (mounts: $mounted)', async ({ containers, mounted }) => {
    const script = SURVIVORS['another session']
    for (const ups of [1, 9, 18]) {
      await end(await start(script, containers, ups, mounted), 'SIGKILL')
      await nothingLeft()
    }
  })
})
