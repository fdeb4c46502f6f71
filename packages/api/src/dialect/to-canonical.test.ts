import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Fields, job, LABEL, runtime } from './testing/written.ts'
import { toCanonical } from './to-canonical.ts'

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
