import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatFieldPath } from '../field-path.ts'
import { JSON_PATCHES_ANNOTATION } from './annotations.ts'
import { toCanonical } from './to-canonical.ts'

type Fields = Record<string, unknown>

const LABEL = 'trainer.kubeflow.org/trainjob-ancestor-step'
const DOCUMENT = { 'trainjob.dev/form': 'document' }

function job(spec: Fields, metadata: Fields = { name: 'a' }): Fields {
  return {
    apiVersion: 'trainer.kubeflow.org/v1alpha1',
    kind: 'TrainJob',
    metadata,
    spec: { runtimeRef: { name: 'r' }, ...spec },
  }
}

function runtime(spec: Fields, metadata: Fields = { name: 'r' }): Fields {
  return { apiVersion: 'trainer.kubeflow.org/v1alpha1', kind: 'TrainingRuntime', metadata, spec }
}

/** A runtime with one job, in canonical form. */
function canonicalRuntime(mlPolicy: Fields, more: Fields = {}): Fields {
  const pod = { containers: [{ name: 'node', image: 'i' }] }
  const template = { metadata: { labels: { [LABEL]: 'trainer' } }, spec: { template: { spec: pod } } }
  return runtime({ mlPolicy, template: { spec: { replicatedJobs: [{ name: 'node', template }] } }, ...more })
}

function translated(object: Fields, stored?: Fields) {
  const { errors, notes, ...rest } = toCanonical(object, { stored: stored as never })
  return {
    ...rest,
    object: rest.object as { metadata: Fields & { annotations?: Record<string, string> }; spec: Fields },
    errors: errors.map(({ path, message }) => `${formatFieldPath(path)}: ${message}`),
    notes: notes.map(({ path }) => formatFieldPath(path)),
  }
}

