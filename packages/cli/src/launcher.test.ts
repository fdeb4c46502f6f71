import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from './testing/temporary-folder.ts'

const launcher = fileURLToPath(new URL('../bin/trainjob.js', import.meta.url))

function setUp(files: Readonly<Record<string, string>> = {}) {
  const cwd = temporaryFolder({ ...files, 'home/.keep': '', 'tmp/.keep': '' })
  const env = {
    PATH: process.env.PATH,
    HOME: `${cwd}/home`,
    TMPDIR: `${cwd}/tmp`,
    // shared with everybody: compiling all sources anew takes most of the time of these tests
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(tmpdir(), 'node-compile-cache'),
  }
  const start = (program: string, ...argv: string[]) => {
    const child = spawn(process.execPath, [program, ...argv], { cwd, env, stdio: ['pipe', 'pipe', 'pipe'] })
    onTestFinished(() => {
      child.kill('SIGKILL')
    })
    const written = { stdout: '', stderr: '' }
    child.stdout.on('data', (chunk) => {
      written.stdout += chunk
    })
    child.stderr.on('data', (chunk) => {
      written.stderr += chunk
    })
    const done = once(child, 'close').then(([code, signal]) => ({ exitCode: code ?? signal, ...written }))
    const until = async (text: string): Promise<void> => {
      while (!written.stdout.includes(text)) await once(child.stdout, 'data')
    }
    return { child, done, until }
  }
  const run = async (...argv: string[]) => await start(launcher, ...argv).done
  return { cwd, start, run }
}

describe('the program', () => {
  test('answers help and version, and refuses what it does not know', async () => {
    const { run } = setUp()
    expect(await run('--version')).toMatchObject({ exitCode: 0, stdout: '0.1.0\n', stderr: '' })
    expect(await run('get', '--help')).toMatchObject({ exitCode: 0, stderr: '' })
    expect(await run('gett')).toMatchObject({
      exitCode: 2,
      stdout: '',
      stderr: expect.stringContaining('Did you mean "get"'),
    })
  })
  test('started by kubectl it is its plugin', async () => {
    const { cwd, start } = setUp()
    symlinkSync(launcher, `${cwd}/kubectl-trainjob`)
    const { stdout } = await start(`${cwd}/kubectl-trainjob`, '--help').done
    expect(stdout).toContain('kubectl trainjob COMMAND')
  })
  test('reads stdin', async () => {
    const { start } = setUp()
    const { child, done } = start(launcher, 'validate', '-f', '-', '-o', 'json')
    child.stdin.end('kind: TrainJob')
    expect(JSON.parse((await done).stdout)).toMatchObject({ valid: false })
  })
  test('renders the same text every time', async () => {
    const { run } = setUp({
      'a.yaml': `apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata: {name: a, uid: some-uid}
spec: {runtimeRef: {name: torch-distributed}, trainer: {numNodes: 2}}`,
    })
    const [one, two] = [
      await run('render', '-f', 'a.yaml', '-o', 'json'),
      await run('render', '-f', 'a.yaml', '-o', 'json'),
    ]
    expect(one).toEqual(two)
    expect(one.exitCode).toBe(0)
    expect(JSON.parse(one.stdout)).toMatchObject({
      kind: 'List',
      items: [{ kind: 'JobSet', metadata: { namespace: 'default', ownerReferences: [{ uid: 'some-uid' }] } }],
    })
  })
})

describe('run, as a process', () => {
  test('streams the lines of its nodes and leaves nothing behind', async () => {
    const { cwd, run } = setUp()
    const { exitCode, stdout } = await run('run', '--nodes', '2', '--', 'sh', '-c', 'echo $PET_NODE_RANK')
    expect([exitCode, stdout.trim().split('\n').toSorted()]).toEqual([0, ['node-0 | 0', 'node-1 | 1']])
    expect(readdirSync(`${cwd}/tmp`).filter((name) => name.startsWith('trainjob'))).toEqual([])
  })
  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('%s ends it cleanly, a second one at once; either way no process is left', async (signal, exitCode) => {
    const { cwd, start } = setUp()
    const script = 'trap "" TERM; echo $$ > pid; echo up; while :; do sleep 0.1; done'
    const { child, done, until } = start(launcher, 'run', '--', 'sh', '-c', script)
    await until('up')
    child.kill(signal)
    await new Promise((resolve) => child.stderr.once('data', resolve))
    child.kill(signal)
    expect((await done).exitCode).toBe(exitCode)
    const pid = Number(readFileSync(`${cwd}/pid`, 'utf8'))
    await expect.poll(() => lives(pid), { timeout: 10_000 }).toBe(false)
  })
  test('killed, it takes its processes and its folder with it all the same', async () => {
    const { cwd, start } = setUp()
    const { child, done, until } = start(launcher, 'run', '--', 'sh', '-c', 'echo $$ > pid; echo up; sleep 600')
    await until('up')
    child.kill('SIGKILL')
    await done
    const pid = Number(readFileSync(`${cwd}/pid`, 'utf8'))
    const left = () => readdirSync(`${cwd}/tmp`).filter((name) => name.startsWith('trainjob'))
    await expect.poll(() => [lives(pid), left()], { timeout: 10_000 }).toEqual([false, []])
  })
  test('a reader that goes away ends it', async () => {
    const { cwd, start } = setUp()
    const { child, done, until } = start(
      launcher,
      'run',
      '--',
      'sh',
      '-c',
      'echo $$ > pid; while :; do echo line; sleep 0.01; done',
    )
    await until('line')
    child.stdout.destroy()
    await done
    const pid = Number(readFileSync(`${cwd}/pid`, 'utf8'))
    await expect.poll(() => lives(pid), { timeout: 10_000 }).toBe(false)
  }, 30_000)
})

describe('a local cluster in the background', () => {
  test('comes up, takes jobs, and goes with everything in it', async () => {
    const { cwd, run } = setUp({
      'a.yaml': `apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata: {name: a}
spec: {runtimeRef: {name: plain}, trainer: {command: [sh, -c, pwd]}}`,
    })
    onTestFinished(async () => {
      await run('local', 'down')
    })
    expect(await run('local', 'status')).toMatchObject({ exitCode: 1 })
    expect(await run('local', 'up')).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('is up at https://127.0.0.1:'),
    })
    expect(await run('local', 'up')).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('was up already') })
    expect(await run('local', 'status', '-o', 'json')).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('"running"'),
    })
    expect((await run('local', 'kubeconfig')).stdout).toContain('certificate-authority-data')
    expect(await run('apply', '--local', '-f', 'a.yaml')).toMatchObject({ exitCode: 0 })
    expect(await run('wait', '--local', 'a', '--timeout', '30s')).toMatchObject({ exitCode: 0 })
    expect(await run('logs', 'a')).toMatchObject({
      exitCode: 0,
      stdout: `${cwd}\n`,
      stderr: 'from the local cluster, as with --local\n',
    })
    expect(await run('local', 'down')).toMatchObject({ exitCode: 0, stdout: 'local cluster "default" is down\n' })
    expect(await run('local', 'down')).toMatchObject({ exitCode: 0, stdout: 'local cluster "default" did not run\n' })
    expect(await run('get', '--local')).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('does not run') })
    expect(existsSync(`${cwd}/home/.local/share/trainjob/clusters/default/server.json`)).toBe(false)
  }, 60_000)
})

function lives(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
