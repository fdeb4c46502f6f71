import { describe, expect, it } from 'vitest'
import type { Issue } from '../issue.ts'
import { validateRuntime, validateTrainJob, validateTrainJobStatus } from './validate.ts'

const apiVersion = 'trainer.kubeflow.org/v1alpha1'

function trainJob(spec: object, metadata: object = { name: 'mnist' }) {
  return { apiVersion, kind: 'TrainJob', metadata, spec: { runtimeRef: { name: 'r' }, ...spec } }
}

function runtime(spec: object, kind = 'ClusterTrainingRuntime') {
  return { apiVersion, kind, metadata: { name: 'r' }, spec }
}

function patch(podSpec: object) {
  const template = { spec: { template: { spec: podSpec } } }
  return { manager: 'm', trainingRuntimeSpec: { template: { spec: { replicatedJobs: [{ name: 'node', template }] } } } }
}

function jobSet(spec: object) {
  return runtime({ template: { spec } })
}

function brief(issues: readonly Issue[]): string[] {
  return issues.map(({ path, code }) => `${path} ${code}`)
}

function times<T>(count: number, item: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => item(index))
}

const POD_PATCH =
  'spec.runtimePatches[0].trainingRuntimeSpec.template.spec.replicatedJobs[0].template.spec.template.spec'
const named = (index: number) => ({ name: `n${index}` })