describe('a TrainJob', () => {
  it.each<[string, Fields, Fields, string]>([
    [
      'resources',
      { trainer: { resources: { limits: { cpu: 1 } } } },
      { trainer: { resourcesPerNode: { limits: { cpu: 1 } } } },
      'spec.trainer.resources',
    ],
    [
      'a flat initializer',
      { initializer: { storageUri: 's3://b/d' } },
      { initializer: { dataset: { storageUri: 's3://b/d' } } },
      'spec.initializer.storageUri',
    ],
    [
      'the secret of an initializer',
      { initializer: { secretRef: { name: 's' } } },
      { initializer: { dataset: { secretRef: { name: 's' } } } },
      'spec.initializer.secretRef',
    ],
    [
      'its short manager',
      { managedBy: 'trainjob-controller' },
      { managedBy: 'trainer.kubeflow.org/trainjob-controller' },
      'spec.managedBy',
    ],
    [
      'managerKey beside a strategic patch',
      { runtimePatches: [{ managerKey: 'me', trainingRuntimeSpec: { template: { spec: {} } } }] },
      { runtimePatches: [{ manager: 'trainjob.dev/me', trainingRuntimeSpec: { template: { spec: {} } } }] },
      'spec.runtimePatches[0].managerKey',
    ],
    [
      'managerKey where a server has filled in the key of the list',
      { runtimePatches: [{ managerKey: 'me', manager: 'trainjob.dev/unnamed', trainingRuntimeSpec: {} }] },
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

  it.each<[string, Fields, RegExp]>([
    [
      'both names with different values',
      { trainer: { resources: { limits: { cpu: 1 } }, resourcesPerNode: {} } },
      /^spec\.trainer\.resources: .*keep spec\.trainer\.resourcesPerNode/,
    ],
    [
      'a policy of the runtime',
      { podGroupPolicy: { volcano: { minMember: 4 } } },
      /^spec\.podGroupPolicy: .*\nkind: TrainingRuntime\n.*name: r\n.*podGroupPolicy:\n {4}volcano: \{\}/s,
    ],
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

  it('written again over what is stored means what was written', () => {
    const first = { trainer: { resources: { limits: { cpu: 1 } } } }
    const { object: stored } = translated(job(first))
    // what a client makes of both: the stored fields and those it wrote
    const trainer = { ...(stored.spec.trainer as Fields), resources: { limits: { cpu: 2 } } }
    const again = { ...stored, spec: { ...stored.spec, trainer } } as unknown as Fields
    expect(translated(again, stored as unknown as Fields).object.spec.trainer).toEqual({
      resourcesPerNode: { limits: { cpu: 2 } },
    })
  })
})

describe('a runtime', () => {
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

  it.each<[string, Fields, Fields, Record<string, string>]>([
    [
      'cosmoscheduling',
      { cosmoscheduling: { minMember: 4 } },
      { coscheduling: {} },
      { 'trainjob.dev/min-member': '4' },
    ],
    [
      'coscheduling with minMember',
      { coscheduling: { minMember: 4 } },
      { coscheduling: {} },
      { 'trainjob.dev/min-member': '4' },
    ],
    ['volcano with minMember', { volcano: { minMember: 4 } }, { volcano: {} }, { 'trainjob.dev/min-member': '4' }],
  ])('with %s', (_, podGroupPolicy, expected, annotations) => {
    const { object, errors } = translated(canonicalRuntime({}, { podGroupPolicy }))
    expect(errors).toEqual([])
    expect(object.spec.podGroupPolicy).toEqual(expected)
    expect(object.metadata.annotations).toEqual({ ...DOCUMENT, ...annotations })
  })

  it('with a queue of Volcano', () => {
    const { object } = translated(canonicalRuntime({}, { podGroupPolicy: { volcano: { queue: 'q' } } }))
    expect(object.spec).toMatchObject({
      podGroupPolicy: { volcano: {} },
      template: { metadata: { annotations: { 'scheduling.volcano.sh/queue-name': 'q' } } },
    })
  })

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
    [
      'a queue without a name',
      canonicalRuntime({}, { podGroupPolicy: { volcano: { queue: '' } } }),
      /queue: expected the name/,
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

describe('what is canonical', () => {
  const text = fc.constantFrom('a', 'node', 'trainer', 'worker')
  const resources = fc.record({ limits: fc.dictionary(text, fc.constantFrom('1', 2)) }, { requiredKeys: [] })
  const env = fc.array(fc.record({ name: text, value: text }), { maxLength: 2 })
  const asset = fc.record(
    { storageUri: fc.constant('s3://b'), env, secretRef: fc.record({ name: text }) },
    { requiredKeys: [] },
  )
  const patch = fc.record({
    manager: fc.constant('a/b'),
    trainingRuntimeSpec: fc.constantFrom(
      {},
      { template: { spec: {} } },
      { template: { spec: { replicatedJobs: [{ name: 'node' }] } } },
    ),
  })
  const trainJob = fc
    .record(
      {
        trainer: fc.record(
          {
            image: text,
            command: fc.array(text),
            env,
            numNodes: fc.nat(),
            resourcesPerNode: resources,
            numProcPerNode: fc.nat(),
          },
          { requiredKeys: [] },
        ),
        initializer: fc.record({ dataset: asset, model: asset }, { requiredKeys: [] }),
        runtimePatches: fc.array(patch, { maxLength: 2 }),
        suspend: fc.boolean(),
        managedBy: fc.constantFrom('kueue.x-k8s.io/multikueue', 'trainer.kubeflow.org/trainjob-controller'),
      },
      { requiredKeys: [] },
    )
    .map((spec) => job(spec))
  const ancestor = fc.constantFrom('trainer', 'dataset-initializer', 'model-initializer')
  const replicatedJob = fc
    .record({ name: text, ancestor, replicas: fc.option(fc.constant(1), { nil: undefined }) })
    .map(({ name, ancestor: step, replicas }) => ({
      name,
      ...(replicas === undefined ? {} : { replicas }),
      template: {
        metadata: { labels: { [LABEL]: step } },
        spec: {
          template: { spec: { containers: [{ name: step === 'trainer' ? 'node' : step }, { name: 'sidecar' }] } },
        },
      },
    }))
  const policy = fc.constantFrom(
    {},
    { torch: {} },
    { torch: { envInjection: {} } },
    { jax: {} },
    { xgboost: {} },
    { flux: { numProcPerNode: 2 } },
    { mpi: { numProcPerNode: 2, runLauncherAsNode: true } },
  )
  const anyRuntime = fc
    .record({
      mlPolicy: fc.tuple(policy, fc.nat()).map(([own, numNodes]): Fields => ({ ...own, numNodes })),
      podGroupPolicy: fc.constantFrom(
        { coscheduling: { scheduleTimeoutSeconds: 3 } },
        { volcano: { networkTopology: {} } },
      ),
      replicatedJobs: fc.array(replicatedJob, { maxLength: 3 }),
      failurePolicy: fc.constantFrom({}, { maxRestarts: 3 }),
    })
    .map(({ mlPolicy, podGroupPolicy, replicatedJobs, failurePolicy }) =>
      runtime({ mlPolicy, podGroupPolicy, template: { spec: { replicatedJobs, failurePolicy } } }),
    )

  it('stays the very same object', () => {
    fc.assert(
      fc.property(fc.oneof(trainJob, anyRuntime), (object) => {
        const { object: same, notes, warnings, errors } = toCanonical(object)
        expect(same).toBe(object)
        expect([...notes, ...warnings, ...errors]).toEqual([])
      }),
    )
  })

  it('is what comes out: a second translation changes nothing, and the first one not its argument', () => {
    const written = fc.record(
      {
        trainer: fc.record({ resources }),
        initializer: asset,
        runtimePatches: fc.array(
          fc.record({ managerKey: text, patch: fc.constant([{ op: 'remove', path: '/spec/a' }]) }),
        ),
        managedBy: fc.constant('trainjob-controller'),
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(written, (spec) => {
        const object = job(spec)
        const before = structuredClone(object)
        const { object: once } = toCanonical(object)
        expect(object).toEqual(before)
        expect(toCanonical(once).object).toBe(once)
      }),
    )
  })

  it('is never asked for: any value comes back without a throw', () => {
    const anything = fc.dictionary(
      fc.constantFrom(
        'spec',
        'metadata',
        'trainer',
        'template',
        'replicatedJobs',
        'runtimePatches',
        'mlPolicy',
        'torch',
        'elastic',
        'patch',
        'containers',
        'initializer',
        'podTemplateOverrides',
      ),
      fc.jsonValue(),
    )
    fc.assert(
      fc.property(fc.constantFrom('TrainJob', 'TrainingRuntime', 'Pod'), anything, anything, (kind, spec, metadata) => {
        toCanonical({ apiVersion: 'trainer.kubeflow.org/v1alpha1', kind, metadata, spec })
      }),
    )
  })
})
