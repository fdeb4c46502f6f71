import { jobSet, replicated } from '../objects.ts'
import type { Scenario } from '../scenario.ts'

/** `successPolicy`, `startupPolicy`, `dependsOn`. */
export const jobSetOrder: readonly Scenario[] = [
  {
    name: 'successPolicy All: every Job must succeed',
    steps: [
      { create: jobSet('all', [replicated('a'), replicated('b', { replicas: 2 })]) },
      { pods: { job: 'all-a-0' }, become: 'succeeded' },
      { pods: { job: 'all-b-1' }, become: 'succeeded' },
      { pods: { job: 'all-b-0' }, become: 'succeeded' },
    ],
  },
  {
    name: 'successPolicy All of some: the others are deleted',
    steps: [
      {
        create: jobSet('some', [replicated('launcher'), replicated('worker', { replicas: 2 })], {
          successPolicy: { operator: 'All', targetReplicatedJobs: ['launcher'] },
        }),
      },
      { pods: { job: 'some-worker-0' }, become: 'ready' },
      { pods: { job: 'some-worker-1' }, become: 'succeeded' },
      { pods: { job: 'some-launcher-0' }, become: 'succeeded' },
      { pods: { job: 'some-worker-0', terminating: true }, become: 'gone' },
    ],
  },
  {
    name: 'successPolicy Any: one Job is enough',
    steps: [
      { create: jobSet('any', [replicated('main', { replicas: 3 })], { successPolicy: { operator: 'Any' } }) },
      { pods: { job: 'any-main-1' }, become: 'succeeded' },
    ],
  },
  {
    name: 'successPolicy: a failure comes first',
    steps: [
      {
        create: jobSet('fails', [replicated('a'), replicated('b')], {
          successPolicy: { operator: 'All', targetReplicatedJobs: ['a'] },
        }),
      },
      { pods: { job: 'fails-b-0' }, become: { exitCode: 1 } },
    ],
  },
  {
    name: 'successPolicy: suspended and resumed in between',
    steps: [
      { create: jobSet('kept', [replicated('a'), replicated('b')]) },
      { pods: { job: 'kept-a-0' }, become: 'succeeded' },
      { patch: 'JobSet/kept', body: { spec: { suspend: true } } },
      { pods: { job: 'kept-b-0', terminating: true }, become: 'gone' },
      { patch: 'JobSet/kept', body: { spec: { suspend: false } } },
      { pods: { job: 'kept-b-0' }, become: 'succeeded' },
    ],
  },
  {
    name: 'successPolicy Any of some: suspended before, resumed, and met by those alone',
    steps: [
      {
        create: jobSet('some', [replicated('a', { replicas: 2 }), replicated('b')], {
          suspend: true,
          successPolicy: { operator: 'Any', targetReplicatedJobs: ['a'] },
        }),
      },
      { patch: 'JobSet/some', body: { spec: { suspend: false } } },
      { pods: { job: 'some-b-0' }, become: 'succeeded' },
      { pods: { job: 'some-a-1' }, become: 'succeeded' },
    ],
  },
  {
    name: 'successPolicy must name replicated jobs, and stays as it is',
    steps: [
      {
        create: jobSet('refused', [replicated('a')], {
          successPolicy: { operator: 'All', targetReplicatedJobs: ['nobody'] },
        }),
      },
      { create: jobSet('kept', [replicated('a')]) },
      { patch: 'JobSet/kept', body: { spec: { successPolicy: { operator: 'Any' } } } },
      { patch: 'JobSet/kept', body: { spec: { startupPolicy: { startupPolicyOrder: 'InOrder' } } } },
    ],
  },
  {
    name: 'InOrder: one replicated job after the other',
    steps: [
      {
        create: jobSet('order', [replicated('a', { replicas: 2 }), replicated('b'), replicated('c')], {
          startupPolicy: { startupPolicyOrder: 'InOrder' },
        }),
      },
      { pods: { job: 'order-a-0' }, become: 'ready' },
      { pods: { job: 'order-a-1' }, become: 'ready' },
      { pods: { job: 'order-b-0' }, become: 'ready' },
      { pods: { job: 'order-c-0' }, become: 'ready' },
      { pods: { job: 'order-a-0' }, become: 'succeeded' },
    ],
  },
  {
    name: 'InOrder: created suspended and resumed',
    steps: [
      {
        create: jobSet('later', [replicated('a'), replicated('b')], {
          startupPolicy: { startupPolicyOrder: 'InOrder' },
          suspend: true,
        }),
      },
      { patch: 'JobSet/later', body: { spec: { suspend: false } } },
      { pods: { job: 'later-a-0' }, become: 'ready' },
      { pods: { job: 'later-b-0' }, become: 'ready' },
    ],
  },
  {
    name: 'InOrder: suspended in between and resumed',
    steps: [
      {
        create: jobSet('pause', [replicated('a'), replicated('b')], {
          startupPolicy: { startupPolicyOrder: 'InOrder' },
        }),
      },
      { pods: { job: 'pause-a-0' }, become: 'ready' },
      { patch: 'JobSet/pause', body: { spec: { suspend: true } } },
      { pods: { job: 'pause-a-0', terminating: true }, become: 'gone' },
      { pods: { job: 'pause-b-0', terminating: true }, become: 'gone' },
      { patch: 'JobSet/pause', body: { spec: { suspend: false } } },
      { pods: { job: 'pause-a-0' }, become: 'ready' },
      { pods: { job: 'pause-b-0' }, become: 'ready' },
    ],
  },
  {
    name: 'InOrder: a failure while starting',
    steps: [
      {
        create: jobSet('fails', [replicated('a'), replicated('b')], {
          startupPolicy: { startupPolicyOrder: 'InOrder' },
          failurePolicy: { maxRestarts: 1 },
        }),
      },
      { pods: { job: 'fails-a-0' }, become: { exitCode: 1 } },
      { pods: { job: 'fails-a-0' }, become: 'ready' },
      { pods: { job: 'fails-b-0' }, become: { exitCode: 1 } },
      { pods: { job: 'fails-a-0', terminating: true }, become: 'gone' },
    ],
  },
  {
    name: 'dependsOn Complete',
    steps: [
      {
        create: jobSet('chain', [
          replicated('first'),
          replicated('then', { dependsOn: [{ name: 'first', status: 'Complete' }] }),
        ]),
      },
      { pods: { job: 'chain-first-0' }, become: 'ready' },
      { pods: { job: 'chain-first-0' }, become: 'succeeded' },
      { pods: { job: 'chain-then-0' }, become: 'succeeded' },
    ],
  },
  {
    name: 'dependsOn Ready',
    steps: [
      {
        create: jobSet('ready', [
          replicated('driver', { replicas: 2 }),
          replicated('worker', { dependsOn: [{ name: 'driver', status: 'Ready' }] }),
        ]),
      },
      { pods: { job: 'ready-driver-0' }, become: 'ready' },
      { pods: { job: 'ready-driver-1' }, become: 'ready' },
      { pods: { job: 'ready-worker-0' }, become: 'ready' },
    ],
  },
  {
    name: 'dependsOn: a failure of the first keeps the second from starting',
    steps: [
      {
        create: jobSet('fails', [
          replicated('first'),
          replicated('then', { dependsOn: [{ name: 'first', status: 'Complete' }] }),
        ]),
      },
      { pods: { job: 'fails-first-0' }, become: { exitCode: 1 } },
    ],
  },
  {
    name: 'dependsOn: everything starts over with a restart',
    steps: [
      {
        create: jobSet(
          'restart',
          [replicated('first'), replicated('then', { dependsOn: [{ name: 'first', status: 'Complete' }] })],
          { failurePolicy: { maxRestarts: 1 } },
        ),
      },
      { pods: { job: 'restart-first-0' }, become: 'succeeded' },
      { pods: { job: 'restart-then-0' }, become: { exitCode: 1 } },
      { pods: { job: 'restart-first-0' }, become: 'succeeded' },
      { pods: { job: 'restart-then-0' }, become: 'succeeded' },
    ],
  },
  {
    name: 'dependsOn: suspended before the second has started, and resumed',
    steps: [
      {
        create: jobSet('pause', [
          replicated('first'),
          replicated('then', { dependsOn: [{ name: 'first', status: 'Complete' }] }),
        ]),
      },
      { patch: 'JobSet/pause', body: { spec: { suspend: true } } },
      { pods: { job: 'pause-first-0', terminating: true }, become: 'gone' },
      { patch: 'JobSet/pause', body: { spec: { suspend: false } } },
      { pods: { job: 'pause-first-0' }, become: 'succeeded' },
      { patch: 'JobSet/pause', body: { spec: { suspend: true } } },
      { patch: 'JobSet/pause', body: { spec: { suspend: false } } },
      { pods: { job: 'pause-then-0' }, become: 'succeeded' },
    ],
  },
  {
    name: 'dependsOn: suspended and resumed while the end of the first is only announced',
    steps: [
      {
        create: jobSet('early', [
          replicated('first'),
          replicated('then', { dependsOn: [{ name: 'first', status: 'Complete' }] }),
        ]),
      },
      { patch: 'JobSet/early', body: { spec: { suspend: true } } },
      { patch: 'JobSet/early', body: { spec: { suspend: false } } },
      { pods: { job: 'early-first-0' }, become: 'succeeded' },
      { patch: 'JobSet/early', body: { spec: { suspend: true } } },
      { patch: 'JobSet/early', body: { spec: { suspend: false } } },
      { pods: { job: 'early-first-0', terminating: true }, become: 'gone' },
      { pods: { job: 'early-then-0' }, become: 'succeeded' },
    ],
  },
  {
    name: 'dependsOn must name what comes before',
    steps: [
      {
        create: jobSet('refused', [
          replicated('first', { dependsOn: [{ name: 'then', status: 'Complete' }] }),
          replicated('then'),
        ]),
      },
      {
        create: jobSet('refused', [
          replicated('first'),
          replicated('then', { dependsOn: [{ name: 'nobody', status: 'Ready' }] }),
        ]),
      },
      {
        create: jobSet(
          'refused',
          [replicated('first'), replicated('then', { dependsOn: [{ name: 'first', status: 'Ready' }] })],
          { startupPolicy: { startupPolicyOrder: 'InOrder' } },
        ),
      },
    ],
  },
]
