import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type LocalServer, startLocalServer } from '../testing/local-server.ts'

let server: LocalServer
beforeAll(async () => {
  server = await startLocalServer()
})
afterAll(async () => {
  await server.stop()
})

const job = (name: string, script: string, more = ''): string => `apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata: {name: ${name}, labels: {team: ${name}}}
spec:
  runtimeRef: {name: torch-distributed}
  trainer:
    numNodes: 2
    command: [sh, -c, ${JSON.stringify(script)}]
${more}`

async function submit(name: string, script: string, more?: string): Promise<void> {
  const { exitCode, stderr } = await server.run('apply', '-f', server.file(`${name}.yaml`, job(name, script, more)))
  expect([exitCode, stderr]).toEqual([0, ''])
}

describe('apply', () => {
  test('creates, leaves alone and changes, and says which', async () => {
    const file = server.file('apply.yaml', job('apply', 'exit 0', '  suspend: true'))
    const name = 'trainjob.trainer.kubeflow.org/apply'
    expect(await server.run('apply', '-f', file, '--dry-run')).toMatchObject({
      stdout: `${name} created (server dry run)\n`,
    })
    expect(await server.run('apply', '-f', file, '--dry-run=client')).toMatchObject({
      stdout: `${name} checked (dry run)\n`,
    })
    expect(await server.run('apply', '-f', file)).toEqual({ exitCode: 0, stdout: `${name} created\n`, stderr: '' })
    expect(await server.run('apply', '-f', file)).toMatchObject({ stdout: `${name} unchanged\n` })
    server.file('apply.yaml', job('apply', 'exit 0', '  suspend: false'))
    expect(await server.run('apply', '-f', file)).toMatchObject({ stdout: `${name} configured\n` })
  })
  test('sends nothing when one document is wrong', async () => {
    const file = server.file('half.yaml', `${job('half', 'exit 0')}\n---\n${job('other', 'exit 0', '  nope: 1')}`)
    const { exitCode, stderr } = await server.run('apply', '-f', file)
    expect(exitCode).toBe(2)
    expect(stderr).toContain('spec.nope')
    expect((await server.run('get', 'half')).exitCode).toBe(1)
  })
  test('shows what the server says against it', async () => {
    const file = server.file('missing.yaml', job('missing', 'exit 0').replace('torch-distributed', 'torch-distribute'))
    const { exitCode, stdout, stderr } = await server.run('apply', '-f', file)
    expect([exitCode, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(/^Error from server .*torch-distribute/)
  })
})

describe('doctor', () => {
  test('says what the cluster has', async () => {
    const { exitCode, stdout } = await server.run('doctor')
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(/^CHECK +STATE +FOUND\nTrainJob +ok +TrainJobs are served\nJobSet +ok /)
    const { checks } = JSON.parse((await server.run('doctor', '-o', 'json')).stdout)
    expect(checks.map(({ name, state }: { name: string; state: string }) => [name, state])).toContainEqual([
      'runtimes',
      'ok',
    ])
  })
})

describe('a job that completes', () => {
  beforeAll(async () => {
    await submit('good', 'echo hello from $PET_NODE_RANK')
    expect(await server.run('wait', 'good', '--timeout', '30s')).toMatchObject({
      exitCode: 0,
      stdout: 'trainjob.trainer.kubeflow.org/good Complete\n',
    })
  })
  test('get shows it in a table', async () => {
    const { stdout } = await server.run('get', 'good')
    expect(stdout).toMatch(/^NAME +STATE +NODES +RUNTIME +AGE\ngood +Complete +2 +torch-distributed +\d+s\n$/)
  })
  test.each([
    [['get', 'good', '-o', 'name'], /^trainjob\.trainer\.kubeflow\.org\/good\n$/],
    [['get', 'trainjob/good', '-o', 'jsonpath={.status.conditions[*].type}'], /Complete$/],
    [['get', '-l', 'team=good', '-o', 'custom-columns=N:.metadata.name'], /^N\ngood\n$/],
    [['get', 'good', '-o', 'yaml'], /^apiVersion: trainer\.kubeflow\.org\/v1alpha1\nkind: TrainJob\n/],
    [
      ['get', 'pods', '-l', 'jobset.sigs.k8s.io/jobset-name=good', '--no-headers'],
      /^(good-node-0-\d-\w+ +0\/1 +Completed +0 +\d+s\n){2}$/,
    ],
    [['get', 'jobs,jobsets', '--field-selector', 'metadata.name=good'], /jobset\.jobset\.x-k8s\.io\/good|^NAME/],
    [['get', 'runtimes'], /plain +cluster +plain +1/],
    [['get', 'good', '-A', '--show-labels'], /NAMESPACE.*LABELS\ndefault.*team=good/],
  ])('%j', async (argv, expected) => {
    const { exitCode, stdout, stderr } = await server.run(...argv)
    expect([exitCode, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(expected)
  })
  test('json is one object by name, a list otherwise', async () => {
    expect(JSON.parse((await server.run('get', 'good', '-o', 'json')).stdout)).toMatchObject({ kind: 'TrainJob' })
    const list = JSON.parse((await server.run('get', '-l', 'team=good', '-o', 'json')).stdout)
    expect([list.kind, list.items.length]).toEqual(['List', 1])
    expect(JSON.parse((await server.run('get', '-l', 'team=nobody', '-o', 'json')).stdout).items).toEqual([])
  })
  test('logs prints its lines behind node names', async () => {
    const { exitCode, stdout } = await server.run('logs', 'good')
    expect(exitCode).toBe(0)
    expect(stdout.trim().split('\n').toSorted()).toEqual(['node-0 | hello from 0', 'node-1 | hello from 1'])
    expect((await server.run('logs', 'good', '--node', 'node-1')).stdout).toBe('hello from 1\n')
    expect((await server.run('logs', 'good', '--node', 'node-1', '-o', 'json')).stdout).toMatch(
      /^{"node":"node-1".*}\n$/,
    )
  })
  test('describe has state, nodes and events', async () => {
    const { stdout } = await server.run('describe', 'good')
    expect(stdout).toMatch(/^State: +Complete$/m)
    expect(stdout).toMatch(/^ {2}node-1 +Succeeded/m)
    expect(stdout).toMatch(/^Events:/m)
    expect(JSON.parse((await server.run('describe', 'good', '-o', 'json')).stdout)).toMatchObject({
      state: 'Complete',
      hints: [],
    })
  })
  test('events of the job, its pods and its jobs', async () => {
    const { stdout } = await server.run('events', 'good')
    expect(stdout).toMatch(/pod\/good-node-0-0/)
    expect(stdout).toMatch(/jobset\/good/)
    expect((await server.run('events', '-o', 'json')).stdout).toMatch(/"kind": "List"/)
  })
})

describe('a job that fails', () => {
  test('fails those who wait for it and follow it, and describe says what to do', async () => {
    await submit('bad', 'echo last words; sleep 0.3; exit 3')
    const follow = server.start('logs', '-f', 'bad')
    const { exitCode, stderr } = await server.run('wait', 'bad', '--timeout', '30s')
    expect(exitCode).toBe(1)
    expect(stderr).toMatch(/"bad" is Failed, not Complete/)
    expect(await follow.done).toBe(1)
    expect(follow.stdout()).toContain('last words')
    expect((await server.run('describe', 'bad')).stdout).toMatch(/^What to do:\n {2}- trainjob logs bad$/m)
  })
})

describe('a job that goes on', () => {
  test('is suspended, resumed, watched and deleted', async () => {
    await submit('long', 'echo up; sleep 60')
    const watch = server.start('get', 'long', '-w')
    const follow = server.start('logs', '-f', 'long')
    await follow.until('up')
    expect(await server.run('wait', 'long', '--for', 'Running', '--timeout', '20s')).toMatchObject({ exitCode: 0 })
    expect(await server.run('wait', 'long', '--timeout', '50ms')).toMatchObject({ exitCode: 3 })
    expect(await server.run('suspend', 'long')).toMatchObject({
      stdout: 'trainjob.trainer.kubeflow.org/long suspended\n',
    })
    await watch.until('Suspended')
    expect(await server.run('resume', 'trainjob/long')).toMatchObject({
      stdout: 'trainjob.trainer.kubeflow.org/long resumed\n',
    })
    expect(await server.run('delete', 'long')).toEqual({
      exitCode: 0,
      stdout: 'trainjob.trainer.kubeflow.org "long" deleted\n',
      stderr: '',
    })
    expect(await server.run('wait', 'long', '--for=delete')).toMatchObject({ exitCode: 0 })
    expect(await follow.done).toBe(1)
    watch.interrupt()
    expect(await watch.done).toBe(130)
    expect(watch.stdout().match(/^NAME/gm)).toHaveLength(1)
  })
})

describe('an elastic job', () => {
  test('is scaled while it runs, within its bounds', async () => {
    const manifest = job('elastic', 'echo up; sleep 60').replace('torch-distributed', 'torch-elastic')
    await server.run('apply', '-f', server.file('elastic.yaml', manifest))
    await server.run('wait', 'elastic', '--for', 'Running', '--timeout', '20s')
    expect(await server.run('scale', 'elastic', '--nodes', '3')).toEqual({
      exitCode: 0,
      stdout: 'trainjob.trainer.kubeflow.org/elastic scaled\n',
      stderr: '',
    })
    const follow = server.start('logs', '-f', 'elastic', '--node', 'node-2')
    await follow.until('up')
    expect(await server.run('get', 'elastic', '--no-headers')).toMatchObject({
      stdout: expect.stringMatching(/^elastic +Running +3 +torch-elastic/),
    })
    const { exitCode, stderr } = await server.run('scale', 'trainjob/elastic', '--replicas=20')
    expect([exitCode, stderr]).toEqual([
      1,
      'error: cannot scale TrainJob default/elastic to 20 nodes: its runtime torch-elastic takes 1 to 16\n',
    ])
    await server.run('delete', 'elastic')
    await follow.done
  })
})

describe('what is not there', () => {
  test.each([
    [['get', 'nope'], 1],
    [['describe', 'nope'], 1],
    [['logs', 'nope'], 1],
    [['events', 'nope'], 1],
    [['suspend', 'nope'], 1],
    [['scale', 'nope', '--nodes', '2'], 1],
    [['delete', 'nope'], 1],
    [['wait', 'nope'], 4],
  ])('%j', async (argv, exitCode) => {
    expect(await server.run(...argv)).toEqual({
      exitCode,
      stdout: '',
      stderr: 'Error from server (NotFound): trainjobs.trainer.kubeflow.org "nope" not found\n',
    })
  })
  test('is no failure where that was asked for', async () => {
    expect(await server.run('delete', 'nope', '--ignore-not-found')).toMatchObject({ exitCode: 0, stderr: '' })
    expect(await server.run('get', '-n', 'kube-system')).toEqual({
      exitCode: 0,
      stdout: '',
      stderr: 'No resources found in kube-system namespace.\n',
    })
  })
  test('one missing name does not hide the others', async () => {
    await submit('there', 'exit 0')
    const { exitCode, stdout, stderr } = await server.run('get', 'there', 'nope')
    expect(exitCode).toBe(1)
    expect(stdout).toContain('there')
    expect(stderr).toContain('"nope" not found')
  })
})

describe('wrong usage', () => {
  test.each([
    [['get', 'widgets/x'], 'is no kind of object'],
    [['get', 'podz,jobs'], 'Did you mean "pods"?'],
    [['get', '-o', 'xml'], 'no form of output'],
    [['wait', 'a', '--for', 'Happy'], '--for wants one of'],
    [['wait', 'a', '--timeout', 'soon'], '--timeout wants a duration'],
    [['logs'], 'expected the name'],
    [['scale', 'a'], 'expected --nodes N'],
    [['scale', 'a', '--nodes', '0'], '--nodes wants a whole number, 1 or more'],
    [['scale', 'a', '--nodes=1', '--replicas=1'], 'either --nodes or --replicas'],
    [['logs', 'a', 'b'], 'one TrainJob'],
    [['logs', 'a', '--tail', 'x'], '--tail wants a whole number'],
    [['delete', 'pods'], 'all pods? Give names'],
    [['suspend', 'pod/x'], 'takes TrainJobs'],
    [['apply'], 'expected at least one file'],
    [['apply', 'x.yaml'], 'did you mean -f x.yaml'],
    [['local', 'status', '--name', 'A/b'], 'lower-case'],
  ])('%j', async (argv, message) => {
    const { exitCode, stdout, stderr } = await server.run(...argv)
    expect(stderr).toContain(message)
    expect([exitCode === 2 || argv[0] === 'local', stdout]).toEqual([true, ''])
  })
  test('a cluster that is not there', async () => {
    const { exitCode, stderr } = await server.run('get', '--local')
    expect([exitCode, stderr]).toEqual([
      1,
      'error: the local cluster "default" does not run. Start it with "trainjob local up".\n',
    ])
    expect((await server.run('get', '--local', '-o', 'json')).stdout).toContain('"code": "not-found"')
  })
})
