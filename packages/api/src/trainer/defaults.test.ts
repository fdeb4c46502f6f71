import { describe, expect, it } from 'vitest'
import { applyDefaults } from './defaults.ts'
import type { ClusterTrainingRuntime, TrainJob } from './types.ts'

const trainJob: TrainJob = {
  apiVersion: 'trainer.kubeflow.org/v1alpha1',
  kind: 'TrainJob',
  metadata: { name: 'mnist' },
  spec: { runtimeRef: { name: 'torch-distributed' } },
}

function runtime(spec: ClusterTrainingRuntime['spec']): ClusterTrainingRuntime {
  return { apiVersion: 'trainer.kubeflow.org/v1alpha1', kind: 'ClusterTrainingRuntime', metadata: { name: 'r' }, spec }
}

describe('defaults', () => {
  it('of a TrainJob are those of upstream', () => {
    expect(applyDefaults(trainJob).spec).toEqual({
      runtimeRef: { name: 'torch-distributed', apiGroup: 'trainer.kubeflow.org', kind: 'ClusterTrainingRuntime' },
      suspend: false,
      managedBy: 'trainer.kubeflow.org/trainjob-controller',
    })
  })

  it('reach references inside env and patches', () => {
    const env = [{ name: 'TOKEN', valueFrom: { secretKeyRef: { key: 'token' } } }] as never
    const patch = (containers: object[]) => ({
      manager: 'm',
      trainingRuntimeSpec: {
        template: {
          spec: {
            replicatedJobs: [
              { name: 'node', template: { spec: { template: { spec: { containers: containers as never } } } } },
            ],
          },
        },
      },
    })
    const spec = { ...trainJob.spec, trainer: { env }, runtimePatches: [patch([{ name: 'sidecar', env }])] }
    const expected = [{ name: 'TOKEN', valueFrom: { secretKeyRef: { key: 'token', name: '' } } }]
    const { trainer, runtimePatches } = applyDefaults({ ...trainJob, spec }).spec
    expect(trainer?.env).toEqual(expected)
    expect(runtimePatches).toEqual([patch([{ name: 'sidecar', env: expected }])])
  })

  it.each<[string, ClusterTrainingRuntime['spec'], ClusterTrainingRuntime['spec']]>([
    [
      'mpi',
      { mlPolicy: { mpi: { numProcPerNode: 4 } } },
      {
        mlPolicy: {
          mpi: {
            numProcPerNode: 4,
            mpiImplementation: 'OpenMPI',
            sshAuthMountPath: '/root/.ssh',
            runLauncherAsNode: false,
          },
        },
      },
    ],
    ['flux', { mlPolicy: { flux: {} } }, { mlPolicy: { flux: { numProcPerNode: 1 } } }],
    ['torch has none', { mlPolicy: { torch: {} } }, { mlPolicy: { torch: {} } }],
    [
      'coscheduling',
      { podGroupPolicy: { coscheduling: {} } },
      { podGroupPolicy: { coscheduling: { scheduleTimeoutSeconds: 60 } } },
    ],
    [
      'volcano',
      { podGroupPolicy: { volcano: { networkTopology: {} } } },
      { podGroupPolicy: { volcano: { networkTopology: { mode: 'hard', highestTierAllowed: 1 } } } },
    ],
    [
      'the JobSet template',
      { template: { spec: { failurePolicy: { maxRestarts: 2 }, replicatedJobs: [{ name: 'node', template: {} }] } } },
      {
        template: {
          spec: {
            failurePolicy: { maxRestarts: 2, restartStrategy: 'Recreate' },
            replicatedJobs: [{ name: 'node', template: {}, replicas: 1, groupName: 'default' }],
          },
        },
      },
    ],
  ])('of a runtime: %s', (_, spec, expected) => {
    expect(applyDefaults(runtime(spec)).spec).toEqual(expected)
  })

  it('set the protocol of ports in pod templates', () => {
    const containers = [{ name: 'node', ports: [{ containerPort: 29500 }] }]
    const spec = {
      template: {
        spec: { replicatedJobs: [{ name: 'node', template: { spec: { template: { spec: { containers } } } } }] },
      },
    }
    const [job] = applyDefaults(runtime(spec)).spec.template?.spec?.replicatedJobs ?? []
    expect(job?.template.spec?.template.spec?.containers[0]?.ports).toEqual([{ containerPort: 29500, protocol: 'TCP' }])
  })

  it('change nothing when applied again, and copy nothing then', () => {
    const once = applyDefaults(trainJob)
    expect(applyDefaults(once)).toBe(once)
    expect(trainJob.spec).toEqual({ runtimeRef: { name: 'torch-distributed' } })
  })

  it('leave other kinds and wrong shapes alone', () => {
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' } }
    expect(applyDefaults(pod)).toBe(pod)
    const odd = { ...trainJob, spec: { runtimeRef: 'torch', trainer: [{}], suspend: null } as never }
    expect(applyDefaults(odd).spec).toMatchObject({ runtimeRef: 'torch', trainer: [{}], suspend: false })
  })
})
