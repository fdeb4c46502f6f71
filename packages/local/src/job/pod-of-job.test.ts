import { describe, expect, it } from 'vitest'
import { podsOfJob } from './pod-of-job.ts'
import { sampleJob } from './samples.suite.ts'

describe('a pod of an Indexed Job', () => {
  const job = sampleJob({
    template: {
      metadata: { labels: { app: 'mnist' }, annotations: { note: 'x' } },
      spec: {
        restartPolicy: 'OnFailure',
        subdomain: 'mnist',
        initContainers: [{ name: 'init' }],
        containers: [
          { name: 'node', env: [{ name: 'A', value: '1' }] },
          { name: 'own', env: [{ name: 'JOB_COMPLETION_INDEX', value: '7' }] },
        ],
      },
    },
  })
  const pod = podsOfJob(job, () => 0.999)(3)

  it('has the name, host name and owner that Kubernetes gives it', () => {
    expect(pod.metadata.name).toBe('train-3-99999')
    expect(pod.metadata.generateName).toBe('train-3-')
    expect(pod.spec.hostname).toBe('train-3')
    expect(pod.spec.subdomain).toBe('mnist')
    expect(pod.metadata.finalizers).toEqual(['batch.kubernetes.io/job-tracking'])
    expect(pod.metadata.ownerReferences).toEqual([
      {
        apiVersion: 'batch/v1',
        kind: 'Job',
        name: 'train',
        uid: 'job-uid',
        controller: true,
        blockOwnerDeletion: true,
      },
    ])
  })

  it('has the labels of the template and of the Job', () => {
    expect(pod.metadata.labels).toEqual({
      app: 'mnist',
      'batch.kubernetes.io/controller-uid': 'job-uid',
      'batch.kubernetes.io/job-completion-index': '3',
      'batch.kubernetes.io/job-name': 'train',
      'controller-uid': 'job-uid',
      'job-name': 'train',
    })
    expect(pod.metadata.annotations).toEqual({ note: 'x', 'batch.kubernetes.io/job-completion-index': '3' })
  })

  it('tells every container its index, unless the container has a variable of that name', () => {
    const index = {
      name: 'JOB_COMPLETION_INDEX',
      valueFrom: {
        fieldRef: { apiVersion: 'v1', fieldPath: "metadata.labels['batch.kubernetes.io/job-completion-index']" },
      },
    }
    expect(pod.spec.initContainers?.[0]?.env).toEqual([index])
    expect(pod.spec.containers[0]?.env).toEqual([{ name: 'A', value: '1' }, index])
    expect(pod.spec.containers[1]?.env).toEqual([{ name: 'JOB_COMPLETION_INDEX', value: '7' }])
  })

  it('leaves the template alone', () => {
    expect(job.spec.template.spec?.containers[0]?.env).toEqual([{ name: 'A', value: '1' }])
  })
})

it('a pod of a Job without indexes has none', () => {
  const pod = podsOfJob(sampleJob({ completionMode: 'NonIndexed' }), () => 0)()
  expect(pod.metadata.name).toBe('train-bbbbb')
  expect(pod.spec.hostname).toBeUndefined()
  expect(pod.spec.containers).toEqual([{ name: 'node' }])
})

it('a name that is too long loses its end, never the index', () => {
  const job = sampleJob()
  const long = { ...job, metadata: { ...job.metadata, name: 'x'.repeat(70) } }
  const name = podsOfJob(long, () => 0)(12).metadata.name as string
  expect(name).toHaveLength(63)
  expect(name.endsWith('x-12-bbbbb')).toBe(true)
})
