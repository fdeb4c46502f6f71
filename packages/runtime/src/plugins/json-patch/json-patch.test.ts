import {
  type EnvVar,
  FORM_ANNOTATION,
  FORM_DOCUMENT,
  JSON_PATCHES_ANNOTATION,
  type JsonPatchEntry,
  type JsonPatchOperation,
  type TrainJob,
} from '@trainjob/api'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { render } from '../../render.ts'
import { aJob, aRuntime, aTrainJob, containerOf, deepFrozen, envOf, jobSetOf } from '../../testing/objects.ts'
import { validate } from '../../validate.ts'
import { applyOperation } from './apply-operation.ts'
import { readPointer, writePointer } from './pointer.ts'

const POD = '/spec/replicatedJobs/0/template/spec/template/spec'

function patched(...entries: (Partial<JsonPatchEntry> | JsonPatchOperation)[]): TrainJob {
  const list = entries.map((entry) => ('op' in entry ? { manager: 'me', patch: [entry] } : { manager: 'me', ...entry }))
  const job = aTrainJob({ trainer: { image: 'own', numNodes: 2, env: [{ name: 'A', value: '1' }] } })
  return { ...job, metadata: { ...job.metadata, annotations: { [JSON_PATCHES_ANNOTATION]: JSON.stringify(list) } } }
}

const runtime = aRuntime(
  { torch: {} },
  { replicatedJobs: [aJob({ resources: { limits: { 'nvidia.com/gpu': '1' } } })] },
)

function add(path: string, value: unknown): JsonPatchOperation {
  return { op: 'add', path, value }
}

describe('operations reach', () => {
  it.each<[string, JsonPatchOperation, (objects: ReturnType<typeof render>['objects']) => unknown, unknown]>([
    ['the JobSet', add('/metadata/labels/a', 'b'), (objects) => jobSetOf(objects).metadata.labels, { a: 'b' }],
    [
      'its spec',
      add('/spec/ttlSecondsAfterFinished', 9),
      (objects) => jobSetOf(objects).spec.ttlSecondsAfterFinished,
      9,
    ],
    [
      'a replicated job',
      add('/spec/replicatedJobs/0/template/spec/backoffLimit', 2),
      (objects) => jobSetOf(objects).spec.replicatedJobs?.[0]?.template.spec?.backoffLimit,
      2,
    ],
    [
      'a pod',
      add(`${POD}/nodeSelector/zone`, 'a'),
      (objects) => jobSetOf(objects).spec.replicatedJobs?.[0]?.template.spec?.template.spec?.nodeSelector,
      { zone: 'a' },
    ],
    ['a container', add(`${POD}/containers/0/workingDir`, '/w'), (objects) => containerOf(objects).workingDir, '/w'],
    [
      'a container at the depth without a pod template',
      add('/spec/replicatedJobs/0/template/spec/containers/0/workingDir', '/w'),
      (objects) => containerOf(objects).workingDir,
      '/w',
    ],
    [
      'what only spec.trainer set',
      { op: 'replace', path: `${POD}/containers/0/image`, value: 'other' },
      (objects) => containerOf(objects).image,
      'other',
    ],
    [
      'what only a plugin set',
      { op: 'remove', path: `${POD}/containers/0/ports` },
      (objects) => containerOf(objects).ports,
      undefined,
    ],
    [
      'a list that was not there',
      add(`${POD}/tolerations/-`, { key: 'k' }),
      (objects) => jobSetOf(objects).spec.replicatedJobs?.[0]?.template.spec?.template.spec?.tolerations,
      [{ key: 'k' }],
    ],
  ])('%s', (_, operation, read, expected) => {
    expect(read(render(patched(operation), runtime).objects)).toEqual(expected)
  })

  it.each(['~1', '/', '\\.com/'])('a GPU limit, with %s in its name', (slash) => {
    const name = slash === '\\.com/' ? 'nvidia\\.com/gpu' : `nvidia.com${slash}gpu`
    const operation: JsonPatchOperation = {
      op: 'replace',
      path: `${POD}/containers/0/resources/limits/${name}`,
      value: 4,
    }
    const { limits } = containerOf(render(patched(operation), runtime).objects).resources ?? {}
    expect(limits).toEqual({ 'nvidia.com/gpu': '4' })
  })

  it('the environment, whether there is one or not', () => {
    const variable: EnvVar = { name: 'X', value: '1' }
    const operation = add(`${POD}/containers/0/env/-`, variable)
    expect(envOf(containerOf(render(patched(operation), runtime).objects))).toMatchObject({ A: '1', X: '1' })
    const bare = { ...patched(operation), spec: { runtimeRef: { name: 'rt' } } }
    expect(containerOf(render(bare, aRuntime()).objects).env).toEqual([variable])
  })

  it('the counts of pods', () => {
    const operations = ['parallelism', 'completions'].map((field) =>
      add(`/spec/replicatedJobs/0/template/spec/${field}`, 5),
    )
    expect(render(patched({ patch: operations }), runtime).podSets).toEqual([
      { name: 'node', ancestor: 'trainer', count: 5 },
    ])
  })
})

