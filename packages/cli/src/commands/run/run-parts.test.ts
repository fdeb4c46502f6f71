import { chmodSync } from 'node:fs'
import type { AnyTrainingRuntime, TrainJob } from '@trainjob/api'
import { shippedRuntimes } from '@trainjob/runtime'
import type { RunView } from '@trainjob/sdk'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { capturedIO } from '../../testing/captured-io.ts'
import { temporaryFolder } from '../../testing/temporary-folder.ts'
import { commandJob, nameFromCommand } from './command-job.ts'
import { localCopy } from './local-copy.ts'
import { createMetrics } from './metrics.ts'
import { commandIn, ownCommand } from './own-command.ts'
import { preflight } from './preflight.ts'
import { progressLine, progressOf } from './progress.ts'
import { createProgressNews } from './progress-news.ts'
import { readRunOptions } from './run-options.ts'
import { createScreen } from './screen.ts'
import { summary } from './summary.ts'

describe('metrics in logs', () => {
  test.each([
    ['epoch=1 loss=0.412 accuracy=0.91', { loss: '0.412', accuracy: '0.91', epoch: '1' }],
    ['loss = 1e-3, val_loss=-2', { loss: '1e-3', val_loss: '-2' }],
    ['loss=nan', { loss: 'nan' }],
    ['path=/a/b x=1.2.3 url?a=b --lr=0.1 v=3px', {}],
    ['no metrics here', {}],
  ])('%s', (line, expected) => {
    const metrics = createMetrics()
    metrics.see('node-0', line)
    expect(Object.fromEntries(metrics.latest(10))).toEqual(expected)
  })
  test('the first node counts, the latest value wins', () => {
    const metrics = createMetrics()
    for (const [node, line] of [
      ['node-10', 'loss=9'],
      ['node-2', 'loss=5'],
      ['node-10', 'loss=8'],
      ['node-2', 'loss=4'],
    ] as const) {
      metrics.see(node, line)
    }
    expect(metrics.latest()).toEqual([['loss', '4']])
  })
  test('what judges a model comes first, and there is room for few', () => {
    const metrics = createMetrics()
    metrics.see('node-0', 'epoch=3 step=10 lr=0.1 batch=4 loss=0.5 accuracy=0.9')
    expect(metrics.latest(3).map(([name]) => name)).toEqual(['loss', 'accuracy', 'epoch'])
  })
})

describe('the screen', () => {
  test('without a terminal there is no status line', () => {
    const captured = capturedIO()
    const screen = createScreen(captured.io)
    screen.status('busy')
    screen.data('line')
    screen.note('note')
    screen.close()
    expect([screen.live, captured.stdout(), captured.stderr()]).toEqual([false, 'line\n', 'note\n'])
  })
  test('on a terminal the status line stays below everything and is cut to the width', () => {
    const captured = capturedIO({ isTTY: true, columns: 12 })
    const screen = createScreen(captured.io)
    screen.status('a very long status')
    screen.data('line')
    screen.close()
    expect(captured.stdout()).toBe('line\n')
    expect(captured.stderr()).toBe('a very lon…\r\x1b[2Ka very lon…\r\x1b[2K')
  })
})

describe('a job made from a command', () => {
  const options = {
    command: ['python', 'train.py'],
    runtime: 'torch-distributed',
    namespace: 'default',
    suffix: '7f3a',
    env: [],
  }
  test('is named after its script and made unique', () => {
    expect(commandJob(options).metadata.name).toBe('train-7f3a')
    expect(commandJob({ ...options, name: 'mine' }).metadata.name).toBe('mine')
  })
  test('says only what was said', () => {
    expect(commandJob({ ...options, nodes: 4, env: ['A=b=c', 'E='] }).spec).toEqual({
      runtimeRef: { name: 'torch-distributed' },
      trainer: {
        command: ['python', 'train.py'],
        numNodes: 4,
        env: [
          { name: 'A', value: 'b=c' },
          { name: 'E', value: '' },
        ],
      },
    })
    expect(() => commandJob({ ...options, env: ['A'] })).toThrow(/NAME=value; found "A"/)
  })
  test('leaves the command to a runtime that has one, and is named after that', () => {
    const { command: _, ...rest } = options
    const { metadata, spec } = commandJob({ ...rest, runtime: 'torchtune-llama3.2-1b', nodes: 2 })
    expect(metadata.name).toBe('torchtune-llama3-2-1-7f3a')
    expect(spec.trainer).toEqual({ numNodes: 2 })
  })
  test('means its words as they are: nothing in them is a variable', () => {
    const words = ['$(date)', '$$', '$HOME', 'a$', '$$$(x)']
    expect(commandJob({ ...options, command: words }).spec.trainer?.command).toEqual([
      '$$(date)',
      '$$$',
      '$HOME',
      'a$',
      '$$$$$$(x)',
    ])
  })
  test('always has a name that Kubernetes takes', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme', maxLength: 30 })), (command) => {
        expect(nameFromCommand(command)).toMatch(/^[a-z]([a-z0-9-]{0,18}[a-z0-9])?$/)
      }),
    )
  })
  test.each([
    [['python', 'train.py'], 'train'],
    [['./bin/Fit_All.sh'], 'fit-all'],
    [['node', '-e', '1'], 'node'],
    [['torchrun', '--nproc', '2', 'src/main.py', '--x', 'y.py'], 'main'],
    [['123'], 'job'],
  ])('%j is %s', (command, name) => {
    expect(nameFromCommand(command)).toBe(name)
  })
})

