import { indexed, job, jobSet, replicated, template } from '../objects.ts'
import type { Scenario } from '../scenario.ts'

const two = [replicated('a'), replicated('b')]
const longName = 'x'.repeat(60)

/** What others do to objects that a controller looks after, and what their authors did not think of. */
export const adversity: readonly Scenario[] = [
  {
    name: 'a Job of a JobSet is deleted by hand',
    steps: [
      { create: jobSet('set', two) },
      { pods: { job: 'set-a-0' }, become: 'ready' },
      { delete: 'Job/set-a-0' },
      { pods: { job: 'set-a-0', terminating: true }, become: 'gone' },
      { pods: { job: 'set-a-0' }, become: 'succeeded' },
      { pods: { job: 'set-b-0' }, become: 'succeeded' },
    ],
  },
  {
    name: 'a finished Job of a JobSet is deleted by hand',
    steps: [
      { create: jobSet('set', two) },
      { pods: { job: 'set-a-0' }, become: 'succeeded' },
      { delete: 'Job/set-a-0' },
      { pods: { job: 'set-a-0' }, become: 'succeeded' },
    ],
  },
  {
    name: 'the Service of a JobSet is deleted by hand',
    steps: [{ create: jobSet('set', two) }, { delete: 'Service/set' }],
  },
  {
    name: 'the Service of a suspended JobSet is deleted by hand',
    steps: [{ create: jobSet('set', two, { suspend: true }) }, { delete: 'Service/set' }],
  },
  {
    name: 'a Job of a JobSet is given another width',
    steps: [
      { create: jobSet('set', [replicated('a', {}, { completions: 2, parallelism: 2 })]) },
      { pods: { job: 'set-a-0', indexes: [0] }, become: 'ready' },
      { patch: 'Job/set-a-0', body: { spec: { parallelism: 1 } } },
    ],
  },
  {
    name: 'a pod of a JobSet is deleted by hand, and its Job has no failures to spare',
    steps: [
      { create: jobSet('set', two) },
      { pods: { job: 'set-a-0' }, become: 'ready' },
      { evict: { job: 'set-a-0' } },
      { pods: { job: 'set-a-0', terminating: true }, become: 'gone' },
    ],
  },
  {
    name: 'one Job of two fails, and fails again',
    steps: [
      { create: jobSet('set', [replicated('a', { replicas: 2 })], { failurePolicy: { maxRestarts: 1 } }) },
      { pods: { job: 'set-a-0' }, become: { exitCode: 1 } },
      { pods: { job: 'set-a-0' }, become: { exitCode: 1 } },
    ],
  },
  {
    name: 'a JobSet is deleted while it restarts',
    steps: [
      { create: jobSet('set', two, { failurePolicy: { maxRestarts: 1 } }) },
      { pods: { job: 'set-b-0' }, become: 'ready' },
      { pods: { job: 'set-a-0' }, become: { exitCode: 1 } },
      { delete: 'JobSet/set' },
      { pods: { job: 'set-b-0', terminating: true }, become: 'gone' },
    ],
  },
  {
    name: 'a suspended JobSet is deleted',
    steps: [{ create: jobSet('set', two, { suspend: true }) }, { delete: 'JobSet/set' }],
  },
  {
    name: 'a JobSet that has failed is suspended and resumed',
    steps: [
      { create: jobSet('set', [replicated('a')]) },
      { pods: { job: 'set-a-0' }, become: { exitCode: 1 } },
      { patch: 'JobSet/set', body: { spec: { suspend: true } } },
      { patch: 'JobSet/set', body: { spec: { suspend: false } } },
    ],
  },
  {
    name: 'a JobSet of nothing',
    steps: [{ create: jobSet('set', []) }, { patch: 'JobSet/set', body: { spec: { suspend: true } } }],
  },
  {
    name: 'a Job without completions to reach in a JobSet',
    steps: [{ create: jobSet('set', [replicated('a', {}, { completions: 0, parallelism: 0 }), replicated('b')]) }],
  },
  {
    name: 'a replicated job of no Jobs',
    steps: [
      { create: jobSet('set', [replicated('a', { replicas: 0 }), replicated('b')]) },
      { pods: { job: 'set-b-0' }, become: 'succeeded' },
    ],
  },
  {
    name: 'a Job of that name is there already',
    steps: [{ create: job('set-a-0') }, { create: jobSet('set', two) }],
  },
  {
    name: 'a work queue in a JobSet',
    steps: [
      {
        create: jobSet('set', [
          {
            name: 'queue',
            template: {
              spec: { completionMode: 'NonIndexed', parallelism: 2, backoffLimit: 0, template: template('Never') },
            },
          },
        ]),
      },
      { pods: { job: 'set-queue-0' }, become: 'ready' },
      { pods: { job: 'set-queue-0', count: 1 }, become: 'succeeded' },
      { pods: { job: 'set-queue-0' }, become: 'succeeded' },
    ],
  },
  {
    name: 'a deadline in a JobSet, and a rule for it',
    steps: [
      {
        create: jobSet('set', [replicated('a', {}, { activeDeadlineSeconds: 15 })], {
          failurePolicy: {
            maxRestarts: 3,
            rules: [{ name: 'late', action: 'FailJobSet', onJobFailureReasons: ['DeadlineExceeded'] }],
          },
        }),
      },
      { seconds: 16 },
      { pods: { job: 'set-a-0', terminating: true }, become: 'gone' },
    ],
  },
  {
    name: 'names that are too long',
    steps: [
      { create: jobSet(longName, two) },
      { create: jobSet('set', [replicated(longName)]) },
      { create: indexed('x'.repeat(63), 10) },
      { create: jobSet('9set', two) },
      { create: job('Not_A.Name') },
    ],
  },
  {
    name: 'labels and time to live of a running JobSet may change',
    steps: [
      { create: jobSet('set', [replicated('a')]) },
      { patch: 'JobSet/set', body: { metadata: { labels: { team: 'x' } } } },
      { patch: 'JobSet/set', body: { spec: { ttlSecondsAfterFinished: 600 } } },
      { patch: 'JobSet/set', body: { spec: { ttlSecondsAfterFinished: -1 } } },
      { patch: 'JobSet/set', body: { spec: { coordinator: { replicatedJob: 'a' } } } },
    ],
  },
  {
    name: 'policies of a running JobSet may be added and removed, but not changed',
    steps: [
      { create: jobSet('set', [replicated('a')]) },
      { patch: 'JobSet/set', body: { spec: { failurePolicy: { maxRestarts: 1 } } } },
      { patch: 'JobSet/set', body: { spec: { failurePolicy: { maxRestarts: 2 } } } },
      { pods: { job: 'set-a-0' }, become: { exitCode: 1 } },
      { patch: 'JobSet/set', body: { spec: { failurePolicy: null, startupPolicy: null } } },
      { pods: { job: 'set-a-0' }, become: { exitCode: 1 } },
    ],
  },
  {
    name: 'exclusive placement by node selector is handed on',
    steps: [
      {
        create: {
          ...jobSet('set', two, { suspend: true }),
          metadata: {
            name: 'set',
            annotations: {
              'alpha.jobset.sigs.k8s.io/exclusive-topology': 'zone',
              'alpha.jobset.sigs.k8s.io/node-selector': 'true',
            },
          },
        },
      },
    ],
  },
  {
    name: 'a pod fails though its containers would be restarted in place',
    steps: [
      { create: job('evicted', { template: template('OnFailure'), backoffLimit: 1 }) },
      { pods: { job: 'evicted' }, become: { disrupted: 'TerminationByKubelet' } },
      { pods: { job: 'evicted' }, become: 'succeeded' },
    ],
  },
  {
    name: 'a Job is deleted while its pods end',
    steps: [
      { create: job('gone', { backoffLimit: 0, parallelism: 2, completions: 2 }) },
      { pods: { job: 'gone', count: 1 }, become: 'ready' },
      { pods: { job: 'gone', count: 1 }, become: { exitCode: 1 } },
      { delete: 'Job/gone', propagationPolicy: 'Foreground' },
    ],
  },
  {
    name: 'bad numbers',
    steps: [
      { create: job('bad', { parallelism: -1 }) },
      { create: job('bad', { backoffLimit: -1, completions: -2 }) },
      { create: job('bad', { activeDeadlineSeconds: -1, ttlSecondsAfterFinished: -1 }) },
      { create: job('bad', { managedBy: 'nobody' }) },
      { create: job('bad', { template: { spec: { containers: [{ name: 'main', image: 'image' }] } } }) },
      { create: job('bad', { podReplacementPolicy: 'Whim' as 'Failed' }) },
      { create: job('bad', { completionMode: 'Whim' as 'Indexed' }) },
      { create: job('bad', { completionMode: 'Indexed', parallelism: 2 }) },
      { create: job('bad', { template: { spec: { restartPolicy: 'Never', containers: [] } } }) },
    ],
  },
  {
    name: 'the author of a Job chooses its selector',
    steps: [
      { create: job('chosen', { selector: { matchLabels: { a: 'b' } } }) },
      { create: job('chosen', { template: template('Never', { metadata: { labels: { 'job-name': 'x' } } }) }) },
      { create: job('chosen', { manualSelector: true }) },
      { create: job('chosen', { manualSelector: true, selector: { matchLabels: { a: 'b' } } }) },
      {
        create: job('chosen', {
          manualSelector: true,
          selector: { matchLabels: { a: 'b' } },
          template: template('Never', { metadata: { labels: { a: 'b' } } }),
        }),
      },
      { pods: { job: 'chosen' }, become: 'succeeded' },
    ],
  },
]