describe('a TrainJob', () => {
  it.each<[string, object]>([
    ['the least there is', {}],
    ['with the trainer left out, or its fields', { trainer: {} }],
    ['for Kueue', { suspend: true, managedBy: 'kueue.x-k8s.io/multikueue' }],
    ['with an empty URI', { initializer: { dataset: { storageUri: '' }, model: { storageUri: 'hf://a/b' } } }],
    ['with amounts as numbers and texts', { trainer: { resourcesPerNode: { limits: { cpu: 2, memory: '1.5Gi' } } } }],
    ['with a patch of everything', { runtimePatches: [patch({ nodeSelector: {}, tolerations: [{}], affinity: {} })] }],
    ['with fields that are null', { trainer: null, suspend: null, runtimePatches: null }],
    ['with as many env as there may be', { trainer: { env: times(128, named) } }],
    ['with the longest argument', { trainer: { args: ['x'.repeat(1_048_576)] } }],
  ])('is valid %s', (_, spec) => {
    expect(validateTrainJob(trainJob(spec))).toEqual({ errors: [], warnings: [] })
  })

  it.each<[string, object, string]>([
    ['no runtime', { runtimeRef: undefined }, 'spec.runtimeRef required'],
    ['an empty name of a runtime', { runtimeRef: { name: '' } }, 'spec.runtimeRef.name too-short'],
    ['a name of a runtime too long', { runtimeRef: { name: 'x'.repeat(254) } }, 'spec.runtimeRef.name too-long'],
    ['somebody else as manager', { managedBy: 'me' }, 'spec.managedBy invalid-value'],
    ['a deadline of zero', { activeDeadlineSeconds: 0 }, 'spec.activeDeadlineSeconds invalid-value'],
    ['a deadline with a fraction', { activeDeadlineSeconds: 1.5 }, 'spec.activeDeadlineSeconds wrong-type'],
    [
      'no URI',
      { initializer: { dataset: { storageUri: 'bucket/x' } } },
      'spec.initializer.dataset.storageUri invalid-value',
    ],
    [
      'a URI too long',
      { initializer: { model: { storageUri: `s3://${'x'.repeat(2048)}` } } },
      'spec.initializer.model.storageUri too-long',
    ],
    ['an image too long', { trainer: { image: 'x'.repeat(501) } }, 'spec.trainer.image too-long'],
    ['too many arguments', { trainer: { args: times(129, String) } }, 'spec.trainer.args too-many'],
    [
      'an argument too long',
      { trainer: { command: ['a', 'x'.repeat(1_048_577)] } },
      'spec.trainer.command[1] too-long',
    ],
    ['too many env', { trainer: { env: times(129, named) } }, 'spec.trainer.env too-many'],
    ['an env twice', { trainer: { env: [named(1), named(2), named(1)] } }, 'spec.trainer.env[2] duplicate-key'],
    ['more nodes than an int32 can count', { trainer: { numNodes: 2 ** 31 } }, 'spec.trainer.numNodes invalid-value'],
    ['null among the arguments', { trainer: { args: ['a', null] } }, 'spec.trainer.args[1] wrong-type'],
    ['too many patches', { runtimePatches: times(17, (i) => ({ manager: `m${i}` })) }, 'spec.runtimePatches too-many'],
    [
      'a manager twice',
      { runtimePatches: [{ manager: 'm' }, { manager: 'm' }] },
      'spec.runtimePatches[1] duplicate-key',
    ],
    ['an empty manager', { runtimePatches: [{ manager: '' }] }, 'spec.runtimePatches[0].manager too-short'],
    ['no time', { runtimePatches: [{ manager: 'm', time: 'now' }] }, 'spec.runtimePatches[0].time invalid-value'],
    [
      'too many tolerations',
      { runtimePatches: [patch({ tolerations: times(129, () => ({})) })] },
      `${POD_PATCH}.tolerations too-many`,
    ],
    [
      'too many gates',
      { runtimePatches: [patch({ schedulingGates: times(17, named) })] },
      `${POD_PATCH}.schedulingGates too-many`,
    ],
    [
      'too many containers',
      { runtimePatches: [patch({ containers: times(65, named) })] },
      `${POD_PATCH}.containers too-many`,
    ],
    [
      'a negative grace period',
      { runtimePatches: [patch({ terminationGracePeriodSeconds: -1 })] },
      `${POD_PATCH}.terminationGracePeriodSeconds invalid-value`,
    ],
    [
      'a patched image',
      { runtimePatches: [patch({ containers: [{ name: 'a', image: 'x' }] })] },
      `${POD_PATCH}.containers[0].image unknown-field`,
    ],
  ])('is refused for %s', (_, spec, error) => {
    expect(brief(validateTrainJob(trainJob(spec)).errors)).toEqual([error])
  })

  it('has a list of which every item is examined, also when there are too many', () => {
    const env = [...times(129, named), { name: 'x', value: 1 }]
    expect(brief(validateTrainJob(trainJob({ trainer: { env } })).errors).toSorted()).toEqual([
      'spec.trainer.env too-many',
      'spec.trainer.env[129].value wrong-type',
    ])
  })

  it.each<[object, string[]]>([
    [{ name: 'a'.repeat(63) }, []],
    [{ name: 'a'.repeat(64) }, ['metadata.name too-long']],
    [{ name: '1a' }, ['metadata.name invalid-value']],
    [{ name: 'a.b' }, ['metadata.name invalid-value']],
    [{ name: 'a-' }, ['metadata.name invalid-value']],
    [{}, ['metadata.name required']],
    [{ generateName: 'mnist-' }, []],
    [{ name: 'a', namespace: 'A' }, ['metadata.namespace invalid-value']],
    [
      { name: 'a', labels: { 'a/b/c': 'x', ok: 'not ok' } },
      ['metadata.labels[a/b/c] invalid-value', 'metadata.labels.ok invalid-value'],
    ],
    [{ name: 'a', labels: { a: 1 } }, ['metadata.labels.a wrong-type']],
    [{ name: 'a', annotations: { x: 'y'.repeat(262_144) } }, ['metadata.annotations too-long']],
    [{ name: 'a', label: {} }, ['metadata.label unknown-field']],
    [{ name: 'a', creationTimestamp: null }, []],
  ])('has metadata %j', (metadata, errors) => {
    expect(brief(validateTrainJob(trainJob({}, metadata)).errors)).toEqual(errors)
  })

  it.each([
    [{ numNodes: -1 }, 'spec.trainer.numNodes'],
    [{ numProcPerNode: 0 }, 'spec.trainer.numProcPerNode'],
  ])('that cannot run is valid with a warning: %j', (trainer, path) => {
    const { errors, warnings } = validateTrainJob(trainJob({ trainer }))
    expect([errors, brief(warnings)]).toEqual([[], [`${path} out-of-range`]])
  })

  it.each([
    ['spec', { numNodes: 2 }, 'spec.numNodes', 'did you mean `spec.trainer.numNodes`?'],
    ['spec.trainer', { trainer: { suspend: true } }, 'spec.trainer.suspend', 'did you mean `spec.suspend`?'],
    ['spec', { podTemplateOverrides: [] }, 'spec.podTemplateOverrides', 'did you mean `runtimePatches`?'],
    [
      'spec.runtimeRef',
      { runtimeRef: { name: 'r', version: 'x' } },
      'spec.runtimeRef.version',
      'expected name, apiGroup, kind',
    ],
  ])('gets told where a field of %s belongs', (_, spec, path, hint) => {
    const [error] = validateTrainJob(trainJob(spec)).errors
    expect(error).toMatchObject({ path, code: 'unknown-field', message: expect.stringContaining(hint) })
  })

  it('is not judged by its status, which a server ignores', () => {
    expect(validateTrainJob({ ...trainJob({}), status: { nonsense: 1 } }).errors).toEqual([])
  })

  it.each([[undefined], [null], ['text'], [[]], [{}], [{ kind: 'TrainJob' }], [{ kind: 3, apiVersion: {} }]])(
    'is not %j',
    (object) => {
      expect(validateTrainJob(object).errors.length).toBeGreaterThan(0)
    },
  )

  it('is no other kind', () => {
    expect(brief(validateTrainJob(runtime({ mlPolicy: {} })).errors)).toEqual(['kind not-supported-kind'])
    expect(brief(validateRuntime(trainJob({})).errors)).toEqual(['kind not-supported-kind'])
  })

  it('is not changed', () => {
    const job = trainJob({ trainer: null })
    const before = JSON.stringify(job)
    validateTrainJob(job)
    expect(JSON.stringify(job)).toBe(before)
  })
})

