import type { KubernetesObject } from '@trainjob/api'
import { describe, expect, it } from 'vitest'
import { render } from '../../render.ts'
import { aJob, aRuntime, aTrainJob, jobSetOf } from '../../testing/objects.ts'

function gangRuntime(podGroupPolicy: object, priorityClassName?: string): ReturnType<typeof aRuntime> {
  const job = aJob({ resources: { requests: { cpu: 1 } } })
  const pod = job.template.spec?.template.spec
  if (pod && priorityClassName) pod.priorityClassName = priorityClassName
  const runtime = aRuntime({ numNodes: 2 }, { replicatedJobs: [job] })
  runtime.spec.podGroupPolicy = podGroupPolicy
  return runtime
}

function podMetadata(objects: readonly KubernetesObject[]): unknown {
  return jobSetOf(objects).spec.replicatedJobs?.[0]?.template.spec?.template.metadata
}

describe('gang scheduling', () => {
  it('by coscheduling', () => {
    const { objects } = render(aTrainJob(), gangRuntime({ coscheduling: {} }))
    expect(objects[0]).toMatchObject({
      apiVersion: 'scheduling.x-k8s.io/v1alpha1',
      kind: 'PodGroup',
      metadata: { name: 'job', namespace: 'ns' },
      spec: { minMember: 2, minResources: { cpu: '2' }, scheduleTimeoutSeconds: 60 },
    })
    expect(podMetadata(objects)).toEqual({ labels: { 'scheduling.x-k8s.io/pod-group': 'job' } })
  })

  it('by Volcano, with queue, priority and topology', () => {
    const runtime = gangRuntime({ volcano: { networkTopology: {} } }, 'high')
    if (runtime.spec.template)
      runtime.spec.template.metadata = { annotations: { 'scheduling.volcano.sh/queue-name': 'q' } }
    const { objects } = render(aTrainJob(), runtime)
    expect(objects[0]).toMatchObject({
      apiVersion: 'scheduling.volcano.sh/v1beta1',
      spec: {
        minMember: 2,
        minResources: { cpu: '2' },
        queue: 'q',
        priorityClassName: 'high',
        networkTopology: { mode: 'hard', highestTierAllowed: 1 },
      },
    })
    expect(podMetadata(objects)).toEqual({ annotations: { 'scheduling.k8s.io/group-name': 'job' } })
  })

  it.each([
    ['coscheduling', 'scheduling.x-k8s.io/v1alpha1'],
    ['volcano', 'scheduling.volcano.sh/v1beta1'],
  ])('by %s writes the PodGroup when it is new, and while the job is suspended', (policy, apiVersion) => {
    const existing = { apiVersion, kind: 'PodGroup', metadata: { name: 'job', namespace: 'ns' } }
    const kinds = (suspend: boolean, objects: KubernetesObject[]): string[] =>
      render(aTrainJob({ suspend }), gangRuntime({ [policy]: {} }), { facts: { objects } }).objects.map(
        ({ kind }) => kind,
      )
    expect(kinds(false, [])).toEqual(['PodGroup', 'JobSet'])
    expect(kinds(false, [existing])).toEqual(['JobSet'])
    expect(kinds(true, [existing])).toEqual(['PodGroup', 'JobSet'])
  })
})
