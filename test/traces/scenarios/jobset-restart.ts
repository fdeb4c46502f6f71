import { jobSet, replicated } from '../objects.ts'
import type { Scenario } from '../scenario.ts'

const two = [replicated('a'), replicated('b')]
const recreate = { failurePolicy: { maxRestarts: 3, restartStrategy: 'Recreate' as const } }
const blocking = { failurePolicy: { maxRestarts: 3, restartStrategy: 'BlockingRecreate' as const } }

/** `restartStrategy`: what is made anew when, also while the old is still going. */
export const jobSetRestart: readonly Scenario[] = [
  {
    name: 'Recreate: fails again while Jobs of the attempt before still end',
    steps: [
      { create: jobSet('set', two, recreate) },
      { pods: { job: 'set-b-0' }, become: 'ready' },
      { pods: { job: 'set-a-0' }, become: { exitCode: 1 } },
      { pods: { job: 'set-a-0' }, become: { exitCode: 1 } },
      { pods: { job: 'set-b-0', terminating: true }, become: 'gone' },
      { pods: { job: 'set-a-0' }, become: 'succeeded' },
      { pods: { job: 'set-b-0' }, become: 'succeeded' },
    ],
  },
  {
    name: 'Recreate: suspended while it restarts, and resumed',
    steps: [
      { create: jobSet('set', two, recreate) },
      { pods: { job: 'set-b-0' }, become: 'ready' },
      { pods: { job: 'set-a-0' }, become: { exitCode: 1 } },
      { patch: 'JobSet/set', body: { spec: { suspend: true } } },
      { pods: { job: 'set-b-0', terminating: true }, become: 'gone' },
      { patch: 'JobSet/set', body: { spec: { suspend: false } } },
      { pods: { job: 'set-b-0' }, become: 'ready' },
    ],
  },
  {
    name: 'BlockingRecreate: suspended while it waits, and resumed',
    steps: [
      { create: jobSet('set', two, blocking) },
      { pods: { job: 'set-b-0' }, become: 'ready' },
      { pods: { job: 'set-a-0' }, become: { exitCode: 1 } },
      { patch: 'JobSet/set', body: { spec: { suspend: true } } },
      { pods: { job: 'set-b-0', terminating: true }, become: 'gone' },
      { patch: 'JobSet/set', body: { spec: { suspend: false } } },
      { pods: { job: 'set-a-0' }, become: 'succeeded' },
    ],
  },
  {
    name: 'BlockingRecreate: gives up when it has restarted too often',
    steps: [
      { create: jobSet('set', two, { failurePolicy: { maxRestarts: 1, restartStrategy: 'BlockingRecreate' } }) },
      { pods: { job: 'set-a-0' }, become: { exitCode: 1 } },
      { pods: { job: 'set-b-0', terminating: true }, become: 'gone' },
      { pods: { job: 'set-b-0' }, become: { exitCode: 1 } },
      { pods: { job: 'set-a-0', terminating: true }, become: 'gone' },
    ],
  },
  {
    name: 'a finished Job runs again with a restart',
    steps: [
      { create: jobSet('set', two, recreate) },
      { pods: { job: 'set-b-0' }, become: 'succeeded' },
      { pods: { job: 'set-a-0' }, become: { exitCode: 1 } },
      { pods: { job: 'set-a-0' }, become: 'succeeded' },
      { pods: { job: 'set-b-0' }, become: 'succeeded' },
    ],
  },
  {
    name: 'InOrder: the order holds for a restart too',
    steps: [
      {
        create: jobSet('set', two, { ...recreate, startupPolicy: { startupPolicyOrder: 'InOrder' } }),
      },
      { pods: { job: 'set-a-0' }, become: 'ready' },
      { pods: { job: 'set-b-0' }, become: 'ready' },
      { pods: { job: 'set-b-0' }, become: { exitCode: 1 } },
      { pods: { job: 'set-a-0', terminating: true }, become: 'gone' },
      { pods: { job: 'set-a-0' }, become: 'ready' },
      { pods: { job: 'set-b-0' }, become: 'ready' },
    ],
  },
  {
    name: 'dependsOn Ready: the dependence holds for a restart too',
    steps: [
      {
        create: jobSet(
          'set',
          [replicated('a'), replicated('b', { dependsOn: [{ name: 'a', status: 'Ready' }] })],
          recreate,
        ),
      },
      { pods: { job: 'set-a-0' }, become: 'ready' },
      { pods: { job: 'set-b-0' }, become: { exitCode: 1 } },
      { pods: { job: 'set-a-0', terminating: true }, become: 'gone' },
      { pods: { job: 'set-a-0' }, become: 'ready' },
      { pods: { job: 'set-b-0' }, become: 'succeeded' },
    ],
  },
  {
    name: 'a JobSet is deleted in the foreground while it restarts',
    steps: [
      { create: jobSet('set', two, blocking) },
      { pods: { job: 'set-b-0' }, become: 'ready' },
      { pods: { job: 'set-a-0' }, become: { exitCode: 1 } },
      { delete: 'JobSet/set', propagationPolicy: 'Foreground' },
      { pods: { job: 'set-b-0', terminating: true }, become: 'gone' },
    ],
  },
]
