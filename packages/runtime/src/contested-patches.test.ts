import type { ObjectMeta, PodSpecPatch, RuntimePatch } from '@trainjob/api'
import { describe, expect, it } from 'vitest'
import { contestedPatches } from './contested-patches.ts'
import { render } from './render.ts'
import { aRuntime, aTrainJob } from './testing/objects.ts'

function patch(manager: string, spec: PodSpecPatch, metadata?: ObjectMeta): RuntimePatch {
  const replicatedJobs = [{ name: 'node', template: { spec: { template: { spec } } } }]
  return {
    manager: `a.b/${manager}`,
    trainingRuntimeSpec: { template: { ...(metadata && { metadata }), spec: { replicatedJobs } } },
  }
}

const POD = 'replicatedJobs[node].template.spec.template.spec'

describe('patches of two managers', () => {
  it.each<[string, RuntimePatch, RuntimePatch, string[]]>([
    [
      'with the same key',
      patch('a', { nodeSelector: { z: '1' } }),
      patch('b', { nodeSelector: { z: '2' } }),
      [`${POD}.nodeSelector.z`],
    ],
    ['with different keys', patch('a', { nodeSelector: { y: '1' } }), patch('b', { nodeSelector: { z: '2' } }), []],
    ['that agree', patch('a', { nodeSelector: { z: '1' } }), patch('b', { nodeSelector: { z: '1' } }), []],
    [
      'with a list that is replaced as a whole',
      patch('a', { tolerations: [{ key: 'x' }] }),
      patch('b', { tolerations: [{ key: 'y' }] }),
      [`${POD}.tolerations`],
    ],
    [
      'with the same variable',
      patch('a', { containers: [{ name: 's', env: [{ name: 'A', value: '1' }] }] }),
      patch('b', {
        containers: [
          {
            name: 's',
            env: [
              { name: 'A', value: '2' },
              { name: 'B', value: '1' },
            ],
          },
        ],
      }),
      [`${POD}.containers[s].env[A].value`],
    ],
    [
      'with the same label',
      patch('a', {}, { labels: { l: '1' } }),
      patch('b', {}, { labels: { l: '2' } }),
      ['metadata.labels.l'],
    ],
    [
      'one of which is empty',
      { manager: 'a.b/a', trainingRuntimeSpec: { template: { spec: {} } } },
      patch('b', {}),
      [],
    ],
  ])('%s', (_, first, second, paths) => {
    const contests = paths.map((path) => ({ path, first: 'a.b/a', second: 'a.b/b' }))
    expect(contestedPatches([first, second])).toEqual(contests)
  })

  it('are warned of when the job is rendered', () => {
    const runtimePatches = [patch('a', { nodeSelector: { z: '1' } }), patch('b', { nodeSelector: { z: '2' } })]
    const { warnings } = render(aTrainJob({ runtimePatches }), aRuntime())
    expect(warnings).toMatchObject([
      { code: 'patch-conflict', path: 'spec.runtimePatches', message: expect.stringMatching(/a\.b\/a and a\.b\/b/) },
    ])
  })
})