describe('the order', () => {
  const say = (value: string): JsonPatchOperation => add('/metadata/labels/last', value)
  it.each<[string, Partial<JsonPatchEntry>[], string]>([
    [
      'is that of the managers in the list',
      [
        { manager: 'b', time: '2026-01-02T00:00:00Z', patch: [say('b')] },
        { manager: 'a', time: '2026-01-01T00:00:00Z', patch: [say('a')] },
      ],
      'a',
    ],
    [
      'of one manager is by time',
      [
        { time: '2026-01-02T00:00:00Z', patch: [say('late')] },
        { time: '2026-01-01T00:00:00Z', patch: [say('early')] },
      ],
      'late',
    ],
    [
      'of one time is that of the list',
      [
        { time: '2026-01-01T00:00:00Z', patch: [say('first')] },
        { time: '2026-01-01T00:00:00Z', patch: [say('second')] },
      ],
      'second',
    ],
    [
      'puts what has no time yet behind',
      [{ patch: [say('new')] }, { time: '2026-01-01T00:00:00Z', patch: [say('old')] }],
      'new',
    ],
    [
      'keeps the entries of a manager together',
      [
        { manager: 'a', patch: [say('a1')] },
        { manager: 'b', patch: [say('b')] },
        { manager: 'a', patch: [say('a2')] },
      ],
      'b',
    ],
  ])('%s', (_, entries, last) => {
    expect(jobSetOf(render(patched(...entries), runtime).objects).metadata.labels).toEqual({ last })
  })

  it('of two managers at one path is said', () => {
    const { warnings } = render(
      patched({ manager: 'a', patch: [say('1')] }, { manager: 'b', patch: [say('2')] }),
      runtime,
    )
    expect(warnings).toMatchObject([
      { code: 'patch-conflict', message: 'a and b both patch /metadata/labels/last; what b says counts' },
    ])
    const ends = ['a', 'b'].map((manager) => ({
      manager,
      patch: [add(`${POD}/containers/0/env/-`, { name: manager })],
    }))
    expect(render(patched(...ends), runtime).warnings).toEqual([])
  })
})

describe('an operation that leads nowhere', () => {
  it.each<[string, JsonPatchOperation, RegExp]>([
    [
      'a field',
      { op: 'replace', path: `${POD}/hostnames`, value: 1 },
      /Could not replace .*\/hostnames, as me wants: it stopped at .*\/template\/spec: expected the field "hostnames".*there are containers/,
    ],
    [
      'a position',
      { op: 'remove', path: `${POD}/containers/1` },
      /it stopped at .*\/containers: expected a position in the list, found "1"; it has 1 item/,
    ],
    ['no object', { op: 'remove', path: `${POD}/containers/0/image/x` }, /expected an object or a list, found "own"/],
    ['a hole', add(`${POD}/containers/2`, {}), /found "2"; it has 1 item/],
    [
      'a test',
      { op: 'test', path: `${POD}/containers/0/image`, value: 'x' },
      /Could not test .*expected "x", found "own"/,
    ],
    ['a place inside of what moves', { op: 'move', from: POD, path: `${POD}/x` }, /expected another place/],
    ['a name that is not to be patched', add('/metadata/name', 'x'), /expected a path below \/spec/],
    ['suspend', add('/spec/suspend', true), /but for suspend/],
    ['containers that are none', { op: 'replace', path: `${POD}/containers`, value: 'x' }, /to be lists/],
  ])('%s: says which and where', (_, operation, message) => {
    const job = patched(operation)
    expect(() => render(job, runtime)).toThrow(
      expect.objectContaining({ code: 'json-patch-failed', message: expect.stringMatching(message) }),
    )
    expect(validate(job, runtime).errors).toMatchObject([{ code: 'json-patch-failed' }])
  })

  it('an annotation that is no list of patches is an error too', () => {
    const job = aTrainJob()
    const annotations = { [JSON_PATCHES_ANNOTATION]: '[{"patch": 1}]' }
    expect(() => render({ ...job, metadata: { ...job.metadata, annotations } }, runtime)).toThrow(/JSON list/)
  })
})

