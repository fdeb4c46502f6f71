import { expect, it } from 'vitest'
import { parseJsonPath } from './json-path.ts'

const object = {
  metadata: { labels: { 'a.b/c': 'x' } },
  status: {
    phase: 'Up',
    count: 0,
    conditions: [
      { type: 'A', status: 'True' },
      { type: 'B', status: 'False' },
    ],
  },
}

it.each([
  ['.status.phase', ['Up']],
  ['{.status.phase}', ['Up']],
  ['$.status.count', [0]],
  ['.status.conditions[-1:].type', ['B']],
  ['.status.conditions[0].type', ['A']],
  ['.status.conditions[-1].type', ['B']],
  ['.status.conditions[*].type', ['A', 'B']],
  ['.status.conditions[?(@.type=="B")].status', ['False']],
  [".status.conditions[?(@.type!='B')].type", ['A']],
  [".metadata.labels['a.b/c']", ['x']],
  [".metadata.labels['a\\.b/c']", ['x']],
  ['.status.missing.more', []],
  ['.status.phase.more', []],
])('%s finds %j', (path, found) => {
  expect(parseJsonPath(path)(object)).toEqual(found)
})

it('refuses what it does not know', () => {
  expect(() => parseJsonPath('.a[?(@.b > 1)]')).toThrow('Expected a JSONPath like')
})
