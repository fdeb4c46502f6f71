import { describe, expect, it } from 'vitest'
import { type Fields, job, translated } from './testing/written.ts'

describe('overrides of earlier releases', () => {
  it('of an earlier release: overrides become patches, one after the other', () => {
    const { object, notes } = translated(
      job({
        podTemplateOverrides: [
          {
            targetJobs: [{ name: 'node' }, { name: 'launcher' }],
            metadata: { labels: { a: 'b' } },
            spec: { nodeSelector: { c: 'd' } },
          },
          { targetJobs: [{ name: 'node' }], spec: { serviceAccountName: 'e' } },
        ],
        trainer: { numProcPerNode: 'auto' },
      }),
    )
    const first = { metadata: { labels: { a: 'b' } }, spec: { nodeSelector: { c: 'd' } } }
    const patch = (replicatedJobs: Fields[]) => ({ template: { spec: { replicatedJobs } } })
    expect(object.spec).toEqual({
      runtimeRef: { name: 'r' },
      trainer: {},
      runtimePatches: [
        {
          manager: 'trainjob.dev/pod-template-override-0',
          trainingRuntimeSpec: patch(
            ['node', 'launcher'].map((name) => ({ name, template: { spec: { template: first } } })),
          ),
        },
        {
          manager: 'trainjob.dev/pod-template-override-1',
          trainingRuntimeSpec: patch([
            { name: 'node', template: { spec: { template: { spec: { serviceAccountName: 'e' } } } } },
          ]),
        },
      ],
    })
    // not the document's: other clients may read the conditions
    expect(object.metadata.annotations).toBeUndefined()
    expect(notes).toEqual(['spec.trainer.numProcPerNode', 'spec.podTemplateOverrides'])
  })

  it('of 2.0: podSpecOverrides', () => {
    const { object } = translated(
      job({ podSpecOverrides: [{ targetJobs: [{ name: 'node' }], volumes: [{ name: 'v' }] }] }),
    )
    expect(object.spec.runtimePatches).toMatchObject([
      {
        trainingRuntimeSpec: {
          template: {
            spec: {
              replicatedJobs: [
                { name: 'node', template: { spec: { template: { spec: { volumes: [{ name: 'v' }] } } } } },
              ],
            },
          },
        },
      },
    ])
  })

  it.each<[string, Fields]>([
    ['targetJobs with names', { targetJobs: [{ name: 'node' }] }],
    ['targetJobs that are names', { targetJobs: ['node'] }],
    ['targetJob with a name', { targetJob: { name: 'node' } }],
    ['targetJob that is a name', { targetJob: 'node' }],
    ['targetReplicatedJobs', { targetReplicatedJobs: ['node'] }],
  ])('find their jobs by %s', (_, target) => {
    const { object, errors } = translated(job({ podSpecOverrides: [{ ...target, volumes: [{ name: 'v' }] }] }))
    expect(errors).toEqual([])
    expect(JSON.stringify(object.spec.runtimePatches)).toContain(
      '"replicatedJobs":[{"name":"node","template":{"spec":{"template":{"spec":{"volumes":[{"name":"v"}]}}}}}]',
    )
  })

  it('of 2.1 that are laid out as those of 2.0', () => {
    const override = {
      targetJobs: [{ name: 'node' }],
      metadata: { labels: { a: 'b' } },
      volumes: [],
      spec: { nodeSelector: {} },
    }
    const { object, errors } = translated(job({ podTemplateOverrides: [override] }))
    expect(errors).toEqual([])
    expect(JSON.stringify(object.spec.runtimePatches)).toContain(
      '{"metadata":{"labels":{"a":"b"}},"spec":{"volumes":[],"nodeSelector":{}}}',
    )
  })

  it.each<[string, Fields, RegExp]>([
    ['no list', { podSpecOverrides: { spec: {} } }, /^spec\.podSpecOverrides: expected a list.*\nruntimePatches:\n/s],
    [
      'resources',
      { podSpecOverrides: [{ targetJobs: ['node'], containers: [{ name: 'node', resources: {} }] }] },
      /containers\[0\]\.resources: .*\ntrainer:\n {2}resourcesPerNode:/s,
    ],
    [
      'overrides of nothing',
      { podSpecOverrides: [{ volumes: [] }] },
      /^spec\.podSpecOverrides\[0\]\.targetJobs: .*\nruntimePatches:\n/s,
    ],
  ])('that cannot be translated: %s', (_, written, message) => {
    const { errors, object } = translated(job(written))
    expect(errors).toEqual([expect.stringMatching(message)])
    expect(object.spec).toMatchObject(written)
  })
})
