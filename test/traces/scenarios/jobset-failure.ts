import { jobSet, replicated, template } from '../objects.ts'
import type { Scenario } from '../scenario.ts'

const two = [replicated('leader'), replicated('worker', { replicas: 2 })]

/** `failurePolicy`: when JobSets fail, and when and how they restart. */
export const jobSetFailure: readonly Scenario[] = [
  {
    name: 'without a policy the first failed Job fails the JobSet, which deletes the others',
    steps: [
      { create: jobSet('fail', two) },
      { pods: { job: 'fail-leader-0' }, become: 'ready' },
      { pods: { job: 'fail-worker-0' }, become: 'ready' },
      { pods: { job: 'fail-worker-1' }, become: { exitCode: 1 } },
      { pods: { job: 'fail-leader-0', terminating: true }, become: 'gone' },
      { pods: { job: 'fail-worker-0', terminating: true }, become: 'gone' },
    ],
  },
  {
    name: 'a JobSet restarts until maxRestarts is reached',
    steps: [
      { create: jobSet('again', [replicated('main')], { failurePolicy: { maxRestarts: 2 } }) },
      { pods: { job: 'again-main-0' }, become: { exitCode: 1 } },
      { pods: { job: 'again-main-0' }, become: { exitCode: 1 } },
      { pods: { job: 'again-main-0' }, become: { exitCode: 1 } },
    ],
  },
  {
    name: 'a JobSet that restarts is ready again and completes',
    steps: [
      { create: jobSet('ready', two, { failurePolicy: { maxRestarts: 3 } }) },
      { pods: { job: 'ready-leader-0' }, become: 'ready' },
      { pods: { job: 'ready-worker-0' }, become: { exitCode: 1 } },
      { pods: { job: 'ready-leader-0', terminating: true }, become: 'gone' },
      { pods: { job: 'ready-worker-1', terminating: true }, become: 'gone' },
      { pods: { job: 'ready-leader-0' }, become: 'ready' },
      { pods: { job: 'ready-worker-0' }, become: 'ready' },
      { pods: { job: 'ready-worker-1' }, become: 'ready' },
      { pods: { job: 'ready-leader-0' }, become: 'succeeded' },
      { pods: { job: 'ready-worker-0' }, become: 'succeeded' },
      { pods: { job: 'ready-worker-1' }, become: 'succeeded' },
    ],
  },
  {
    name: 'Recreate makes each Job anew as soon as its old one is gone',
    steps: [
      {
        create: jobSet('recreate', two, { failurePolicy: { maxRestarts: 1, restartStrategy: 'Recreate' } }),
      },
      { pods: { job: 'recreate-leader-0' }, become: 'ready' },
      { pods: { job: 'recreate-worker-1' }, become: 'ready' },
      { pods: { job: 'recreate-worker-0' }, become: { exitCode: 1 } },
      { pods: { job: 'recreate-worker-1', terminating: true }, become: 'gone' },
      { pods: { job: 'recreate-leader-0', terminating: true }, become: 'gone' },
    ],
  },
  {
    name: 'BlockingRecreate waits until all old Jobs are gone',
    steps: [
      {
        create: jobSet('blocking', two, { failurePolicy: { maxRestarts: 1, restartStrategy: 'BlockingRecreate' } }),
      },
      { pods: { job: 'blocking-leader-0' }, become: 'ready' },
      { pods: { job: 'blocking-worker-1' }, become: 'ready' },
      { pods: { job: 'blocking-worker-0' }, become: { exitCode: 1 } },
      { pods: { job: 'blocking-worker-1', terminating: true }, become: 'gone' },
      { pods: { job: 'blocking-leader-0', terminating: true }, become: 'gone' },
    ],
  },
  {
    name: 'rule FailJobSet, by replicated job',
    steps: [
      {
        create: jobSet('byname', two, {
          failurePolicy: {
            maxRestarts: 5,
            rules: [{ name: 'leaderRule', action: 'FailJobSet', targetReplicatedJobs: ['leader'] }],
          },
        }),
      },
      { pods: { job: 'byname-worker-0' }, become: { exitCode: 1 } },
      { pods: { job: 'byname-worker-1', terminating: true }, become: 'gone' },
      { pods: { job: 'byname-leader-0', terminating: true }, become: 'gone' },
      { pods: { job: 'byname-leader-0' }, become: { exitCode: 1 } },
    ],
  },
  {
    name: 'rule RestartJobSetAndIgnoreMaxRestarts does not count',
    steps: [
      {
        create: jobSet('nocount', [replicated('main')], {
          failurePolicy: {
            maxRestarts: 0,
            rules: [
              { action: 'RestartJobSetAndIgnoreMaxRestarts', onJobFailureReasons: ['PodFailurePolicy'] },
              { action: 'FailJobSet' },
            ],
          },
        }),
      },
      { pods: { job: 'nocount-main-0' }, become: { exitCode: 1 } },
    ],
  },
  {
    name: 'rules by the reason of the failure',
    steps: [
      {
        create: jobSet(
          'reason',
          [
            replicated(
              'main',
              {},
              {
                backoffLimit: 3,
                podFailurePolicy: { rules: [{ action: 'FailJob', onExitCodes: { operator: 'In', values: [42] } }] },
              },
            ),
          ],
          {
            failurePolicy: {
              maxRestarts: 1,
              rules: [
                { name: 'config', action: 'FailJobSet', onJobFailureReasons: ['DeadlineExceeded'] },
                {
                  name: 'host',
                  action: 'RestartJobSetAndIgnoreMaxRestarts',
                  onJobFailureReasons: ['PodFailurePolicy'],
                },
              ],
            },
          },
        ),
      },
      { pods: { job: 'reason-main-0' }, become: { exitCode: 42 } },
      { pods: { job: 'reason-main-0' }, become: { exitCode: 42 } },
      { pods: { job: 'reason-main-0' }, become: 'succeeded' },
    ],
  },
  {
    name: 'rules by the message of the failure',
    steps: [
      {
        create: jobSet('message', [replicated('main')], {
          failurePolicy: {
            maxRestarts: 3,
            rules: [
              { name: 'other', action: 'RestartJobSet', onJobFailureMessagePatterns: ['exit code 7'] },
              { name: 'limit', action: 'FailJobSet', onJobFailureMessagePatterns: ['^never$', 'backoff l.mit'] },
            ],
          },
        }),
      },
      { pods: { job: 'message-main-0' }, become: { exitCode: 1 } },
    ],
  },
  {
    name: 'rule RestartJobSet, by name, up to maxRestarts',
    steps: [
      {
        create: jobSet('rule', [replicated('main')], {
          failurePolicy: { maxRestarts: 1, rules: [{ name: 'again', action: 'RestartJobSet' }] },
        }),
      },
      { pods: { job: 'rule-main-0' }, become: { exitCode: 1 } },
      { pods: { job: 'rule-main-0' }, become: { exitCode: 1 } },
    ],
  },
  {
    name: 'a JobSet that restarts is suspended and resumed',
    steps: [
      { create: jobSet('pause', [replicated('main')], { failurePolicy: { maxRestarts: 1 } }) },
      { pods: { job: 'pause-main-0' }, become: { exitCode: 1 } },
      { patch: 'JobSet/pause', body: { spec: { suspend: true } } },
      { patch: 'JobSet/pause', body: { spec: { suspend: false } } },
      { pods: { job: 'pause-main-0' }, become: { exitCode: 1 } },
    ],
  },
  {
    name: 'rules hold for a JobSet that was suspended and resumed',
    steps: [
      {
        create: jobSet('pause', two, {
          suspend: true,
          failurePolicy: {
            maxRestarts: 1,
            rules: [
              { name: 'host', action: 'RestartJobSetAndIgnoreMaxRestarts', targetReplicatedJobs: ['leader'] },
              { name: 'work', action: 'FailJobSet', targetReplicatedJobs: ['worker'] },
            ],
          },
        }),
      },
      { patch: 'JobSet/pause', body: { spec: { suspend: false } } },
      { pods: { job: 'pause-leader-0' }, become: { exitCode: 1 } },
      { pods: { job: 'pause-worker-0', terminating: true }, become: 'gone' },
      { patch: 'JobSet/pause', body: { spec: { suspend: true } } },
      { pods: { job: 'pause-leader-0', terminating: true }, become: 'gone' },
      { pods: { job: 'pause-worker-0', terminating: true }, become: 'gone' },
      { patch: 'JobSet/pause', body: { spec: { suspend: false } } },
      { pods: { job: 'pause-worker-0' }, become: { exitCode: 1 } },
    ],
  },
  {
    name: 'restarts in place count within a Job first',
    steps: [
      {
        create: jobSet('inplace', [replicated('main', {}, { backoffLimit: 1, template: template('OnFailure') })], {
          failurePolicy: { maxRestarts: 1 },
        }),
      },
      { pods: { job: 'inplace-main-0' }, become: { restarts: 1 } },
      { pods: { job: 'inplace-main-0', terminating: true }, become: 'gone' },
      { pods: { job: 'inplace-main-0' }, become: 'succeeded' },
    ],
  },
  {
    name: 'what stands behind a feature gate is refused while that is off',
    steps: [
      { create: jobSet('refused', two, { failurePolicy: { rules: [{ action: 'RestartJob' }] } }) },
      {
        create: jobSet('refused', two, {
          failurePolicy: { rules: [{ action: 'RestartJobAndIgnoreMaxRestarts' }] },
        }),
      },
      { create: jobSet('refused', two, { failurePolicy: { maxRestarts: 1, restartStrategy: 'InPlaceRestart' } }) },
      { create: jobSet('rigid', [replicated('main')]) },
      {
        patch: 'JobSet/rigid',
        body: { spec: { replicatedJobs: [replicated('main', {}, { parallelism: 2, completions: 2 })] } },
      },
    ],
  },
  {
    name: 'bad rules are refused',
    steps: [
      {
        create: jobSet('refused', two, {
          failurePolicy: { rules: [{ action: 'FailJobSet', targetReplicatedJobs: ['nobody'] }] },
        }),
      },
      {
        create: jobSet('refused', two, {
          failurePolicy: {
            rules: [
              { name: 'same', action: 'FailJobSet' },
              { name: 'same', action: 'RestartJobSet' },
            ],
          },
        }),
      },
      {
        create: jobSet('refused', two, {
          failurePolicy: { rules: [{ action: 'FailJobSet', onJobFailureReasons: ['Whim'] }] },
        }),
      },
      { create: jobSet('kept', two, { failurePolicy: { maxRestarts: 1 } }) },
      { patch: 'JobSet/kept', body: { spec: { failurePolicy: { maxRestarts: 2 } } } },
    ],
  },
]
