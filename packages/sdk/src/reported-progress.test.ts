import type { TrainerStatus } from '@trainjob/api'
import { expect, it } from 'vitest'
import { type ReportedProgress, reportedProgress } from './reported-progress.ts'

const at = { lastUpdatedTime: '2026-06-12T14:10:00Z' }

// the first is what the document shows
it.each<[string, TrainerStatus, ReportedProgress]>([
  [
    'all of it',
    {
      ...at,
      progressPercentage: 75,
      estimatedRemainingSeconds: 1200,
      metrics: [
        { name: 'loss', value: '0.023' },
        { name: 'accuracy', value: '0.992' },
      ],
    },
    { progress: 75, eta: '2026-06-12T14:30:00Z', metrics: { loss: 0.023, accuracy: 0.992 } },
  ],
  ['nothing but a time', at, { metrics: {} }],
  [
    'the end',
    { ...at, progressPercentage: 100, estimatedRemainingSeconds: 0 },
    { progress: 100, eta: '2026-06-12T14:10:00Z', metrics: {} },
  ],
  [
    'a report with another offset and parts of a second',
    { lastUpdatedTime: '2026-06-12T16:10:00.250+02:00', estimatedRemainingSeconds: 60 },
    { eta: '2026-06-12T14:11:00Z', metrics: {} },
  ],
  [
    'metrics that are no numbers',
    {
      ...at,
      metrics: [
        { name: 'loss', value: 'NaN' },
        { name: 'phase', value: 'warm-up' },
        { name: 'lr', value: '1e-3' },
      ],
    },
    { metrics: { loss: 'NaN', phase: 'warm-up', lr: 0.001 } },
  ],
  ['a time that is none', { lastUpdatedTime: 'soon', estimatedRemainingSeconds: 60 }, { metrics: {} }],
])('%s', (_, trainerStatus, expected) => {
  expect(reportedProgress({ status: { trainerStatus } })).toEqual(expected)
})

it('of a job that reports nothing is not there', () => {
  expect(reportedProgress({})).toBeUndefined()
  expect(reportedProgress({ status: { conditions: [] } })).toBeUndefined()
})
