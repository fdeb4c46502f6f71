import type { Pod } from '@trainjob/api'
import { describe, expect, it } from 'vitest'
import { podGroup } from './pod-group.ts'

const pod = (labels: Record<string, string>): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p', namespace: 'ml', uid: 'u', labels },
  spec: { containers: [] },
})

describe('podGroup', () => {
  it.each([
    [{}, 'pod/u', 'ml/p'],
    [{ 'job-name': 'j' }, 'job/ml/j', 'ml/j'],
    [{ 'batch.kubernetes.io/job-name': 'j', 'batch.kubernetes.io/controller-uid': '1' }, 'job/1', 'ml/j'],
    [{ 'batch.kubernetes.io/job-name': 'j', 'jobset.sigs.k8s.io/jobset-name': 's' }, 'jobset/ml/s', 'ml/s'],
    [{ 'jobset.sigs.k8s.io/jobset-name': 's', 'jobset.sigs.k8s.io/jobset-uid': '2' }, 'jobset/2', 'ml/s'],
  ])('%j is %s', (labels, key, name) => {
    expect(podGroup(pod(labels))).toEqual({ key, name })
  })
})
