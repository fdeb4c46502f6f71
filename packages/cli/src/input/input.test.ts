import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { CliError } from '../cli-error.ts'
import { capturedIO } from '../testing/captured-io.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { inApplyOrder } from './apply-order.ts'
import { refuseFaulty } from './blocking.ts'
import { readManifests } from './manifests.ts'
import { readFiles } from './read-files.ts'
import { resourceOf } from './resource-of.ts'

const job = (
  name: string,
  runtime = 'torch-distributed',
  more = '',
): string => `apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata: {name: ${name}}
spec:
  runtimeRef: {name: ${runtime}}
${more}`

const read = (text: string, options: Partial<Parameters<typeof readManifests>[1]> = {}) =>
  readManifests([{ file: 'x.yaml', text }], { namespace: 'default', ...options })

describe('files', () => {
  test('of a folder are read in order, others left alone', async () => {
    const cwd = temporaryFolder({
      'd/b.yml': 'b',
      'd/a.yaml': 'a',
      'd/c.json': 'c',
      'd/notes.txt': 'n',
      'd/e/f.yaml': 'f',
    })
    const { io } = capturedIO({ cwd })
    expect(await readFiles({ filename: ['d'] }, io)).toEqual([
      { file: join('d', 'a.yaml'), text: 'a' },
      { file: join('d', 'b.yml'), text: 'b' },
      { file: join('d', 'c.json'), text: 'c' },
    ])
    const deep = await readFiles({ filename: ['d'], recursive: true }, io)
    expect(deep.map(({ file }) => file)).toContain(join('d', 'e', 'f.yaml'))
  })
  test('- is stdin', async () => {
    const { io } = capturedIO({ stdin: 'text' })
    expect(await readFiles({ filename: ['-'] }, io)).toEqual([{ file: 'stdin', text: 'text' }])
  })
  test('all that cannot be read is said at once', async () => {
    const cwd = temporaryFolder({ 'empty/x.txt': '' })
    const { io } = capturedIO({ cwd })
    const failure = readFiles({ filename: ['nope.yaml', 'empty', 'https://x/y.yaml'] }, io)
    await expect(failure).rejects.toThrow(/nope\.yaml: there is no such file\nempty: a folder without.*\nhttps:.*a URL/)
  })
  test('at least one is wanted', async () => {
    await expect(readFiles({}, capturedIO().io)).rejects.toMatchObject({ code: 'usage' })
  })
})

