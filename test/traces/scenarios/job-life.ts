import { indexed, job, template } from '../objects.ts'
import type { Scenario } from '../scenario.ts'

/** `suspend`, `ttlSecondsAfterFinished`, deletion. */
export const jobLife: readonly Scenario[] = [
  {
    name: 'a Job that is created suspended starts when it is resumed',
    steps: [
      { create: job('later', { suspend: true }) },
      { patch: 'Job/later', body: { spec: { suspend: false } } },
      { pods: { job: 'later' }, become: 'succeeded' },
    ],
  },
  {
    name: 'a running Job that is suspended lets its pods go, uncounted, and goes on when it is resumed',
    steps: [
      { create: indexed('pause', 3) },
      { pods: { job: 'pause' }, become: 'ready' },
      { pods: { job: 'pause', indexes: [1] }, become: 'succeeded' },
      { patch: 'Job/pause', body: { spec: { suspend: true } } },
      { pods: { job: 'pause', terminating: true }, become: 'gone' },
      { patch: 'Job/pause', body: { spec: { suspend: false } } },
      { pods: { job: 'pause' }, become: 'succeeded' },
    ],
  },
  {
    name: 'suspended and resumed twice',
    steps: [
      { create: job('twice') },
      { patch: 'Job/twice', body: { spec: { suspend: true } } },
      { patch: 'Job/twice', body: { spec: { suspend: false } } },
      { patch: 'Job/twice', body: { spec: { suspend: true } } },
      { patch: 'Job/twice', body: { spec: { suspend: false } } },
      { pods: { job: 'twice' }, become: 'succeeded' },
    ],
  },
  {
    name: 'failures before a suspension still count after it',
    steps: [
      { create: job('count', { backoffLimit: 1 }) },
      { pods: { job: 'count' }, become: { exitCode: 1 } },
      { patch: 'Job/count', body: { spec: { suspend: true } } },
      { patch: 'Job/count', body: { spec: { suspend: false } } },
      { pods: { job: 'count' }, become: { exitCode: 1 } },
    ],
  },
  {
    name: 'where pods go may change while a Job is suspended, and only then',
    steps: [
      { create: job('place', { suspend: true }) },
      {
        patch: 'Job/place',
        body: {
          spec: {
            template: { metadata: { labels: { queue: 'a' } }, spec: { nodeSelector: { zone: 'a' } } },
          },
        },
      },
      { patch: 'Job/place', body: { spec: { template: { spec: { restartPolicy: 'OnFailure' } } } } },
      { patch: 'Job/place', body: { spec: { template: { spec: { nodeSelector: null } } } } },
      { patch: 'Job/place', body: { spec: { suspend: false } } },
      { patch: 'Job/place', body: { spec: { template: { metadata: { labels: { queue: 'c' } } } } } },
    ],
  },
  {
    name: 'where pods go may change when a running Job has been suspended',
    steps: [
      { create: job('move') },
      { pods: { job: 'move' }, become: 'ready' },
      { patch: 'Job/move', body: { spec: { suspend: true } } },
      { patch: 'Job/move', body: { spec: { template: { metadata: { labels: { queue: 'early' } } } } } },
      { pods: { job: 'move', terminating: true }, become: 'gone' },
      { patch: 'Job/move', body: { spec: { template: { metadata: { labels: { queue: 'now' } } } } } },
      { patch: 'Job/move', body: { spec: { suspend: false } } },
    ],
  },
  {
    name: 'a finished Job cannot be suspended any more',
    steps: [
      { create: job('done') },
      { pods: { job: 'done' }, become: 'succeeded' },
      { patch: 'Job/done', body: { spec: { suspend: true } } },
    ],
  },
  {
    name: 'a Job with a time to live of 0 is deleted when it completes',
    steps: [{ create: job('ttl', { ttlSecondsAfterFinished: 0 }) }, { pods: { job: 'ttl' }, become: 'succeeded' }],
  },
  {
    name: 'a Job with a time to live of 0 is deleted when it fails',
    steps: [
      { create: job('ttl', { ttlSecondsAfterFinished: 0, backoffLimit: 0 }) },
      { pods: { job: 'ttl' }, become: { exitCode: 1 } },
    ],
  },
  {
    name: 'the time to live may be shortened afterwards',
    steps: [
      { create: job('ttl', { ttlSecondsAfterFinished: 3600 }) },
      { pods: { job: 'ttl' }, become: 'succeeded' },
      { patch: 'Job/ttl', body: { spec: { ttlSecondsAfterFinished: 0 } } },
    ],
  },
  {
    name: 'a suspended Job has no time to live, and may change its width',
    steps: [
      { create: job('idle', { suspend: true, ttlSecondsAfterFinished: 0, completions: 2 }) },
      { patch: 'Job/idle', body: { spec: { parallelism: 2 } } },
      { patch: 'Job/idle', body: { spec: { suspend: false } } },
      { pods: { job: 'idle' }, become: 'succeeded' },
    ],
  },
  {
    name: 'deleted in the background',
    steps: [
      { create: job('gone', { parallelism: 2, completions: 2 }) },
      { pods: { job: 'gone' }, become: 'ready' },
      { delete: 'Job/gone', propagationPolicy: 'Background' },
      { pods: { job: 'gone', terminating: true }, become: 'gone' },
    ],
  },
  {
    name: 'deleted in the foreground',
    steps: [
      { create: job('gone', { parallelism: 2, completions: 2 }) },
      { pods: { job: 'gone' }, become: 'ready' },
      { delete: 'Job/gone', propagationPolicy: 'Foreground' },
      { pods: { job: 'gone', terminating: true, count: 1 }, become: 'gone' },
      { pods: { job: 'gone', terminating: true }, become: 'gone' },
    ],
  },
  {
    name: 'deleted without its pods',
    steps: [
      { create: job('orphans', { parallelism: 2, completions: 2 }) },
      { pods: { job: 'orphans' }, become: 'ready' },
      { delete: 'Job/orphans', propagationPolicy: 'Orphan' },
    ],
  },
  {
    name: 'what the template says stays on the pods',
    steps: [
      {
        create: indexed('labels', 2, {
          template: template('Never', {
            metadata: { labels: { app: 'x' }, annotations: { note: 'y' } },
            spec: {
              restartPolicy: 'Never',
              initContainers: [{ name: 'first', image: 'image' }],
              containers: [{ name: 'main', image: 'image', env: [{ name: 'JOB_COMPLETION_INDEX', value: 'own' }] }],
              tolerations: [{ key: 'a', operator: 'Exists' }],
            },
          }),
        }),
      },
    ],
  },
]
