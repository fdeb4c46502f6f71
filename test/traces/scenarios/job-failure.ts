import { indexed, job, template } from '../objects.ts'
import type { Scenario } from '../scenario.ts'

const onFailure = { template: template('OnFailure') }

/** When Jobs give up: `backoffLimit`, `backoffLimitPerIndex`, `activeDeadlineSeconds`. */
export const jobFailure: readonly Scenario[] = [
  {
    name: 'a Job fails with more failed pods than backoffLimit',
    steps: [
      { create: job('limit', { backoffLimit: 2 }) },
      { pods: { job: 'limit' }, become: { exitCode: 1 } },
      { pods: { job: 'limit' }, become: { exitCode: 2 } },
      { pods: { job: 'limit' }, become: { exitCode: 3 } },
    ],
  },
  {
    name: 'a Job that fails ends its other pods first, and counts them',
    steps: [
      { create: job('others', { backoffLimit: 0, parallelism: 3, completions: 3 }) },
      { pods: { job: 'others' }, become: 'ready' },
      { pods: { job: 'others', count: 1 }, become: { exitCode: 1 } },
      { pods: { job: 'others', terminating: true, count: 1 }, become: 'gone' },
      { pods: { job: 'others', terminating: true }, become: 'gone' },
    ],
  },
  {
    name: 'restarts in place count towards backoffLimit',
    steps: [
      { create: job('restarts', { ...onFailure, backoffLimit: 3, parallelism: 2, completions: 2 }) },
      { pods: { job: 'restarts', count: 1 }, become: { restarts: 2 } },
      { pods: { job: 'restarts' }, become: { restarts: 2 } },
      { pods: { job: 'restarts', terminating: true }, become: 'gone' },
    ],
  },
  {
    name: 'with a backoffLimit of 0 the first restart in place is one too many',
    steps: [
      { create: job('zero', { ...onFailure, backoffLimit: 0 }) },
      { pods: { job: 'zero' }, become: 'ready' },
      { pods: { job: 'zero' }, become: { restarts: 1 } },
      { pods: { job: 'zero', terminating: true }, become: 'gone' },
    ],
  },
  {
    name: 'a failed pod is replaced after its delay only',
    steps: [
      { create: job('delay') },
      { pods: { job: 'delay' }, become: { exitCode: 1, now: true } },
      { seconds: 12 },
      { pods: { job: 'delay' }, become: 'succeeded' },
    ],
  },
  {
    name: 'a pod that is deleted by hand counts as failed and is replaced',
    steps: [
      { create: job('byhand', { backoffLimit: 1 }) },
      { pods: { job: 'byhand' }, become: 'ready' },
      { evict: { job: 'byhand' } },
      { pods: { job: 'byhand', terminating: true }, become: 'gone' },
      { seconds: 12 },
      { pods: { job: 'byhand' }, become: 'vanished' },
    ],
  },
  {
    name: 'backoffLimitPerIndex: an index is given up, the others go on, the Job fails in the end',
    steps: [
      { create: indexed('lost', 3, { backoffLimitPerIndex: 1 }) },
      { pods: { job: 'lost', indexes: [1] }, become: { exitCode: 1 } },
      { pods: { job: 'lost', indexes: [1] }, become: { exitCode: 1 } },
      { pods: { job: 'lost', indexes: [0, 2] }, become: 'succeeded' },
    ],
  },
  {
    name: 'backoffLimitPerIndex: all succeed after some failures each',
    steps: [
      { create: indexed('retries', 2, { backoffLimitPerIndex: 2 }) },
      { pods: { job: 'retries', indexes: [0] }, become: { exitCode: 1 } },
      { pods: { job: 'retries', indexes: [1] }, become: { exitCode: 1 } },
      { pods: { job: 'retries', indexes: [0] }, become: { exitCode: 1 } },
      { pods: { job: 'retries' }, become: 'succeeded' },
    ],
  },
  {
    name: 'maxFailedIndexes: one index too many fails the Job at once',
    steps: [
      { create: indexed('max', 4, { backoffLimitPerIndex: 0, maxFailedIndexes: 1 }) },
      { pods: { job: 'max' }, become: 'ready' },
      { pods: { job: 'max', indexes: [0] }, become: { exitCode: 1 } },
      { pods: { job: 'max', indexes: [2] }, become: { exitCode: 1 } },
      { pods: { job: 'max', terminating: true }, become: 'gone' },
    ],
  },
  {
    name: 'backoffLimitPerIndex: the limit of the whole Job counts too',
    steps: [
      { create: indexed('both', 3, { backoffLimitPerIndex: 5, backoffLimit: 1 }) },
      { pods: { job: 'both', indexes: [0] }, become: { exitCode: 1 } },
      { pods: { job: 'both', indexes: [1] }, become: { exitCode: 1 } },
    ],
  },
  {
    name: 'backoffLimitPerIndex: suspended and resumed, failures of an index still count',
    steps: [
      { create: indexed('kept', 2, { backoffLimitPerIndex: 1 }) },
      { pods: { job: 'kept', indexes: [0] }, become: { exitCode: 1 } },
      { patch: 'Job/kept', body: { spec: { suspend: true } } },
      { pods: { job: 'kept', terminating: true }, become: 'gone' },
      { patch: 'Job/kept', body: { spec: { suspend: false } } },
      { pods: { job: 'kept', indexes: [0] }, become: { exitCode: 1 } },
      { pods: { job: 'kept', indexes: [1] }, become: 'succeeded' },
    ],
  },
  {
    name: 'backoffLimitPerIndex needs an Indexed Job',
    steps: [
      { create: job('refused', { backoffLimitPerIndex: 1 }) },
      { create: indexed('taken', 2, { ...onFailure, backoffLimitPerIndex: 1 }) },
      { create: indexed('refused', 2, { maxFailedIndexes: 1 }) },
      { create: indexed('refused', 2, { backoffLimitPerIndex: 1, maxFailedIndexes: 3 }) },
    ],
  },
  {
    name: 'a Job that is active for too long fails and ends its pods',
    steps: [
      { create: job('late', { parallelism: 2, completions: 2 }) },
      { pods: { job: 'late' }, become: 'ready' },
      { seconds: 2 },
      { patch: 'Job/late', body: { spec: { activeDeadlineSeconds: 1 } } },
      { pods: { job: 'late', terminating: true }, become: 'gone' },
    ],
  },
  {
    name: 'the deadline passes while the last pod has succeeded',
    steps: [
      { create: job('intime', { activeDeadlineSeconds: 600 }) },
      { pods: { job: 'intime' }, become: 'succeeded' },
    ],
  },
  {
    name: 'a deadline that is far away changes nothing about a failure',
    steps: [
      { create: job('early', { activeDeadlineSeconds: 3600, backoffLimit: 0 }) },
      { pods: { job: 'early' }, become: { exitCode: 1 } },
    ],
  },
  {
    name: 'time in suspension does not count towards the deadline',
    steps: [
      { create: job('pause', { activeDeadlineSeconds: 600 }) },
      { pods: { job: 'pause' }, become: 'ready' },
      { patch: 'Job/pause', body: { spec: { suspend: true, activeDeadlineSeconds: 3 } } },
      { pods: { job: 'pause', terminating: true }, become: 'gone' },
      { seconds: 4 },
      { patch: 'Job/pause', body: { spec: { suspend: false, activeDeadlineSeconds: 600 } } },
      { pods: { job: 'pause' }, become: 'succeeded' },
    ],
  },
]