describe('manifests', () => {
  test('jobs get a namespace and their runtime: of the files, else shipped', () => {
    const own = `apiVersion: trainer.kubeflow.org/v1alpha1
kind: ClusterTrainingRuntime
metadata: {name: plain, labels: {mine: 'yes'}}
spec: {template: {spec: {replicatedJobs: [{name: node, template: {metadata: {labels: {trainer.kubeflow.org/trainjob-ancestor-step: trainer}}, spec: {template: {spec: {containers: [{name: node}]}}}}}]}}}
`
    const { jobs, others, errors } = read(`${job('a')}\n---\n${job('b', 'plain')}\n---\n${own}`)
    expect(errors).toEqual([])
    expect(
      jobs.map(({ trainJob, runtime }) => [
        trainJob.metadata.namespace,
        runtime.metadata.name,
        runtime.metadata.labels?.mine,
      ]),
    ).toEqual([
      ['default', 'torch-distributed', undefined],
      ['default', 'plain', 'yes'],
    ])
    expect(others).toHaveLength(1)
  })
  test('a namespaced runtime counts in its own namespace only', () => {
    const text = (namespace: string): string => `apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainingRuntime
metadata: {name: mine, namespace: ${namespace}}
spec: {template: {spec: {replicatedJobs: [{name: node, template: {spec: {template: {spec: {containers: [{name: node}]}}}}}]}}}
---
apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata: {name: a, namespace: x}
spec: {runtimeRef: {name: mine, kind: TrainingRuntime}}`
    expect(read(text('x')).jobs).toHaveLength(1)
    expect(read(text('z')).errors).toMatchObject([{ code: 'runtime-not-found' }])
  })
  test('faults of all documents come at once, in the order of the text, with their lines', () => {
    const text = `${job('a', 'torch-distribute', '  trainer: {numNode: 3}')}\n---\nkind: }\n---\n${job('c', 'nope')}`
    const { errors, jobs } = read(text)
    expect(jobs).toEqual([])
    expect(errors.map(({ line, path, code }) => [line, path, code])).toEqual([
      [5, 'spec.runtimeRef.name', 'runtime-not-found'],
      [6, 'spec.trainer.numNode', 'unknown-field'],
      [8, '', 'yaml-syntax'],
      [14, 'spec.runtimeRef.name', 'runtime-not-found'],
    ])
    expect(errors[0]?.message).toContain('Did you mean "torch-distributed"?')
  })
  test('a runtime with faults of its own is not missing', () => {
    const text = `apiVersion: trainer.kubeflow.org/v1alpha1
kind: ClusterTrainingRuntime
metadata: {name: mine}
spec: {mlPolicy: {numNode: 3}}
---
${job('a', 'mine')}`
    expect(read(text).errors.every(({ code }) => code !== 'runtime-not-found')).toBe(true)
  })
  test('with other runtimes in the cluster, an unknown one is no error', () => {
    const { errors, unplanned } = read(job('a', 'nope'), { otherRuntimes: true })
    expect(errors).toEqual([])
    expect(unplanned.map(({ object }) => object.metadata.name)).toEqual(['a'])
  })
  test('a change of what must not change is an error, with the line of the new text', () => {
    const old = [{ file: 'old.yaml', text: job('a', 'plain') }]
    expect(read(job('a', 'torch-distributed'), { old }).errors).toMatchObject([
      { file: 'x.yaml', path: expect.stringContaining('spec.runtimeRef') },
    ])
    expect(read(job('a', 'plain'), { old }).errors).toEqual([])
  })
  test('objects that are no objects at all do not get in the way', () => {
    for (const text of [
      '',
      '# nothing',
      '3',
      'a: 1',
      '[]',
      'kind: TrainJob',
      'apiVersion: 3\nkind: TrainJob\nspec: 4',
    ]) {
      expect(read(text).jobs).toEqual([])
    }
  })
})

describe('what is known to fail', () => {
  const issue = (code: string) => ({ path: '', code, message: 'm', object: { kind: '', namespace: '', name: '' } })
  test('is refused, unless forced; advice is let through', () => {
    const manifests = { errors: [], warnings: [issue('name-too-long'), issue('deprecated-runtime')] }
    expect(() => refuseFaulty(manifests, { force: false })).toThrow(/one fault .*--force/)
    expect(refuseFaulty(manifests, { force: true })).toHaveLength(2)
    expect(refuseFaulty({ errors: [], warnings: [issue('deprecated-runtime')] }, { force: false })).toHaveLength(1)
  })
  test('errors cannot be forced', () => {
    try {
      refuseFaulty({ errors: [issue('required')], warnings: [] }, { force: true, more: [issue('command-not-found')] })
      expect.unreachable()
    } catch (error) {
      expect(error).toBeInstanceOf(CliError)
      expect((error as CliError).issues.map(({ code }) => code)).toEqual(['required', 'command-not-found'])
      expect((error as CliError).exitCode).toBe(2)
    }
  })
})

test.each([
  ['v1', 'Pod', { group: '', version: 'v1', plural: 'pods', namespaced: true }],
  ['trainer.kubeflow.org/v1alpha1', 'TrainJob', { plural: 'trainjobs', namespaced: true }],
  ['scheduling.k8s.io/v1', 'PriorityClass', { plural: 'priorityclasses', namespaced: false }],
  [
    'networking.k8s.io/v1',
    'NetworkPolicy',
    { group: 'networking.k8s.io', plural: 'networkpolicies', namespaced: true },
  ],
  ['x.io/v1', 'Gateway', { plural: 'gateways' }],
])('%s %s is served as', (apiVersion, kind, expected) => {
  expect(resourceOf({ apiVersion, kind })).toMatchObject(expected)
})

test('objects are applied behind what they refer to', () => {
  const documents = ['TrainJob', 'ConfigMap', 'Widget', 'ClusterTrainingRuntime', 'Namespace'].map((kind) => ({
    object: { apiVersion: 'v1', kind, metadata: {} },
  }))
  expect(inApplyOrder(documents).map(({ object }) => object.kind)).toEqual([
    'Namespace',
    'ConfigMap',
    'ClusterTrainingRuntime',
    'Widget',
    'TrainJob',
  ])
})
