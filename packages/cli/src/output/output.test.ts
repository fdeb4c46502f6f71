import type { Pod } from '@trainjob/api'
import { describe, expect, test } from 'vitest'
import { age, humanDuration } from './age.ts'
import { elapsed } from './elapsed.ts'
import { issueLine } from './issue-line.ts'
import { nodePrefix } from './node-prefix.ts'
import { outputForm } from './output-form.ts'
import { parseDuration } from './parse-duration.ts'
import { podStatus } from './pod-status.ts'
import { printTable, widthOf } from './table.ts'
import { toYaml } from './to-yaml.ts'

describe('ages', () => {
  const s = 1000
  const m = 60 * s
  const h = 60 * m
  const d = 24 * h
  test.each([
    [0, '0s'],
    [-500, '0s'],
    [-2 * s, '<invalid>'],
    [59 * s, '59s'],
    [119 * s, '119s'],
    [2 * m, '2m'],
    [3 * m + 20 * s, '3m20s'],
    [10 * m, '10m'],
    [179 * m, '179m'],
    [3 * h, '3h'],
    [5 * h + 10 * m, '5h10m'],
    [9 * h + 10 * m, '9h'],
    [47 * h, '47h'],
    [2 * d, '2d'],
    [3 * d + 4 * h, '3d4h'],
    [8 * d + 4 * h, '8d'],
    [729 * d, '729d'],
    [2 * 365 * d, '2y'],
    [3 * 365 * d + 5 * d, '3y5d'],
    [9 * 365 * d + 5 * d, '9y'],
  ])('%d ms is %s, as kubectl says', (ms, text) => {
    expect(humanDuration(ms)).toBe(text)
  })
  test('what has no time has an unknown age', () => {
    expect(age(undefined, 0)).toBe('<unknown>')
    expect(age('2026-01-01T00:00:00Z', Date.parse('2026-01-01T00:01:00Z'))).toBe('60s')
  })
  test.each([
    [840, '0.8 s'],
    [41_200, '41 s'],
    [200_000, '3 min 20 s'],
    [7_500_000, '2 h 5 min'],
  ])('%d ms took %s', (ms, text) => {
    expect(elapsed(ms)).toBe(text)
  })
})

describe('durations of flags', () => {
  test.each([
    ['30s', 30_000],
    ['1h30m', 5_400_000],
    ['500ms', 500],
    ['2', 2000],
    ['1.5m', 90_000],
    ['1d', 86_400_000],
  ])('%s is %d ms', (text, ms) => {
    expect(parseDuration(text, '--timeout')).toBe(ms)
  })
  test.each(['', 'soon', '5x', '-3s', '1h-2m'])('"%s" is refused with an example', (text) => {
    expect(() => parseDuration(text, '--timeout')).toThrow(/--timeout wants a duration like 30s/)
  })
})

describe('tables', () => {
  test('columns are as wide as their widest cell, nothing stands behind the last', () => {
    const table = printTable(
      ['NAME', 'STATE', 'AGE'],
      [
        ['a-long-name', 'Running', '3s'],
        ['b', '', '2d'],
      ],
    )
    expect(table).toBe('NAME          STATE     AGE\na-long-name   Running   3s\nb                       2d\n')
  })
  test('without headers only the rows remain', () => {
    expect(printTable(['NAME'], [['a']], { headers: false })).toBe('a\n')
  })
  test('wide characters count twice, combining ones not at all', () => {
    expect([widthOf('abc'), widthOf('日本'), widthOf('e\u0301')]).toEqual([3, 4, 1])
  })
})

describe('node prefixes', () => {
  const plain = (_: unknown, text: string): string => text
  test('are aligned to the longest name known so far', () => {
    const prefix = nodePrefix(plain)
    expect([prefix('node-0'), prefix('launcher-0'), prefix('node-0')]).toEqual([
      'node-0 | ',
      'launcher-0 | ',
      'node-0     | ',
    ])
  })
  test('neighbours have different colours, one node always the same', () => {
    const prefix = nodePrefix((style, text) => `<${String(style)}>${text}`)
    expect(prefix('node-0')).not.toBe(prefix('node-1').replace('node-1', 'node-0'))
    expect(prefix('node-1')).toBe(prefix('node-1'))
  })
})

describe('forms of output', () => {
  test.each([
    [undefined, { kind: 'table' }],
    ['json', { kind: 'json' }],
    ['jsonpath={.a}', { kind: 'jsonpath', template: '{.a}' }],
    ['custom-columns=A:.a=b', { kind: 'custom-columns', template: 'A:.a=b' }],
  ])('%s', (text, form) => {
    expect(outputForm(text)).toEqual(form)
  })
  test.each(['xml', 'json=x', 'jsonpath'])('%s is refused', (text) => {
    expect(() => outputForm(text)).toThrow(/-o/)
  })
})

test('YAML keeps texts texts for readers of either version of YAML', async () => {
  const value = { a: 'yes', b: '0o7', c: '1_000', d: 'on', e: '1:20', f: 'x\ny', g: null, h: [], i: 'plain', j: '1e3' }
  const text = await toYaml(value)
  const { parse } = await import('yaml')
  expect(parse(text)).toEqual(value)
  expect(parse(text, { version: '1.1' })).toEqual(value)
  expect(text).toContain('i: plain\n')
})

test('an issue is one line with file, line, object, field, message and code', () => {
  const issue = {
    path: 'spec.trainer.numNode',
    code: 'unknown-field',
    message: 'unknown field',
    object: { kind: 'TrainJob', namespace: 'a', name: 'b' },
  }
  expect(issueLine({ ...issue, file: 'x.yaml', line: 3 })).toBe(
    'x.yaml:3: TrainJob a/b: spec.trainer.numNode: unknown field (unknown-field)',
  )
  expect(issueLine({ path: '', code: 'c', message: 'm', object: { kind: '', namespace: '', name: '' } })).toBe('m (c)')
})

describe('the STATUS of a pod', () => {
  const spec = { containers: [{ name: 'node' }] }
  const base = { name: 'node', ready: false, restartCount: 0, image: '', imageID: '' }
  test.each([
    ['Running', { phase: 'Running', containerStatuses: [{ ...base, state: { running: {} } }] }],
    [
      'CrashLoopBackOff',
      { phase: 'Running', containerStatuses: [{ ...base, state: { waiting: { reason: 'CrashLoopBackOff' } } }] },
    ],
    [
      'Error',
      { phase: 'Failed', containerStatuses: [{ ...base, state: { terminated: { exitCode: 1, reason: 'Error' } } }] },
    ],
    ['Completed', { phase: 'Succeeded', containerStatuses: [{ ...base, state: { terminated: { exitCode: 0 } } }] }],
    ['Init:0/1', { phase: 'Pending', initContainerStatuses: [{ ...base, state: { running: {} } }] }],
    [
      'Init:Error',
      {
        phase: 'Failed',
        initContainerStatuses: [{ ...base, state: { terminated: { exitCode: 1, reason: 'Error' } } }],
      },
    ],
    ['Pending', undefined],
  ] as const)('%s', (text, status) => {
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: {}, spec, ...(status === undefined ? {} : { status }) }
    expect(podStatus(pod as unknown as Pod)).toBe(text)
  })
  test('a pod that goes is Terminating whatever its containers do', () => {
    const metadata = { deletionTimestamp: '2026-01-01T00:00:00Z' }
    expect(podStatus({ apiVersion: 'v1', kind: 'Pod', metadata, spec, status: { phase: 'Running' } })).toBe(
      'Terminating',
    )
  })
})
