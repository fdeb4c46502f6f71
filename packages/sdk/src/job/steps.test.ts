import type { ContainerState, JobSet, Pod } from '@trainjob/api'
import { describe, expect, it } from 'vitest'
import { mainContainerOf, nodeNameOf } from './node-name.ts'
import { stepsOf } from './steps.ts'

interface PodForm {
  readonly job: string
  readonly index: number
  readonly replicas?: number
  readonly jobIndex?: number
  readonly created?: number
  readonly name?: string
  readonly containers?: readonly string[]
  readonly annotations?: Record<string, string>
  readonly status?: Pod['status']
}

function pod(form: PodForm): Pod {
  const { job, index, replicas = 1, jobIndex = 0, created = 0, containers = ['node'], annotations } = form
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: form.name ?? `${job}-${index}`,
      creationTimestamp: `2026-01-01T00:00:0${created}Z`,
      labels: {
        'jobset.sigs.k8s.io/replicatedjob-name': job,
        'jobset.sigs.k8s.io/replicatedjob-replicas': `${replicas}`,
        'jobset.sigs.k8s.io/job-index': `${jobIndex}`,
        'batch.kubernetes.io/job-completion-index': `${index}`,
      },
      ...(annotations !== undefined && { annotations }),
    },
    spec: { containers: containers.map((name) => ({ name })) },
    ...(form.status !== undefined && { status: form.status }),
  }
}

function jobSet(jobs: Record<string, number>): JobSet {
  return {
    apiVersion: '',
    kind: 'JobSet',
    metadata: {},
    spec: {
      replicatedJobs: Object.entries(jobs).map(([name, completions]) => ({
        name,
        template: { spec: { completions, parallelism: completions, template: {} } },
      })),
    },
  }
}

function running(state: ContainerState, restartCount: number = 0): Pod['status'] {
  return {
    phase: 'Running',
    containerStatuses: [{ name: 'node', ready: false, restartCount, image: '', imageID: '', state }],
  }
}

describe('node names', () => {
  it.each<[string, PodForm]>([
    ['node-3', { job: 'node', index: 3 }],
    ['launcher-0', { job: 'launcher', index: 0 }],
    ['worker-2-1', { job: 'worker', index: 1, replicas: 3, jobIndex: 2 }],
  ])('%s', (name, form) => {
    expect(nodeNameOf(pod(form))).toBe(name)
  })

  it.each<[string, PodForm]>([
    ['node', { job: 'launcher', index: 0, containers: ['sidecar', 'node'] }],
    ['launcher', { job: 'launcher', index: 0, containers: ['sidecar', 'launcher'] }],
    ['main', { job: 'x', index: 0, containers: ['main', 'other'] }],
    [
      'other',
      {
        job: 'x',
        index: 0,
        containers: ['node', 'other'],
        annotations: { 'kubectl.kubernetes.io/default-container': 'other' },
      },
    ],
  ])('the main container is %s', (name, form) => {
    expect(mainContainerOf(pod(form))).toBe(name)
  })
})

describe('steps', () => {
  it('come in the order of the JobSet, by rank, those without a pod too', () => {
    const pods = [
      pod({ job: 'node', index: 10 }),
      pod({ job: 'node', index: 2 }),
      pod({ job: 'dataset-initializer', index: 0 }),
    ]
    const steps = stepsOf(pods, jobSet({ 'dataset-initializer': 1, node: 3 }))
    expect(steps.map((step) => [step.node, step.pod])).toEqual([
      ['dataset-initializer-0', 'dataset-initializer-0'],
      ['node-0', undefined],
      ['node-1', undefined],
      ['node-2', 'node-2'],
      ['node-10', 'node-10'],
    ])
  })

  it('show the newest pod of a node only', () => {
    const pods = [
      pod({ job: 'node', index: 0, name: 'old', created: 1, status: { phase: 'Failed' } }),
      pod({ job: 'node', index: 0, name: 'new', created: 2 }),
    ]
    expect(stepsOf(pods).map((step) => step.pod)).toEqual(['new'])
    expect(stepsOf(pods.toReversed()).map((step) => step.pod)).toEqual(['new'])
  })

  it.each<[string, Pod['status'], object]>([
    ['runs', running({ running: {} }), { phase: 'Running', restarts: 0 }],
    [
      'waits for its next try',
      running({ waiting: { reason: 'CrashLoopBackOff', message: 'back-off 10s' } }, 2),
      { restarts: 2, reason: 'CrashLoopBackOff', message: 'back-off 10s' },
    ],
    ['ended', running({ terminated: { exitCode: 3, reason: 'Error' } }), { exitCode: 3, reason: 'Error' }],
    [
      'finds no place',
      {
        phase: 'Pending',
        conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: 'no cpu' }],
      },
      { phase: 'Pending', reason: 'Unschedulable', message: 'no cpu' },
    ],
  ])('of a pod that %s', (_, status, expected) => {
    expect(stepsOf([pod({ job: 'node', index: 0, ...(status !== undefined && { status }) })])).toMatchObject([expected])
  })
})
