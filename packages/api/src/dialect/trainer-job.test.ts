import { describe, expect, it } from 'vitest'
import { type Fields, LABEL, runtime, translated } from './testing/written.ts'

describe('the job that trains', () => {
  it('whose only job has names of its own: those that upstream asks for, in references too', () => {
    const { object, errors } = translated(
      runtime({
        mlPolicy: { torch: {} },
        template: {
          spec: {
            replicatedJobs: [
              {
                name: 'worker',
                replicas: 4,
                template: { spec: { containers: [{ name: 'trainer', image: 'i' }], restartPolicy: 'OnFailure' } },
              },
            ],
            coordinator: { replicatedJob: 'worker' },
            successPolicy: { operator: 'All', targetReplicatedJobs: ['worker'] },
            failurePolicy: { maxRetries: 3, rules: [{ action: 'FailJobSet', targetReplicatedJobs: ['worker'] }] },
          },
        },
      }),
    )
    expect(errors).toEqual([])
    expect(object.spec).toEqual({
      mlPolicy: { torch: {}, numNodes: 4 },
      template: {
        spec: {
          replicatedJobs: [
            {
              name: 'node',
              template: {
                metadata: { labels: { [LABEL]: 'trainer' } },
                spec: {
                  template: {
                    metadata: { annotations: { 'trainjob.dev/written-as': 'worker/trainer' } },
                    spec: { containers: [{ name: 'node', image: 'i' }], restartPolicy: 'OnFailure' },
                  },
                },
              },
            },
          ],
          coordinator: { replicatedJob: 'node' },
          successPolicy: { operator: 'All', targetReplicatedJobs: ['node'] },
          failurePolicy: { maxRestarts: 3, rules: [{ action: 'FailJobSet', targetReplicatedJobs: ['node'] }] },
        },
      },
    })
  })

  it('for MPI with workers only: a launcher stands behind them', () => {
    const { object, errors } = translated(
      runtime({
        mlPolicy: { mpi: { numMPIWorkersPerNode: 2 } },
        template: {
          spec: {
            replicatedJobs: [
              {
                name: 'worker',
                replicas: 3,
                template: { spec: { containers: [{ name: 'trainer', image: 'i', command: ['mpirun', 'x'] }] } },
              },
            ],
          },
        },
      }),
    )
    expect(errors).toEqual([])
    const { replicatedJobs, successPolicy } = (
      object.spec.template as { spec: { replicatedJobs: Fields[]; successPolicy: Fields } }
    ).spec
    expect(object.spec.mlPolicy).toEqual({ mpi: { numProcPerNode: 2 } })
    expect(replicatedJobs.map(({ name }) => name)).toEqual(['node', 'launcher'])
    expect(replicatedJobs[0]).toMatchObject({
      template: {
        spec: {
          parallelism: 3,
          completions: 3,
          template: { spec: { containers: [{ name: 'node', image: 'i', command: ['/usr/sbin/sshd', '-De'] }] } },
        },
      },
    })
    expect(replicatedJobs[1]).toMatchObject({
      dependsOn: [{ name: 'node', status: 'Ready' }],
      template: {
        metadata: { labels: { [LABEL]: 'trainer' } },
        spec: { template: { spec: { containers: [{ name: 'node', image: 'i', command: ['mpirun', 'x'] }] } } },
      },
    })
    expect(successPolicy).toEqual({ operator: 'All', targetReplicatedJobs: ['launcher'] })
  })

  it('with the label, whose container is called otherwise', () => {
    const { object, notes } = translated(withContainers([{ name: 'pytorch' }]))
    expect(object.spec).toMatchObject({
      template: {
        spec: { replicatedJobs: [{ template: { spec: { template: { spec: { containers: [{ name: 'node' }] } } } } }] },
      },
    })
    expect(notes).toEqual(['spec.template.spec.replicatedJobs[0].template.spec.template.spec.containers[0].name'])
  })

  it.each<[string, Fields, RegExp]>([
    [
      'containers where jobs belong',
      runtime({ template: { spec: { containers: [{ name: 'a' }] } } }),
      /^spec\.template\.spec\.containers: .*\nreplicatedJobs:\n/s,
    ],
    [
      'several containers, none of which trains by its name',
      runtime({
        mlPolicy: { torch: { numGPUsPerNode: 1 } },
        template: {
          spec: { replicatedJobs: [{ name: 'w', template: { spec: { containers: [{ name: 'a' }, { name: 'b' }] } } }] },
        },
      }),
      /replicatedJobs\[0\]\.template\.spec\.containers: .*\ncontainers:\n {2}- name: node/s,
    ],
    [
      'two numbers of nodes',
      runtime({
        mlPolicy: { torch: { numGPUsPerNode: 1 }, numNodes: 2 },
        template: {
          spec: { replicatedJobs: [{ name: 'w', replicas: 4, template: { spec: { containers: [{ name: 'a' }] } } }] },
        },
      }),
      /replicas: .*numNodes: 2 and replicas: 4/,
    ],
  ])('that cannot be translated: %s', (_, written, message) => {
    expect(translated(written).errors).toEqual([expect.stringMatching(message)])
  })

  function withContainers(containers: Fields[]): Fields {
    const template = { metadata: { labels: { [LABEL]: 'trainer' } }, spec: { template: { spec: { containers } } } }
    return runtime({ template: { spec: { replicatedJobs: [{ name: 'node', template }] } } })
  }
})
