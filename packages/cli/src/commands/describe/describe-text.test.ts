import type { TrainJob } from '@trainjob/api'
import { reportedProgress } from '@trainjob/sdk'
import { expect, test } from 'vitest'
import { describeText } from './describe-text.ts'

const trainJob: TrainJob = {
  apiVersion: 'trainer.kubeflow.org/v1alpha1',
  kind: 'TrainJob',
  metadata: { name: 'a', namespace: 'default' },
  spec: { runtimeRef: { name: 'plain' } },
}
const bare = { trainJob, state: 'Running', nodes: [], events: [], hints: [] } as const

test('what the training code reported stands among the facts', () => {
  const trainerStatus = {
    progressPercentage: 75,
    estimatedRemainingSeconds: 1800,
    metrics: [
      { name: 'loss', value: '0.023' },
      { name: 'accuracy', value: '0.992' },
    ],
    lastUpdatedTime: '2026-06-12T14:00:00Z',
  }
  const progress = reportedProgress({ status: { trainerStatus } })
  expect(progress).toBeDefined()
  expect(describeText({ ...bare, ...(progress && { progress }) }, 0)).toBe(`Name:       a
Namespace:  default
State:      Running
Runtime:    ClusterTrainingRuntime/plain
Progress:   75 %
Done at:    2026-06-12T14:30:00Z
Metrics:    loss=0.023 accuracy=0.992
`)
})

test('a job that reports nothing has no such lines', () => {
  expect(describeText(bare, 0)).not.toMatch(/Progress|Done at|Metrics/)
  expect(describeText({ ...bare, progress: { metrics: {} } }, 0)).not.toMatch(/Progress|Done at|Metrics/)
})
