import type { JobSet, TrainJob, TrainJobSpec } from '@trainjob/api'
import { describe, expect, it } from 'vitest'
import { aJob, aRuntime, aTrainJob } from './testing/objects.ts'
import { validate } from './validate.ts'

describe('validate', () => {
  it('finds nothing in a plain job', () => {
    expect(validate(aTrainJob({ trainer: { numNodes: 2 } }), aRuntime({ torch: {} }))).toEqual({
      errors: [],
      warnings: [],
    })
  })

  it.each(['dataset', 'model'] as const)('asks for all that an initializer of a %s needs', (kind) => {
    const name = `${kind}-initializer`
    const initializer = { name, ancestor: name }
    const job = aTrainJob({ initializer: { [kind]: { storageUri: 'hf://a' } } })
    const withJob = (container: object): string =>
      validate(job, aRuntime(undefined, { replicatedJobs: [aJob(container, initializer)] }))
        .errors.map(({ message }) => message)
        .join()
    expect(validate(job, aRuntime()).errors).toMatchObject([
      {
        path: 'spec.runtimeRef',
        code: 'initializer-not-in-runtime',
        message: expect.stringContaining(`a replicated job ${name}`),
      },
    ])
    expect(withJob({})).toContain(`a container ${name}`)
    expect(withJob({ name })).toContain('a volume mount initializer')
    expect(withJob({ name, volumeMounts: [{ name: 'initializer', mountPath: '/w' }] })).toBe('')
  })

  it.each([
    ['example.com/path', true],
    ['kueue.x-k8s.io/manager', true],
    ['a.b/c/d%20', true],
    ['', false],
    ['example.com', false],
    ['/path', false],
    ['example.com/', false],
    ['Example.com/path', false],
    ['example.com/a b', false],
  ])('manager %j is fine: %s', (manager, isFine) => {
    const { errors } = validate(aTrainJob({ runtimePatches: [{ manager }] }), aRuntime())
    expect(errors.map(({ path, code }) => ({ path, code }))).toEqual(
      isFine ? [] : [{ path: 'spec.runtimePatches.manager', code: 'invalid-manager' }],
    )
  })

  it('refuses patched variables where spec.trainer has its own', () => {
    const runtime = aRuntime(undefined, { replicatedJobs: [withSidecar()] })
    expect(validate(patchedWith('node', 'node', [{ name: 'A' }]), runtime).errors).toMatchObject([
      { path: 'spec.runtimePatches', code: 'env-not-patchable' },
    ])
    expect(validate(patchedWith('node', 'sidecar', [{ name: 'A' }]), runtime).errors).toEqual([])
    expect(validate(patchedWith('node', 'node', []), runtime).errors).toEqual([])
  })

  it('warns of patches for what the runtime lacks, which upstream would add', () => {
    expect(validate(patchedWith('worker', 'x', []), aRuntime())).toMatchObject({
      errors: [],
      warnings: [
        {
          code: 'unknown-replicated-job',
          path: 'spec.runtimePatches[0].trainingRuntimeSpec.template.spec.replicatedJobs[0].name',
          message: expect.stringContaining('(node), found worker'),
        },
      ],
    })
    expect(validate(patchedWith('node', 'x', []), aRuntime()).warnings).toMatchObject([{ code: 'unknown-container' }])
  })

  it('warns of a name that JobSet would refuse, with the longest one that fits', () => {
    const name = 'n'.repeat(60)
    const { errors, warnings } = validate(aTrainJob({ trainer: { numNodes: 4 } }, name), aRuntime({ torch: {} }))
    expect(errors).toEqual([])
    expect(warnings).toMatchObject([
      {
        path: 'metadata.name',
        code: 'name-too-long',
        message: expect.stringContaining(`the longest name that fits has 48, for example ${'n'.repeat(48)}`),
      },
    ])
    expect(validate(aTrainJob({ trainer: { numNodes: 4 } }, 'n'.repeat(48)), aRuntime({ torch: {} })).warnings).toEqual(
      [],
    )
    expect(
      validate(aTrainJob({ trainer: { numNodes: 11 } }, 'n'.repeat(48)), aRuntime({ torch: {} })).warnings,
    ).toHaveLength(1)
  })

  it('warns of a deprecated cluster runtime', () => {
    const runtime = aRuntime()
    runtime.metadata.labels = { 'trainer.kubeflow.org/support': 'deprecated' }
    expect(validate(aTrainJob(), runtime).warnings).toMatchObject([
      { path: 'spec.runtimeRef', code: 'deprecated-runtime' },
    ])
    expect(validate(aTrainJob(), { ...runtime, kind: 'TrainingRuntime' } as never).warnings).toEqual([])
  })

  it('warns of what cannot be rendered', () => {
    const launcher = aRuntime({ mpi: { mpiImplementation: '' } }, { replicatedJobs: [aJob({}, { name: 'launcher' })] })
    expect(validate(aTrainJob(), launcher)).toMatchObject({
      errors: [],
      warnings: [{ code: 'unsupported-mpi', path: 'spec.mlPolicy.mpi.mpiImplementation' }],
    })
  })

  it.each<[string, Partial<TrainJobSpec>, Partial<TrainJobSpec>, number | undefined, boolean]>([
    ['while it runs', {}, {}, undefined, false],
    ['while it is suspended', { suspend: true }, { suspend: true }, undefined, true],
    ['with the resumption', { suspend: true }, { suspend: false }, 0, true],
    ['with the suspension', { suspend: false }, { suspend: true }, 0, true],
    ['while pods are still active', { suspend: true }, { suspend: true }, 2, false],
  ])('patches may change %s', (_, before, after, active, isAllowed) => {
    const old = aTrainJob(before)
    const changed = aTrainJob({ ...after, runtimePatches: [{ manager: 'a.io/x' }] })
    const objects = active === undefined ? [] : [jobSetWith(active)]
    const { errors } = validate(changed, aRuntime(), { old, facts: { objects } })
    expect(errors.map(({ path, code }) => ({ path, code }))).toEqual(
      isAllowed ? [] : [{ path: 'spec.runtimePatches', code: 'immutable' }],
    )
  })

  it('lets anything else change that it does not know about', () => {
    expect(validate(aTrainJob({ runtimePatches: [] }), aRuntime(), { old: aTrainJob() }).errors).toEqual([])
  })
})

function withSidecar(): ReturnType<typeof aJob> {
  const job = aJob()
  job.template.spec?.template.spec?.containers.push({ name: 'sidecar', image: 'img' })
  return job
}

function patchedWith(job: string, container: string, env: { name: string }[]): TrainJob {
  const spec = { containers: [{ name: container, env }] }
  return aTrainJob({
    runtimePatches: [
      {
        manager: 'a.io/x',
        trainingRuntimeSpec: {
          template: { spec: { replicatedJobs: [{ name: job, template: { spec: { template: { spec } } } }] } },
        },
      },
    ],
  })
}

function jobSetWith(active: number): JobSet {
  return {
    apiVersion: 'jobset.x-k8s.io/v1alpha2',
    kind: 'JobSet',
    metadata: { name: 'job', namespace: 'ns' },
    spec: {},
    status: { replicatedJobsStatus: [{ name: 'node', ready: 0, succeeded: 0, failed: 0, active, suspended: 0 }] },
  }
}
