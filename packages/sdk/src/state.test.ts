import type { Condition, JobSet, Pod, TrainJob, TrainJobJobStatus } from '@trainjob/api'
import { describe, expect, it } from 'vitest'
import { type StateFacts, state, type TrainJobState } from './state.ts'

function condition(type: string, status: 'True' | 'False' = 'True'): Condition {
  return { type, status, reason: type, message: '', lastTransitionTime: '2026-01-01T00:00:00Z' }
}

function job(suspend: boolean, conditions: Condition[] = [], counts: Partial<TrainJobJobStatus> = {}): TrainJob {
  const jobsStatus = [{ name: 'node', ready: 0, succeeded: 0, failed: 0, active: 0, suspended: 0, ...counts }]
  return {
    apiVersion: 'trainer.kubeflow.org/v1alpha1',
    kind: 'TrainJob',
    metadata: { name: 'a' },
    spec: { runtimeRef: { name: 'r' }, suspend },
    status: { conditions, jobsStatus },
  }
}

function pod(phase: 'Pending' | 'Running', waiting?: string): Pod {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p' },
    spec: { containers: [] },
    status: {
      phase,
      containerStatuses: [
        {
          name: 'node',
          ready: false,
          restartCount: 0,
          image: '',
          imageID: '',
          state: waiting === undefined ? { running: {} } : { waiting: { reason: waiting } },
        },
      ],
    },
  }
}

const restarting: JobSet = {
  apiVersion: 'jobset.x-k8s.io/v1alpha2',
  kind: 'JobSet',
  metadata: {},
  spec: {},
  status: { conditions: [condition('RestartingJobSet')] },
}

describe('state', () => {
  it.each<[string, TrainJob, StateFacts, TrainJobState]>([
    ['nothing has happened', job(false), {}, 'Pending'],
    ['pods are there, none is ready', job(false, [], { active: 1 }), {}, 'Pending'],
    ['all pods of a step are ready', job(false, [], { ready: 1 }), {}, 'Running'],
    ['one step is done, the next one waits', job(false, [], { succeeded: 1 }), {}, 'Running'],
    ['one pod runs, not all are ready', job(false, [], { active: 1 }), { pods: [pod('Running')] }, 'Running'],
    ['no pod runs', job(false), { pods: [pod('Pending', 'ContainerCreating')] }, 'Pending'],
    ['suspended before the controller said so', job(true), {}, 'Suspended'],
    ['resumed before the controller said so', job(false, [condition('Suspended')]), {}, 'Pending'],
    [
      'resumed and running (kubeflow/sdk#803)',
      job(false, [condition('Suspended', 'False')], { ready: 1 }),
      {},
      'Running',
    ],
    ['the whole set restarts', job(false, [], { ready: 1 }), { jobSet: restarting }, 'Restarting'],
    ['a container waits for its next try', job(false), { pods: [pod('Running', 'CrashLoopBackOff')] }, 'Restarting'],
    ['complete', job(false, [condition('Suspended', 'False'), condition('Complete')]), {}, 'Complete'],
    ['failed, whatever else', job(true, [condition('Failed')], { ready: 1 }), { jobSet: restarting }, 'Failed'],
  ])('%s', (_, trainJob, facts, expected) => {
    expect(state(trainJob, facts)).toBe(expected)
  })
})
