import { describe, expect, it } from 'vitest'
import { validateUpdate } from './validate-update.ts'

const apiVersion = 'trainer.kubeflow.org/v1alpha1'

function trainJob(spec: object) {
  return { apiVersion, kind: 'TrainJob', metadata: { name: 'a' }, spec: { runtimeRef: { name: 'r' }, ...spec } }
}

function patches(podSpec: object, manager = 'm') {
  const replicatedJobs = [{ name: 'node', template: { spec: { template: { spec: podSpec } } } }]
  return trainJob({ runtimePatches: [{ manager, trainingRuntimeSpec: { template: { spec: { replicatedJobs } } } }] })
}

function jobSet(spec: object) {
  return { apiVersion, kind: 'TrainingRuntime', metadata: { name: 'r' }, spec: { template: { spec } } }
}

const POD = 'spec.runtimePatches[0].trainingRuntimeSpec.template.spec.replicatedJobs[0].template.spec.template.spec'

describe('an update', () => {
  it.each<[string, object, object]>([
    ['of nothing', trainJob({ trainer: { image: 'a' } }), trainJob({ trainer: { image: 'a' } })],
    ['that suspends', trainJob({ suspend: false }), trainJob({ suspend: true })],
    ['that writes a default out', trainJob({}), trainJob({ managedBy: 'trainer.kubeflow.org/trainjob-controller' })],
    ['that writes null', trainJob({ trainer: {} }), trainJob({ trainer: { image: null } })],
    [
      'of the order of a keyed list',
      trainJob({ trainer: { env: [{ name: 'A' }, { name: 'B' }] } }),
      trainJob({ trainer: { env: [{ name: 'B' }, { name: 'A' }] } }),
    ],
    ['of where pods may run', patches({ nodeSelector: { a: 'b' } }), patches({ nodeSelector: { a: 'c' } })],
    [
      'that patches as another manager',
      patches({ serviceAccountName: 'a' }),
      patches({ serviceAccountName: 'b' }, 'n'),
    ],
    ['of a runtime', jobSet({ replicatedJobs: [{ name: 'a' }] }), jobSet({ replicatedJobs: [{ name: 'b' }] })],
  ])('%s is accepted', (_, old, object) => {
    expect(validateUpdate(old as never, object as never)).toEqual({ errors: [], warnings: [] })
  })

  it.each<[string, object, object, string]>([
    ['the runtime', trainJob({}), trainJob({ runtimeRef: { name: 's' } }), 'spec.runtimeRef'],
    ['the trainer', trainJob({ trainer: { numNodes: 1 } }), trainJob({ trainer: { numNodes: 2 } }), 'spec.trainer'],
    ['the manager', trainJob({}), trainJob({ managedBy: 'kueue.x-k8s.io/multikueue' }), 'spec.managedBy'],
    [
      'the deadline',
      trainJob({ activeDeadlineSeconds: 1 }),
      trainJob({ activeDeadlineSeconds: 2 }),
      'spec.activeDeadlineSeconds',
    ],
    ['the initializer', trainJob({ initializer: {} }), trainJob({ initializer: { model: {} } }), 'spec.initializer'],
    [
      'the order of arguments',
      trainJob({ trainer: { args: ['a', 'b'] } }),
      trainJob({ trainer: { args: ['b', 'a'] } }),
      'spec.trainer',
    ],
    [
      'a patched account',
      patches({ serviceAccountName: 'a' }),
      patches({ serviceAccountName: 'b' }),
      `${POD}.serviceAccountName`,
    ],
    ['patched containers', patches({ containers: [] }), patches({ containers: [{ name: 'a' }] }), `${POD}.containers`],
    [
      'the network of a runtime',
      jobSet({ network: {} }),
      jobSet({ network: { subdomain: 'a' } }),
      'spec.template.spec.network',
    ],
  ])('of %s is refused', (_, old, object, path) => {
    expect(validateUpdate(old as never, object as never)).toMatchObject({
      errors: [{ path, code: 'immutable' }],
      warnings: [],
    })
  })

  it('that adds or removes an immutable field gets a warning, because servers accept it', () => {
    const [bare, full] = [trainJob({}), trainJob({ trainer: {} })] as never[]
    expect(validateUpdate(bare as never, full as never)).toMatchObject({
      errors: [],
      warnings: [{ path: 'spec.trainer' }],
    })
    expect(validateUpdate(full as never, bare as never)).toMatchObject({
      errors: [],
      warnings: [{ path: 'spec.trainer' }],
    })
  })

  it('of other kinds is none of our business', () => {
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' } }
    expect(validateUpdate(pod, { ...pod, metadata: { name: 'b' } })).toEqual({ errors: [], warnings: [] })
  })
})
