import type { RuntimePatch } from '@trainjob/api'
import { describe, expect, it } from 'vitest'
import { withPatchTimes } from './patch-times.ts'

const NOW = '2026-01-02T00:00:00Z'
const OLD = '2026-01-01T00:00:00Z'

function patch(manager: string, label?: string, time?: string): RuntimePatch {
  return {
    manager,
    ...(time !== undefined && { time }),
    trainingRuntimeSpec: { template: { spec: {}, ...(label !== undefined && { metadata: { labels: { label } } }) } },
  }
}

describe('withPatchTimes', () => {
  it.each<[string, RuntimePatch[], RuntimePatch[] | undefined, (string | undefined)[]]>([
    ['a new job: every patch without a time', [patch('a'), patch('b', 'x', OLD)], undefined, [NOW, OLD]],
    ['unchanged: the stored time, without one sent', [patch('a')], [patch('a', undefined, OLD)], [OLD]],
    [
      'unchanged: the stored time, whatever was sent',
      [patch('a', undefined, NOW)],
      [patch('a', undefined, OLD)],
      [OLD],
    ],
    ['changed: now, whatever was sent', [patch('a', 'y', OLD)], [patch('a', 'x', OLD)], [NOW]],
    ['a new manager beside an old one', [patch('a'), patch('b')], [patch('a', undefined, OLD)], [OLD, NOW]],
  ])('%s', (_, patches, stored, times) => {
    expect(withPatchTimes(patches, stored, NOW).map((one) => one.time)).toEqual(times)
  })

  it('keeps empty objects, on which Kueue relies', () => {
    expect(withPatchTimes([patch('kueue.x-k8s.io/manager')], undefined, NOW)[0]?.trainingRuntimeSpec).toEqual({
      template: { spec: {} },
    })
  })
})