describe('a runtime', () => {
  const containers = [{ name: 'node', image: 'x' }]
  const node = { name: 'node', template: { spec: { template: { spec: { containers } } } } }

  it.each<[string, object]>([
    [
      'torch',
      { mlPolicy: { numNodes: 1, torch: { envInjection: { targets: [{ jobName: 'node', containerNames: ['a'] }] } } } },
    ],
    ['mpi', { mlPolicy: { mpi: { mpiImplementation: '' } } }],
    ['jax', { mlPolicy: { jax: {} }, podGroupPolicy: { coscheduling: {} } }],
    ['volcano', { podGroupPolicy: { volcano: { networkTopology: { mode: 'soft', highestTierAllowed: 2 } } } }],
    ['a policy that is null counts as none', { mlPolicy: { torch: null, mpi: {} } }],
    ['a JobSet', { template: { spec: { replicatedJobs: [node], successPolicy: { operator: 'All' } } } }],
  ])('is valid: %s', (_, spec) => {
    expect(validateRuntime(runtime(spec))).toEqual({ errors: [], warnings: [] })
    expect(validateRuntime(runtime(spec, 'TrainingRuntime'))).toEqual({ errors: [], warnings: [] })
  })

  const targets = (containerNames: unknown) =>
    runtime({ mlPolicy: { torch: { envInjection: { targets: [{ jobName: 'a', containerNames }] } } } })
  const NAMES = 'spec.mlPolicy.torch.envInjection.targets[0].containerNames'

  it.each<[string, object, string]>([
    ['an empty spec', runtime({}), 'spec required'],
    ['an empty template', runtime({ template: {} }), 'spec.template required'],
    ['two policies', runtime({ mlPolicy: { torch: {}, flux: {} } }), 'spec.mlPolicy invalid-value'],
    ['an unknown policy', runtime({ mlPolicy: { pytorch: {} } }), 'spec.mlPolicy.pytorch unknown-field'],
    ['a policy with a field it lacks', runtime({ mlPolicy: { jax: { x: 1 } } }), 'spec.mlPolicy.jax.x unknown-field'],
    [
      'another MPI',
      runtime({ mlPolicy: { mpi: { mpiImplementation: 'MPICH' } } }),
      'spec.mlPolicy.mpi.mpiImplementation invalid-value',
    ],
    [
      'flux without processes',
      runtime({ mlPolicy: { flux: { numProcPerNode: 0 } } }),
      'spec.mlPolicy.flux.numProcPerNode invalid-value',
    ],
    ['no containers to inject into', targets([]), `${NAMES} too-few`],
    ['the node container, which has the env anyway', targets(['node']), `${NAMES}[0] invalid-value`],
    ['a container twice', targets(['a', 'a']), `${NAMES}[1] duplicate-key`],
    ['too many containers', targets(times(9, String)), `${NAMES} too-many`],
    ['an unknown field of the JobSet', jobSet({ replicatedJob: [] }), 'spec.template.spec.replicatedJob unknown-field'],
    [
      'a replicated job twice',
      jobSet({ replicatedJobs: [node, node] }),
      'spec.template.spec.replicatedJobs[1] duplicate-key',
    ],
    [
      'an order as well as dependencies',
      jobSet({
        startupPolicy: { startupPolicyOrder: 'InOrder' },
        replicatedJobs: [node, { ...node, name: 'b', dependsOn: [{ name: 'node', status: 'Ready' }] }],
      }),
      'spec.template.spec.startupPolicy invalid-value',
    ],
    [
      'a negative time to live',
      jobSet({ ttlSecondsAfterFinished: -1 }),
      'spec.template.spec.ttlSecondsAfterFinished invalid-value',
    ],
    [
      'a rule without a name',
      jobSet({ failurePolicy: { rules: [{ action: 'FailJobSet' }] } }),
      'spec.template.spec.failurePolicy.rules[0].name required',
    ],
    [
      'an unknown action',
      jobSet({ failurePolicy: { rules: [{ name: 'a', action: 'Fail' }] } }),
      'spec.template.spec.failurePolicy.rules[0].action invalid-value',
    ],
    [
      'a claim without metadata',
      jobSet({ volumeClaimPolicies: [{ templates: [{ spec: {} }] }] }),
      'spec.template.spec.volumeClaimPolicies[0].templates[0].metadata required',
    ],
    [
      'a claim in a namespace',
      jobSet({ volumeClaimPolicies: [{ templates: [{ metadata: { namespace: 'x' } }] }] }),
      'spec.template.spec.volumeClaimPolicies[0].templates[0].metadata.namespace invalid-value',
    ],
  ])('is refused for %s', (_, object, error) => {
    expect(brief(validateRuntime(object).errors)).toEqual([error])
  })

  it('keeps what it does not know in pod templates, only there', () => {
    const spec = {
      template: { spec: { template: { metadata: { lables: {} }, spec: { containers, newField: 1 } }, newField: 1 } },
    }
    const { errors, warnings } = validateRuntime(jobSet({ replicatedJobs: [{ name: 'node', ...spec }] }))
    const job = 'spec.template.spec.replicatedJobs[0].template.spec'
    expect(brief(errors)).toEqual([`${job}.newField unknown-field`])
    expect(brief(warnings)).toEqual([`${job}.template.metadata.lables unknown-field`])
    expect(warnings[0]?.message).toContain('did you mean `labels`?')
  })
})

