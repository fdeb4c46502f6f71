import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ENGINE_MARK, markedProcesses } from '../process/marked-processes.ts'

/** An engine in a process of its own: starts two containers that do all they can to survive, then waits. */
const ENGINE = `
import { createProcessRunner } from ${JSON.stringify(join(import.meta.dirname, '../process/process-runner.ts'))}
import { createReaper } from ${JSON.stringify(join(import.meta.dirname, 'reaper.ts'))}
const [engineId, dir] = process.argv.slice(1)
const reaper = createReaper({ engineId, removeDir: dir })
const runner = createProcessRunner({ engineId, dir, reaper })
const script = 'trap "" TERM HUP INT; setsid sh -c "echo up; sleep 300; sleep 300" & echo up; sleep 300; sleep 300'
for (const id of ['a', 'b']) {
  runner.start({
    id, argv: ['sh', '-c', script], cwd: dir, env: { PATH: process.env.PATH }, mounts: [],
    onOutput: (_, chunk) => process.stdout.write(chunk),
  })
}
process.on('SIGTERM', async () => { await runner.close(); process.exit(0) })
setInterval(() => {}, 1000)
`

let dir: string
let engine: ChildProcess | undefined
const engineId = `reaper-test-${process.pid}`
const left = () => markedProcesses(ENGINE_MARK, new Set([engineId]))
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'trainjob-reaper-'))
  mkdirSync(join(dir, 'run'))
})
afterEach(() => {
  engine?.kill('SIGKILL')
  for (const pid of left()) process.kill(pid, 'SIGKILL')
  rmSync(dir, { recursive: true, force: true })
})

/** Starts the engine and waits until all four processes are up. */
async function start(): Promise<ChildProcess> {
  // Beside this file, so that it finds the workspace's packages.
  engine = spawn(process.execPath, ['--input-type=module', '--eval', ENGINE, '--', engineId, join(dir, 'run')], {
    cwd: import.meta.dirname,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let up = 0
  for await (const chunk of engine.stdout as AsyncIterable<Buffer>) {
    up += String(chunk).match(/up/g)?.length ?? 0
    if (up === 4) break
  }
  expect(left().length).toBeGreaterThanOrEqual(4)
  return engine
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 10))
}

describe.runIf(process.platform === 'linux')('no process outlives the engine', () => {
  it.each(['SIGKILL', 'SIGSEGV', 'SIGTERM'] as const)('that ends with %s', async (signal) => {
    const child = await start()
    const gone = new Promise((resolve) => child.once('exit', resolve))
    child.kill(signal)
    await gone
    await until(() => left().length === 0)
    // After a crash the reaper removes the folder; an engine that ends by itself decides on its own.
    if (signal !== 'SIGTERM') await until(() => !existsSync(join(dir, 'run')))
    else expect(existsSync(join(dir, 'run'))).toBe(true)
  })
})
