import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { main } from '../../program.ts'
import { capturedIO } from '../../testing/captured-io.ts'
import { temporaryFolder } from '../../testing/temporary-folder.ts'

const manifest = (name: string, script: string, more = ''): string => `apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata: {name: ${name}}
spec:
  runtimeRef: {name: once}
  trainer:
    numNodes: 2
    command: [sh, -c, ${JSON.stringify(script)}]
${more}`

/** Where temporary files go for the rest of the test, and nobody else's. */
function ownTmp(): string {
  const tmp = mkdtempSync(join(tmpdir(), 'tj-'))
  vi.stubEnv('TMPDIR', tmp)
  onTestFinished(() => {
    vi.unstubAllEnvs()
    rmSync(tmp, { recursive: true, force: true })
  })
  return tmp
}

/** Like plain, but a failure is final at once. */
const once = `apiVersion: trainer.kubeflow.org/v1alpha1
kind: ClusterTrainingRuntime
metadata: {name: once}
spec:
  mlPolicy: {numNodes: 1}
  template:
    spec:
      replicatedJobs:
        - name: node
          template:
            metadata: {labels: {trainer.kubeflow.org/trainjob-ancestor-step: trainer}}
            spec:
              backoffLimit: 0
              template: {spec: {restartPolicy: Never, containers: [{name: node, image: none}]}}
`

function setUp(files: Readonly<Record<string, string>> = {}) {
  const cwd = temporaryFolder({ ...files, 'home/.keep': '' })
  const env = { PATH: process.env.PATH, HOME: `${cwd}/home` }
  const start = (...argv: string[]) => {
    const captured = capturedIO({ cwd, env })
    return { ...captured, done: main(argv, captured.io) }
  }
  const run = async (...argv: string[]) => {
    const { done, stdout, stderr } = start(...argv)
    return { exitCode: await done, stdout: stdout(), stderr: stderr() }
  }
  return { cwd, start, run }
}

describe('run -- COMMAND', () => {
  test('runs it on every node, in the current folder, and ends with what came out', async () => {
    const { cwd, run } = setUp()
    const { exitCode, stdout, stderr } = await run(
      'run',
      '--nodes',
      '3',
      '--env',
      'A=b c',
      '--',
      'sh',
      '-c',
      'echo $PET_NODE_RANK/$PET_NNODES $A loss=0.$PET_NODE_RANK $PWD',
    )
    expect(stderr).toMatch(
      /^torch-distributed · 3 nodes on this machine · image not pulled, commands run with the tools found here\n/,
    )
    expect(stdout.trim().split('\n').toSorted()).toEqual(
      [0, 1, 2].map((rank) => `node-${rank} | ${rank}/3 b c loss=0.${rank} ${cwd}`),
    )
    expect(stderr).toMatch(/Complete in \S+ s · loss 0\.0 · logs: trainjob logs sh-7f3a\n$/)
    expect(exitCode).toBe(0)
    const logs = await run('logs', 'sh-7f3a', '--node', 'node-2')
    expect(logs.stdout).toMatch(/^2\/3 /)
    expect(logs.stderr).toMatch(/^from the record of the run/)
  })
  test('works in another folder and under another name when told', async () => {
    const { run, cwd } = setUp({ 'work/x': '' })
    const { stdout } = await run(
      'run',
      '--name',
      'mine',
      '--runtime',
      'plain',
      '--workspace',
      'work',
      '--',
      'sh',
      '-c',
      'pwd; ls',
    )
    expect(stdout).toBe(`node-0 | ${cwd}/work\nnode-0 | x\n`)
    expect((await run('logs', 'mine')).stdout).toContain('/work')
  })
  test.each([
    [['--', 'no-such-program'], '"no-such-program" is not on PATH'],
    [
      ['--runtime', 'flux-distributed', '--', 'sh'],
      'takes Flux out of the image ghcr.io/converged-computing/flux-view',
    ],
    [['--runtime', 'torch', '--', 'sh'], 'there is no runtime "torch"'],
    [['--runtime', 'plain'], 'the runtime plain has no command of its own; write one: run --runtime plain -- COMMAND'],
    // what the runtime runs is looked for like any other program
    [
      ['--runtime', 'torchtune-llama3.2-1b', '--env', 'PATH=/none'],
      '"tune" is not on PATH; it comes with: pip install',
    ],
    [['--name', 'Not_A_Name', '--', 'sh'], 'metadata.name'],
    [['--name', 'x'.repeat(60), '--', 'sh'], 'the longest name that fits'],
    [['--env', 'PET_NNODES=3', '--', 'sh'], 'PET_NNODES'],
  ])('%j is refused before anything starts', async (argv, message) => {
    const { run } = setUp()
    const tmp = ownTmp()
    const { exitCode, stdout, stderr } = await run('run', ...argv)
    expect(stderr).toContain(message)
    expect([exitCode, stdout, readdirSync(tmp)]).toEqual([2, '', []])
  })
})