describe('the status of a TrainJob', () => {
  const condition = {
    type: 'Complete',
    status: 'True',
    reason: 'Done',
    message: '',
    lastTransitionTime: '2026-01-01T00:00:00Z',
  }
  const counts = { ready: 0, succeeded: 1, failed: 0, active: 0, suspended: 0 }
  const status = (value: object) => validateTrainJobStatus({ ...trainJob({}), status: value } as never).errors

  it('is valid as the controller writes it', () => {
    const trainerStatus = {
      progressPercentage: 50,
      metrics: [{ name: 'loss', value: '0.1' }],
      lastUpdatedTime: '2026-01-01T00:00:00Z',
    }
    expect(status({ conditions: [condition], jobsStatus: [{ name: 'node', ...counts }], trainerStatus })).toEqual([])
  })

  it.each<[string, object, string]>([
    ['nothing at all', {}, 'status required'],
    ['a condition twice', { conditions: [condition, condition] }, 'status.conditions[1] duplicate-key'],
    [
      'a reason with a space',
      { conditions: [{ ...condition, reason: 'not ok' }] },
      'status.conditions[0].reason invalid-value',
    ],
    [
      'a count left out',
      { jobsStatus: [{ name: 'node', ...counts, failed: undefined }] },
      'status.jobsStatus[0].failed required',
    ],
    [
      'more than all',
      { trainerStatus: { progressPercentage: 101, lastUpdatedTime: condition.lastTransitionTime } },
      'status.trainerStatus.progressPercentage invalid-value',
    ],
    [
      'progress without a time',
      { trainerStatus: { progressPercentage: 1 } },
      'status.trainerStatus.lastUpdatedTime required',
    ],
  ])('is refused for %s', (_, value, error) => {
    expect(brief(status(value))).toEqual([error])
  })
})