describe('the command of a runtime', () => {
  const found = Object.fromEntries(shippedRuntimes().map((one) => [one.metadata.name, ownCommand(one)?.slice(0, 2)]))
  test('stands in its trainer container; few have one', () => {
    expect(Object.entries(found).filter(([, command]) => command !== undefined)).toEqual([
      ['torchtune-llama3.2-1b', ['tune', 'run']],
      ['torchtune-llama3.2-3b', ['tune', 'run']],
      ['torchtune-qwen2.5-1.5b', ['tune', 'run']],
    ])
  })
  test('has its arguments behind it', () => {
    const container = { name: 'node', command: ['sh', '-c'], args: ['date'] }
    const labels = { 'trainer.kubeflow.org/trainjob-ancestor-step': 'trainer' }
    const template = { metadata: { labels }, spec: { template: { spec: { containers: [container] } } } }
    expect(commandIn([{ name: 'node', template }])).toEqual(['sh', '-c', 'date'])
    expect(commandIn()).toBeUndefined()
  })
})

describe('the flags of run', () => {
  const read = (flags: object, rest?: string[], args: string[] = []) =>
    readRunOptions(
      { flags: { fit: true, ...flags }, args, ...(rest === undefined ? {} : { rest }) },
      capturedIO({ cwd: '/' }).io,
    )
  test.each([
    [{}, undefined, [], 'expected -f FILE or -- COMMAND'],
    [{ nodes: '2' }, undefined, [], 'expected -f FILE or -- COMMAND'],
    [{ filename: ['x'], runtime: 'plain' }, undefined, [], '--runtime belongs to a command'],
    [{ filename: ['x'] }, ['y'], [], 'not both'],
    [{}, [], [], 'expected a command behind --'],
    [{}, undefined, ['train.py'], 'run -- train.py'],
    [{ filename: ['x'], nodes: '2' }, undefined, [], '--nodes belongs to a command'],
    [{ nodes: '0' }, ['x'], [], '--nodes wants a whole number, 1 or more; found "0"'],
    [{ nodes: '2.5' }, ['x'], [], '2.5'],
    [{ workspace: '/does/not/exist' }, ['x'], [], 'there is no such folder'],
  ])('%j %j %j are refused', (flags, rest, args, message) => {
    expect(() => read(flags, rest, args)).toThrow(message)
  })
  test('defaults', () => {
    expect(read({}, ['x'])).toEqual({
      files: { recursive: false },
      command: ['x'],
      env: [],
      runner: 'process',
      enforceLimits: false,
      hostPaths: [],
      workspace: '/',
      fit: true,
      namespace: 'default',
      force: false,
      output: 'text',
    })
  })
})

const torch = shippedRuntimes().find(({ metadata }) => metadata.name === 'torch-distributed') as AnyTrainingRuntime
const trainJob = (trainer: TrainJob['spec']['trainer'], spec: Partial<TrainJob['spec']> = {}): TrainJob => ({
  apiVersion: 'trainer.kubeflow.org/v1alpha1',
  kind: 'TrainJob',
  metadata: { name: 'a', namespace: 'default' },
  spec: { runtimeRef: { name: 'torch-distributed' }, ...(trainer === undefined ? {} : { trainer }), ...spec },
})

describe('before anything is started', () => {
  const check = (command: string[] | undefined, env: { name: string; value: string }[] = []) => {
    const workspace = temporaryFolder({ 'here.sh': '', 'plain.txt': '', 'bin/tool': '' })
    chmodSync(`${workspace}/here.sh`, 0o755)
    chmodSync(`${workspace}/bin/tool`, 0o755)
    const planned = { trainJob: trainJob(command === undefined ? { env } : { command, env }), runtime: torch }
    return preflight([planned], { env: { PATH: `${workspace}/bin` }, workspace }).map(({ code }) => code)
  }
  test.each([
    [['tool'], []],
    [['nope'], ['command-not-found']],
    [['./here.sh'], []],
    [['/workspace/here.sh'], []],
    [['./missing.sh'], ['command-not-found']],
    [['/workspace/plain.txt'], ['command-not-executable']],
    [['/bin/sh'], []],
    [['$(TOOL)'], []],
    [undefined, ['no-command']],
  ])('%j gives %j', (command, codes) => {
    expect(check(command)).toEqual(codes)
  })
  test('the PATH that the job sets counts', () => {
    expect(check(['tool'], [{ name: 'PATH', value: '/nowhere' }])).toEqual(['command-not-found'])
  })
})

