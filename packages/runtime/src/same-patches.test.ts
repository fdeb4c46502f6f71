import type { RuntimePatch } from '@trainjob/api'
import { describe, expect, it } from 'vitest'
import { samePatches } from './same-patches.ts'

function pod(spec: object): RuntimePatch[] {
  const replicatedJobs = [{ name: 'node', template: { spec: { template: { spec } } } }]
  return [{ manager: 'a.io/x', trainingRuntimeSpec: { template: { spec: { replicatedJobs } } } }] as RuntimePatch[]
}

describe('samePatches', () => {
  it.each<[string, RuntimePatch[] | undefined, RuntimePatch[] | undefined, boolean]>([
    ['no list and an empty one', undefined, [], true],
    ['an empty list inside and none', pod({ tolerations: [] }), pod({}), true],
    ['an empty map inside and none', pod({ nodeSelector: {} }), pod({}), true],
    [
      'quantities of one value',
      pod({ volumes: [{ name: 'v', emptyDir: { sizeLimit: '1000m' } }] }),
      pod({ volumes: [{ name: 'v', emptyDir: { sizeLimit: '1' } }] }),
      true,
    ],
    ['an empty object and none', pod({ securityContext: {} }), pod({}), false],
    ['another manager', [{ manager: 'a.io/x' }], [{ manager: 'b.io/x' }], false],
    ['another order', [{ manager: 'a' }, { manager: 'b' }], [{ manager: 'b' }, { manager: 'a' }], false],
    ['another time', [{ manager: 'a', time: '2026-01-01T00:00:00Z' }], [{ manager: 'a' }], false],
  ])('%s: %s', (_, a, b, expected) => {
    expect(samePatches(a, b)).toBe(expected)
    expect(samePatches(b, a)).toBe(expected)
  })
})