describe('run -f', () => {
  test('runs every job of the files with their own runtime, and keeps their names', async () => {
    const files = { 'a.yaml': `${manifest('a', 'echo from a')}---\n${once}`, 'b.yaml': manifest('b', 'echo from b') }
    const { run } = setUp(files)
    const { exitCode, stdout, stderr } = await run('run', '-f', 'a.yaml', '-f', 'b.yaml')
    expect(stdout.trim().split('\n').toSorted()).toEqual([
      'a/node-0 | from a',
      'a/node-1 | from a',
      'b/node-0 | from b',
      'b/node-1 | from b',
    ])
    expect(stderr).toMatch(/^a: Complete/m)
    expect(stderr).toMatch(/^b: Complete/m)
    expect(exitCode).toBe(0)
  })
  test('a job that another manager would run runs here too', async () => {
    const { run } = setUp({
      'a.yaml': `${manifest('a', 'echo hi', '  managedBy: kueue.x-k8s.io/multikueue\n  suspend: true\n')}---\n${once}`,
    })
    const { exitCode, stderr } = await run('run', '-f', 'a.yaml')
    expect(stderr).toContain('managedBy: kueue.x-k8s.io/multikueue is ignored here\n')
    expect(exitCode).toBe(0)
  })
  test('a failure shows who failed first, how, and its last lines', async () => {
    const { run } = setUp({
      'a.yaml': `${manifest('a', 'echo one; echo two; [ $JOB_COMPLETION_INDEX = 0 ] || exit 7; sleep 30')}---\n${once}`,
    })
    const { exitCode, stderr } = await run('run', '-f', 'a.yaml')
    expect(stderr).toContain('node-1 failed first, with exit code 7; its last lines:\n  one\n  two\n')
    expect(stderr).toMatch(/^Failed after .* logs: trainjob logs a\n$/m)
    expect(exitCode).toBe(1)
  })
  test('with -o json, stdout is the final job alone', async () => {
    const { run } = setUp({ 'a.yaml': `${manifest('a', 'echo hi')}---\n${once}` })
    const { stdout, stderr } = await run('run', '-f', 'a.yaml', '-o', 'json')
    expect(JSON.parse(stdout)).toMatchObject({ kind: 'TrainJob', status: { conditions: [{ type: 'Complete' }] } })
    expect(stderr).toContain('node-0 | hi')
  })
  test('all faults come at once, and nothing starts', async () => {
    const { run } = setUp({
      'a.yaml': `${manifest('a', 'x', '  nope: 1\n')}---\n${manifest('b', 'x').replace('once', 'two')}`,
    })
    const { exitCode, stdout, stderr } = await run('run', '-f', 'a.yaml', '-f', 'a.yaml')
    expect(stderr).toMatch(/a\.yaml:9: TrainJob default\/a: spec\.nope/)
    expect(stderr).toMatch(/a\.yaml:15: TrainJob default\/b: spec\.runtimeRef\.name/)
    expect(stderr.match(/a\.yaml:9/g)).toHaveLength(1)
    expect([exitCode, stdout]).toEqual([2, ''])
  })
  test('two jobs of one name are one too many', async () => {
    const { run } = setUp({ 'a.yaml': `${manifest('a', 'x')}---\n${manifest('a', 'y')}---\n${once}` })
    expect(await run('run', '-f', 'a.yaml')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('duplicate-object'),
    })
  })
  test('files without a TrainJob have nothing to run', async () => {
    const { run } = setUp({ 'a.yaml': once })
    expect(await run('run', '-f', 'a.yaml')).toMatchObject({ exitCode: 2 })
  })
})

describe('Ctrl-C', () => {
  test('ends the job, its processes and its folder', async () => {
    const { cwd, start, run } = setUp()
    const tmp = ownTmp()
    const script = 'trap "" TERM; echo $$ > pid; echo up; while :; do sleep 0.1; done'
    const started = start('run', '--runtime', 'plain', '--', 'sh', '-c', script)
    await started.until('up')
    started.interrupt()
    expect(await started.done).toBe(130)
    expect(started.stderr()).toContain('stopped; nothing is left running\n')
    const pid = Number(readFileSync(`${cwd}/pid`, 'utf8'))
    expect(() => process.kill(pid, 0)).toThrow(/ESRCH/)
    expect(readdirSync(tmp)).toEqual([])
    expect(existsSync(`${cwd}/home/.local/share/trainjob/runs/sh-7f3a/record.json`)).toBe(true)
    expect((await run('logs', 'sh-7f3a')).stdout).toBe('up\n')
  }, 30_000)
})