describe('after creation', () => {
  const suspended = (...entries: (Partial<JsonPatchEntry> | JsonPatchOperation)[]): TrainJob => {
    const job = patched(...entries)
    return { ...job, spec: { ...job.spec, suspend: true } }
  }
  const label = add('/metadata/labels/a', 'b')

  it.each<[string, string, JsonPatchOperation]>([
    ['the image', 'spec.trainer.image', { op: 'replace', path: `${POD}/containers/0/image`, value: 'x' }],
    ['the number of nodes', 'spec.trainer.numNodes', add('/spec/replicatedJobs/0/template/spec/parallelism', 9)],
    ['the initializer', 'spec.initializer', add(`${POD}/initContainers/-`, { name: 'dataset-initializer' })],
  ])('%s stays', (_, field, operation) => {
    const { errors } = validate(suspended(label, operation), runtime, { old: suspended(label) })
    expect(errors).toMatchObject([{ code: 'immutable', message: expect.stringContaining(field) }])
    expect(validate(suspended(label, operation), runtime, { old: suspended(operation) }).errors).toEqual([])
  })

  it('operations go while the job is suspended, also when the pods fetch the data', () => {
    const spec = { suspend: true, initializer: { dataset: { storageUri: 's3://bucket/data' } } }
    const old = patched(add(`${POD}/containers/0/env/-`, { name: 'B', value: '2' }))
    const form = { [FORM_ANNOTATION]: FORM_DOCUMENT }
    const metadata = { ...old.metadata, annotations: { ...old.metadata.annotations, ...form } }
    const job = { ...old, metadata, spec: { ...old.spec, ...spec } }
    const after = { ...job, metadata: { ...metadata, annotations: form } }
    expect(validate(after, runtime, { old: job }).errors).toEqual([])
  })

  it('operations change only while the job is suspended; their times say nothing', () => {
    const { errors } = validate(patched(label), runtime, { old: patched() })
    expect(errors).toMatchObject([{ path: 'spec.runtimePatches', code: 'immutable' }])
    expect(validate(suspended(label), runtime, { old: suspended() }).errors).toEqual([])
    const later = patched({ time: '2026-01-01T00:00:00Z', patch: [label] })
    expect(validate(later, runtime, { old: patched({ patch: [label] }) }).errors).toEqual([])
  })
})

describe('RFC 6902', () => {
  it.each<[unknown, JsonPatchOperation, unknown]>([
    [{ a: [1, 3] }, { op: 'add', path: '/a/1', value: 2 }, { a: [1, 2, 3] }],
    [{ a: [1] }, { op: 'add', path: '/a/-', value: 2 }, { a: [1, 2] }],
    [{ a: 1 }, { op: 'add', path: '/a', value: null }, { a: null }],
    [{ a: [1, 2, 3] }, { op: 'remove', path: '/a/1' }, { a: [1, 3] }],
    [{ a: { b: 1 } }, { op: 'move', from: '/a/b', path: '/c' }, { a: {}, c: 1 }],
    [{ a: [1, 2, 3] }, { op: 'move', from: '/a/0', path: '/a/2' }, { a: [2, 3, 1] }],
    [{ a: { b: 1 } }, { op: 'copy', from: '/a', path: '/c' }, { a: { b: 1 }, c: { b: 1 } }],
    [{ a: { b: [1] } }, { op: 'test', path: '/a', value: { b: [1] } }, { a: { b: [1] } }],
    [{ 'm~n/o': 1 }, { op: 'replace', path: '/m~0n~1o', value: 2 }, { 'm~n/o': 2 }],
  ])('%j %j', (value, operation, expected) => {
    expect(applyOperation(deepFrozen(value), operation)).toEqual(expected)
  })

  const key = fc.constantFrom('a', 'b', 'c~d/e')
  const value = fc.jsonValue()
  it('what is added is found there, and removing it gives the value back', () => {
    fc.assert(
      fc.property(
        fc.dictionary(key, value),
        fc.array(key, { minLength: 1, maxLength: 4 }),
        value,
        (root, keys, added) => {
          fc.pre(!keys.slice(0, -1).some((_, depth) => typeof at(root, keys.slice(0, depth + 1)) !== 'undefined'))
          fc.pre(at(root, keys) === undefined)
          const path = writePointer(keys)
          const after = applyOperation(root, { op: 'add', path, value: added })
          expect(at(after, keys)).toEqual(added)
          expect(applyOperation(after, { op: 'test', path, value: added })).toBe(after)
          if (keys.length === 1) expect(applyOperation(after, { op: 'remove', path })).toEqual(root)
        },
      ),
    )
  })

  it('a pointer is read as it is written', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), (parts) => {
        fc.pre(!parts.some((part) => part.includes('\\.') || part === 'spec'))
        fc.pre(
          !parts.some((part) =>
            ['annotations', 'labels', 'limits', 'matchLabels', 'nodeSelector', 'overhead', 'requests'].includes(part),
          ),
        )
        expect(readPointer(writePointer(parts))).toEqual(parts)
      }),
    )
  })

  function at(root: unknown, keys: readonly string[]): unknown {
    return keys.reduce<unknown>((value, part) => (value as Record<string, unknown> | null | undefined)?.[part], root)
  }
})
