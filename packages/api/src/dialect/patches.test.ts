import { describe, expect, it } from 'vitest'
import { UNNAMED_MANAGER } from '../trainer/unnamed-manager.ts'
import { JSON_PATCHES_ANNOTATION } from './annotations.ts'
import { DOCUMENT, type Fields, job, translated } from './testing/written.ts'

describe('runtimePatches', () => {
  it.each<[string, Fields, Fields, string]>([
    [
      'managerKey beside a strategic patch',
      { runtimePatches: [{ managerKey: 'me', trainingRuntimeSpec: { template: { spec: {} } } }] },
      { runtimePatches: [{ manager: 'trainjob.dev/me', trainingRuntimeSpec: { template: { spec: {} } } }] },
      'spec.runtimePatches[0].managerKey',
    ],
    [
      'managerKey where a server has filled in the key of the list',
      { runtimePatches: [{ managerKey: 'me', manager: UNNAMED_MANAGER, trainingRuntimeSpec: {} }] },
      { runtimePatches: [{ manager: 'trainjob.dev/me', trainingRuntimeSpec: {} }] },
      'spec.runtimePatches[0].managerKey',
    ],
  ])('with %s', (_, written, expected, noted) => {
    const { object, notes, errors } = translated(job(written))
    expect(object.spec).toEqual({ runtimeRef: { name: 'r' }, ...expected })
    expect(object.metadata.annotations).toEqual(DOCUMENT)
    expect({ notes, errors }).toEqual({ notes: [noted], errors: [] })
  })

  it('keeps operations in an annotation, every entry of a manager for itself, and what Kueue wrote where it is', () => {
    const operation = { op: 'add', path: '/spec/x', value: 1 }
    const kueue = { manager: 'kueue.x-k8s.io/manager', trainingRuntimeSpec: { template: { spec: {} } } }
    const runtimePatches = [
      { managerKey: 'me', patch: [operation] },
      kueue,
      { managerKey: 'me', time: '2026-01-01T00:00:00Z', patch: [{ op: 'remove', path: '/spec/y' }] },
    ]
    const { object } = translated(job({ runtimePatches }))
    expect(object.spec.runtimePatches).toEqual([kueue])
    expect(JSON.parse(object.metadata.annotations?.[JSON_PATCHES_ANNOTATION] ?? '')).toEqual([
      { manager: 'me', patch: [operation] },
      { manager: 'me', time: '2026-01-01T00:00:00Z', patch: [{ op: 'remove', path: '/spec/y' }] },
    ])
  })

  it.each<[string, Fields, RegExp]>([
    [
      'an operation that is none',
      { runtimePatches: [{ managerKey: 'm', patch: [{ op: 'put', path: '/a' }] }] },
      /^spec\.runtimePatches\[0\]\.patch\[0\]\.op: expected one of add, .*found "put"/,
    ],
    [
      'a path that is none',
      { runtimePatches: [{ managerKey: 'm', patch: [{ op: 'remove', path: 'a' }] }] },
      /patch\[0\]\.path: expected a path that begins with \//,
    ],
    [
      'no value',
      { runtimePatches: [{ managerKey: 'm', patch: [{ op: 'add', path: '/a' }] }] },
      /patch\[0\]\.value: expected a value to add/,
    ],
    ['no from', { runtimePatches: [{ managerKey: 'm', patch: [{ op: 'move', path: '/a' }] }] }, /patch\[0\]\.from: /],
    [
      'no manager',
      { runtimePatches: [{ patch: [{ op: 'remove', path: '/a' }] }] },
      /^spec\.runtimePatches\[0\]: expected managerKey/,
    ],
  ])('that cannot be translated: %s', (_, written, message) => {
    const { errors, object } = translated(job(written))
    expect(errors).toEqual([expect.stringMatching(message)])
    expect(object.spec).toMatchObject(written)
  })
})
