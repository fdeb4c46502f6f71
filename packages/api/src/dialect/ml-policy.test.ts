import { describe, expect, it } from 'vitest'
import { canonicalRuntime, DOCUMENT, type Fields, translated } from './testing/written.ts'

describe('the policy of a framework', () => {
  it.each<[string, Fields, Fields, Record<string, string>]>([
    ['torch', { torch: { numGPUsPerNode: 2 } }, { torch: {} }, { 'trainjob.dev/num-gpus-per-node': '2' }],
    [
      'elastic torch',
      { torch: { elastic: { minReplicas: 2, maxReplicas: 8, nprocPerNode: 1 } } },
      { torch: {} },
      { 'trainjob.dev/torch-elastic': '{"minReplicas":2,"maxReplicas":8,"nprocPerNode":1}' },
    ],
    [
      'mpi',
      { mpi: { numCPUsPerNode: 3, numMPIWorkersPerNode: 2, sshdPort: 2222 } },
      { mpi: { numProcPerNode: 2 } },
      { 'trainjob.dev/num-cpus-per-node': '3', 'trainjob.dev/sshd-port': '2222' },
    ],
    ['jax', { jax: { numCPUsPerNode: 3 } }, { jax: {} }, { 'trainjob.dev/num-cpus-per-node': '3' }],
    [
      'xgboost',
      { xgboost: { numCPUsPerNode: 3, numXGBoostWorkersPerNode: 2 } },
      { xgboost: {} },
      { 'trainjob.dev/num-cpus-per-node': '3', 'trainjob.dev/num-proc-per-node': '2' },
    ],
    [
      'flux',
      { flux: { numCPUsPerNode: 32, fluxMinReplicas: 2, fluxMaxReplicas: 16 } },
      { flux: {} },
      { 'trainjob.dev/num-cpus-per-node': '32', 'trainjob.dev/flux-replicas': '2:16' },
    ],
  ])('for %s', (_, written, mlPolicy, annotations) => {
    const { object, errors } = translated(canonicalRuntime(written))
    expect(errors).toEqual([])
    expect(object).toEqual({
      ...canonicalRuntime(mlPolicy),
      metadata: { name: 'r', annotations: { ...DOCUMENT, ...annotations } },
    })
  })

  it.each<[string, Fields, string, string | undefined]>([
    [
      'v2alpha1',
      { ...canonicalRuntime({ torch: {} }), apiVersion: 'trainer.kubeflow.org/v2alpha1' },
      'apiVersion',
      undefined,
    ],
    [
      'numProcPerNode: auto',
      canonicalRuntime({ torch: { numProcPerNode: 'auto' } }),
      'spec.mlPolicy.torch.numProcPerNode',
      undefined,
    ],
    [
      'numProcPerNode: 4',
      canonicalRuntime({ torch: { numProcPerNode: 4 } }),
      'spec.mlPolicy.torch.numProcPerNode',
      '4',
    ],
    [
      'numProcPerNode: cpu',
      canonicalRuntime({ torch: { numProcPerNode: 'cpu' } }),
      'spec.mlPolicy.torch.numProcPerNode',
      'cpu',
    ],
  ])('of an earlier release: %s', (_, written, noted, processes) => {
    const { object, notes } = translated(written)
    expect(object).toMatchObject({ apiVersion: 'trainer.kubeflow.org/v1alpha1', spec: { mlPolicy: { torch: {} } } })
    expect(object.metadata.annotations?.['trainjob.dev/num-proc-per-node']).toBe(processes)
    expect(notes).toEqual([noted])
  })

  it('with numNodes inside the policy', () => {
    expect(translated(canonicalRuntime({ torch: { numNodes: 3 } })).object.spec.mlPolicy).toEqual({
      torch: {},
      numNodes: 3,
    })
  })

  it.each<[string, Fields, RegExp]>([
    [
      'a count that is none',
      canonicalRuntime({ torch: { numGPUsPerNode: 'two' } }),
      /numGPUsPerNode: expected a whole number .* "two"/,
    ],
    [
      'bounds the wrong way round',
      canonicalRuntime({ torch: { elastic: { minReplicas: 3, maxReplicas: 2 } } }),
      /found 3 and 2/,
    ],
    ['no upper bound', canonicalRuntime({ torch: { elastic: { minReplicas: 3 } } }), /expected maxReplicas/],
  ])('that cannot be translated: %s', (_, written, message) => {
    expect(translated(written).errors).toEqual([expect.stringMatching(message)])
  })
})