describe('the copy that runs here', () => {
  test('has neither another manager nor a suspension, and says so', () => {
    const { trainJob: copy, notes } = localCopy({
      ...trainJob({ numNodes: 2 }, { managedBy: 'kueue.x-k8s.io/multikueue', suspend: true }),
      metadata: { name: 'a', uid: 'u', resourceVersion: '3', labels: { x: 'y' } },
      status: { conditions: [] },
    })
    expect(copy).toEqual({
      apiVersion: 'trainer.kubeflow.org/v1alpha1',
      kind: 'TrainJob',
      metadata: { name: 'a', labels: { x: 'y' } },
      spec: { runtimeRef: { name: 'torch-distributed' }, trainer: { numNodes: 2 } },
    })
    expect(notes).toEqual(['managedBy: kueue.x-k8s.io/multikueue is ignored here', 'suspend: true is ignored here'])
  })
})

describe('progress', () => {
  const step = (node: string, more: object = {}) => ({
    node,
    replicatedJob: 'node',
    phase: 'Running' as const,
    ready: true,
    restarts: 0,
    ...more,
  })
  const view = (more: Partial<RunView>): RunView => ({
    trainJob: trainJob({}),
    state: 'Running',
    pods: [],
    steps: [],
    ...more,
  })
  test('counts what is ready, restarts of all kinds, and names who waits', () => {
    const jobSet = { apiVersion: '', kind: 'JobSet', metadata: {}, spec: {}, status: { restarts: 2 } }
    const waiting = step('node-1', {
      phase: 'Pending',
      ready: false,
      reason: 'Unschedulable',
      message: 'Insufficient cpu',
    })
    const progress = progressOf(
      view({ state: 'Pending', jobSet, steps: [step('node-0', { restarts: 1 }), waiting] }),
      4,
    )
    expect(progress).toEqual({
      state: 'Pending',
      ready: 1,
      nodes: 4,
      restarts: 3,
      waiting: 'node-1: Unschedulable: Insufficient cpu',
    })
    expect(progressLine(progress, 5000)).toBe(
      'Pending · 1/4 nodes ready · 3 restarts · node-1: Unschedulable: Insufficient cpu · 5 s',
    )
  })
  test('only news are told in a log', () => {
    const news = createProgressNews()
    const at = (
      state: 'Pending' | 'Running' | 'Restarting' | 'Complete',
      ready: number,
      restarts = 0,
      waiting?: string,
    ) => news({ state, ready, nodes: 2, restarts, ...(waiting === undefined ? {} : { waiting }) })
    expect([
      at('Pending', 0),
      at('Pending', 0, 0, 'node-0: Unschedulable'),
      at('Pending', 0, 0, 'node-0: Unschedulable'),
      at('Running', 1),
      at('Running', 2),
      at('Restarting', 1, 1),
      at('Running', 2, 1),
      at('Running', 1, 1),
      at('Complete', 2, 1),
    ]).toEqual([
      undefined,
      'Pending · 0/2 nodes ready · node-0: Unschedulable',
      undefined,
      undefined,
      'Running · 2/2 nodes ready',
      'Restarting · 1/2 nodes ready · 1 restart',
      undefined,
      undefined,
      undefined,
    ])
  })
})

describe('the summary', () => {
  const options = { name: 'mnist', ms: 41_000, program: 'trainjob', title: '', recorded: true }
  test('of a job that is complete names its metrics, its logs and what comes next', () => {
    const metrics = createMetrics()
    metrics.see('node-0', 'loss=0.061 accuracy=0.981')
    expect(
      summary({ outcome: { kind: 'complete', trainJob: trainJob({}) }, metrics }, { ...options, file: 'm.yaml' }),
    ).toEqual([
      'Complete in 41 s · loss 0.061 · accuracy 0.981 · logs: trainjob logs mnist',
      expect.stringContaining('trainjob render -f m.yaml'),
    ])
  })
  test('of a job that failed shows who failed first, how, its last lines and a hint', () => {
    const firstFailure = {
      node: 'node-1',
      pod: 'p',
      container: 'node',
      exitCode: 127,
      reason: 'Error',
      lastLines: ['a', 'b'],
    }
    const outcome = {
      kind: 'failed' as const,
      trainJob: trainJob({}),
      reason: 'FailedJobs',
      message: 'jobset failed',
      firstFailure,
    }
    expect(summary({ outcome, metrics: createMetrics() }, { ...options, recorded: false })).toEqual([
      'node-1 failed first, with exit code 127; its last lines:',
      '  a',
      '  b',
      'FailedJobs: jobset failed',
      'hint: the command was not found on PATH; install it, or correct trainer.command',
      'Failed after 41 s',
    ])
  })
})
