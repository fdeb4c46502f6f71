import { indexed, job, template } from '../objects.ts'
import type { Scenario } from '../scenario.ts'

const DISRUPTION = [{ type: 'DisruptionTarget', status: 'True' }]

/** `podFailurePolicy`, `successPolicy`, `podReplacementPolicy`. */
export const jobPolicies: readonly Scenario[] = [
  {
    name: 'podFailurePolicy: FailJob on an exit code',
    steps: [
      {
        create: job('failjob', {
          parallelism: 2,
          completions: 2,
          podFailurePolicy: {
            rules: [{ action: 'FailJob', onExitCodes: { containerName: 'main', operator: 'In', values: [42] } }],
          },
        }),
      },
      { pods: { job: 'failjob' }, become: 'ready' },
      { pods: { job: 'failjob', count: 1 }, become: { exitCode: 42 } },
      { pods: { job: 'failjob', terminating: true }, become: 'gone' },
    ],
  },
  {
    name: 'podFailurePolicy: a disruption is ignored, another failure counts',
    steps: [
      {
        create: job('ignore', {
          backoffLimit: 0,
          podFailurePolicy: { rules: [{ action: 'Ignore', onPodConditions: DISRUPTION }] },
        }),
      },
      { pods: { job: 'ignore' }, become: { disrupted: 'EvictionByEvictionAPI' } },
      { pods: { job: 'ignore' }, become: { exitCode: 1 } },
    ],
  },
  {
    name: 'podFailurePolicy: the first rule that matches decides',
    steps: [
      {
        create: job('first', {
          backoffLimit: 1,
          podFailurePolicy: {
            rules: [
              { action: 'Count', onExitCodes: { operator: 'In', values: [1] } },
              { action: 'FailJob', onExitCodes: { operator: 'NotIn', values: [2] } },
            ],
          },
        }),
      },
      { pods: { job: 'first' }, become: { exitCode: 1 } },
      { pods: { job: 'first' }, become: { exitCode: 3 } },
    ],
  },
  {
    name: 'podFailurePolicy: FailJob on a condition',
    steps: [
      {
        create: job('condition', { podFailurePolicy: { rules: [{ action: 'FailJob', onPodConditions: DISRUPTION }] } }),
      },
      { pods: { job: 'condition' }, become: { disrupted: 'PreemptionByScheduler' } },
    ],
  },
  {
    name: 'podFailurePolicy: a condition that says nothing of its status is true',
    steps: [
      {
        create: job('silent', {
          podFailurePolicy: { rules: [{ action: 'FailJob', onPodConditions: [{ type: 'DisruptionTarget' }] }] },
        }),
      },
      { pods: { job: 'silent' }, become: { disrupted: 'DeletionByPodGC' } },
    ],
  },
  {
    name: 'podFailurePolicy: FailIndex gives the index up at once',
    steps: [
      {
        create: indexed('failindex', 2, {
          backoffLimitPerIndex: 3,
          podFailurePolicy: { rules: [{ action: 'FailIndex', onExitCodes: { operator: 'In', values: [9] } }] },
        }),
      },
      { pods: { job: 'failindex', indexes: [0] }, become: { exitCode: 9 } },
      { pods: { job: 'failindex', indexes: [1] }, become: { exitCode: 1 } },
      { pods: { job: 'failindex', indexes: [1] }, become: 'succeeded' },
    ],
  },
  {
    name: 'podFailurePolicy: ignored failures of an index are counted on its next pod',
    steps: [
      {
        create: indexed('ignored', 1, {
          backoffLimitPerIndex: 1,
          podFailurePolicy: { rules: [{ action: 'Ignore', onPodConditions: DISRUPTION }] },
        }),
      },
      { pods: { job: 'ignored' }, become: { disrupted: 'TerminationByKubelet' } },
      { pods: { job: 'ignored' }, become: { exitCode: 1 } },
      { pods: { job: 'ignored' }, become: { exitCode: 1 } },
    ],
  },
  {
    name: 'podFailurePolicy needs pods that are not restarted in place, and good rules',
    steps: [
      {
        create: job('refused', {
          template: template('OnFailure'),
          podFailurePolicy: { rules: [{ action: 'Ignore', onPodConditions: DISRUPTION }] },
        }),
      },
      {
        create: job('refused', {
          podFailurePolicy: { rules: [{ action: 'FailJob', onExitCodes: { operator: 'In', values: [0] } }] },
        }),
      },
      {
        create: job('refused', {
          podFailurePolicy: { rules: [{ action: 'FailIndex', onExitCodes: { operator: 'In', values: [1] } }] },
        }),
      },
      { create: job('refused', { podFailurePolicy: { rules: [{ action: 'Ignore' }] } }) },
    ],
  },
  {
    name: 'podFailurePolicy: suspended and resumed, it still applies',
    steps: [
      {
        create: job('resumed', {
          suspend: true,
          podFailurePolicy: { rules: [{ action: 'FailJob', onExitCodes: { operator: 'In', values: [7] } }] },
        }),
      },
      { patch: 'Job/resumed', body: { spec: { suspend: false } } },
      { pods: { job: 'resumed' }, become: { exitCode: 7 } },
    ],
  },
  {
    name: 'successPolicy: the leader is enough',
    steps: [
      { create: indexed('leader', 3, { successPolicy: { rules: [{ succeededIndexes: '0' }] } }) },
      { pods: { job: 'leader' }, become: 'ready' },
      { pods: { job: 'leader', indexes: [1] }, become: 'succeeded' },
      { pods: { job: 'leader', indexes: [0] }, become: 'succeeded' },
      { pods: { job: 'leader', terminating: true }, become: 'gone' },
    ],
  },
  {
    name: 'successPolicy: a number of indexes of a range',
    steps: [
      {
        create: indexed('range', 4, { successPolicy: { rules: [{ succeededIndexes: '1-3', succeededCount: 2 }] } }),
      },
      { pods: { job: 'range' }, become: 'ready' },
      { pods: { job: 'range', indexes: [0, 1] }, become: 'succeeded' },
      { pods: { job: 'range', indexes: [2] }, become: 'succeeded' },
      { pods: { job: 'range', terminating: true }, become: 'gone' },
    ],
  },
  {
    name: 'successPolicy: the second rule, by number',
    steps: [
      {
        create: indexed('second', 3, {
          successPolicy: { rules: [{ succeededIndexes: '0' }, { succeededCount: 2 }] },
        }),
      },
      { pods: { job: 'second', indexes: [1, 2] }, become: 'succeeded' },
    ],
  },
  {
    name: 'successPolicy: met by all indexes, as without one',
    steps: [
      { create: indexed('all', 2, { successPolicy: { rules: [{ succeededCount: 2 }] } }) },
      { pods: { job: 'all' }, become: 'succeeded' },
    ],
  },
  {
    name: 'successPolicy: a failure before it is met fails the Job',
    steps: [
      { create: indexed('toolate', 2, { backoffLimit: 0, successPolicy: { rules: [{ succeededIndexes: '0' }] } }) },
      { pods: { job: 'toolate' }, become: 'ready' },
      { pods: { job: 'toolate', indexes: [1] }, become: { exitCode: 1 } },
      { pods: { job: 'toolate', terminating: true }, become: 'gone' },
    ],
  },
  {
    name: 'successPolicy: suspended and resumed, what has succeeded still counts',
    steps: [
      { create: indexed('kept', 3, { successPolicy: { rules: [{ succeededIndexes: '0-2', succeededCount: 2 }] } }) },
      { pods: { job: 'kept' }, become: 'ready' },
      { pods: { job: 'kept', indexes: [2] }, become: 'succeeded' },
      { patch: 'Job/kept', body: { spec: { suspend: true } } },
      { pods: { job: 'kept', terminating: true }, become: 'gone' },
      { patch: 'Job/kept', body: { spec: { suspend: false } } },
      { pods: { job: 'kept', indexes: [0] }, become: 'succeeded' },
      { pods: { job: 'kept', terminating: true }, become: 'gone' },
    ],
  },
  {
    name: 'successPolicy needs an Indexed Job and rules that can be met',
    steps: [
      { create: job('refused', { successPolicy: { rules: [{ succeededCount: 1 }] } }) },
      { create: indexed('refused', 2, { successPolicy: { rules: [] } }) },
      { create: indexed('refused', 2, { successPolicy: { rules: [{ succeededIndexes: '0-2' }] } }) },
      { create: indexed('refused', 2, { successPolicy: { rules: [{ succeededCount: 3 }] } }) },
    ],
  },
  {
    name: 'podReplacementPolicy TerminatingOrFailed: replaced while it terminates',
    steps: [
      { create: job('early', { podReplacementPolicy: 'TerminatingOrFailed' }) },
      { pods: { job: 'early' }, become: 'ready' },
      { evict: { job: 'early' } },
      { seconds: 12 },
      { pods: { job: 'early', terminating: true }, become: 'gone' },
      { pods: { job: 'early' }, become: 'succeeded' },
    ],
  },
  {
    name: 'podReplacementPolicy Failed: replaced when it has failed',
    steps: [
      { create: indexed('late', 2, { podReplacementPolicy: 'Failed' }) },
      { pods: { job: 'late' }, become: 'ready' },
      { evict: { job: 'late', indexes: [0] } },
      { pods: { job: 'late', terminating: true }, become: { exitCode: 143 } },
      { pods: { job: 'late' }, become: 'succeeded' },
    ],
  },
  {
    name: 'podReplacementPolicy Failed: a pod that vanishes while it terminates',
    steps: [
      { create: job('vanish', { podReplacementPolicy: 'Failed', backoffLimit: 1 }) },
      { pods: { job: 'vanish' }, become: 'ready' },
      { evict: { job: 'vanish' } },
      { pods: { job: 'vanish', terminating: true }, become: 'vanished' },
    ],
  },
  {
    name: 'podReplacementPolicy Failed: resumed while the old pods still terminate',
    steps: [
      { create: job('resume', { podReplacementPolicy: 'Failed' }) },
      { pods: { job: 'resume' }, become: 'ready' },
      { patch: 'Job/resume', body: { spec: { suspend: true } } },
      { patch: 'Job/resume', body: { spec: { suspend: false } } },
      { pods: { job: 'resume', terminating: true }, become: 'gone' },
      { pods: { job: 'resume' }, become: 'succeeded' },
    ],
  },
]
