import { indexed, job } from '../objects.ts'
import type { Scenario } from '../scenario.ts'

/** How Jobs count successes, and what they do when their width changes. */
export const jobCompletion: readonly Scenario[] = [
  {
    name: 'a Job of one pod completes with it',
    steps: [
      { create: job('one') },
      { pods: { job: 'one' }, become: 'running' },
      { pods: { job: 'one' }, become: 'ready' },
      { pods: { job: 'one' }, become: 'succeeded' },
    ],
  },
  {
    name: 'a Job runs two pods at a time until five have succeeded',
    steps: [
      { create: job('five', { completions: 5, parallelism: 2 }) },
      { pods: { job: 'five' }, become: 'ready' },
      { pods: { job: 'five', count: 1 }, become: 'succeeded' },
      { pods: { job: 'five' }, become: 'succeeded' },
      { pods: { job: 'five', count: 1 }, become: 'succeeded' },
      { pods: { job: 'five' }, become: 'succeeded' },
    ],
  },
  {
    name: 'a work queue starts nothing after its first success',
    steps: [
      { create: job('queue', { parallelism: 3 }) },
      { pods: { job: 'queue' }, become: 'ready' },
      { pods: { job: 'queue', count: 1 }, become: 'succeeded' },
      { pods: { job: 'queue', count: 1 }, become: { exitCode: 1 } },
      { pods: { job: 'queue' }, become: 'succeeded' },
    ],
  },
  {
    name: 'an Indexed Job completes every index',
    steps: [
      { create: indexed('each', 4) },
      { pods: { job: 'each' }, become: 'ready' },
      { pods: { job: 'each', indexes: [0, 2] }, become: 'succeeded' },
      { pods: { job: 'each', indexes: [1] }, become: 'succeeded' },
      { pods: { job: 'each', indexes: [3] }, become: 'succeeded' },
    ],
  },
  {
    name: 'an Indexed Job takes the lowest free index next',
    steps: [
      { create: indexed('next', 5, { parallelism: 2 }) },
      { pods: { job: 'next', indexes: [1] }, become: 'succeeded' },
      { pods: { job: 'next', indexes: [0, 2] }, become: 'succeeded' },
      { pods: { job: 'next' }, become: 'succeeded' },
    ],
  },
  {
    name: 'an Indexed Job replaces a failed index',
    steps: [
      { create: indexed('again', 3) },
      { pods: { job: 'again', indexes: [1] }, become: { exitCode: 1 } },
      { pods: { job: 'again' }, become: 'ready' },
      { pods: { job: 'again' }, become: 'succeeded' },
    ],
  },
  {
    name: 'a Job without completions to reach completes at once',
    steps: [{ create: job('none', { completions: 0 }) }],
  },
  {
    name: 'a Job without parallelism waits for it',
    steps: [
      { create: job('still', { completions: 2, parallelism: 0 }) },
      { patch: 'Job/still', body: { spec: { parallelism: 2 } } },
      { pods: { job: 'still' }, become: 'succeeded' },
    ],
  },
  {
    name: 'a Job that becomes narrower lets pods go, and wider makes new ones',
    steps: [
      { create: job('width', { completions: 6, parallelism: 4 }) },
      { pods: { job: 'width', count: 2 }, become: 'ready' },
      { patch: 'Job/width', body: { spec: { parallelism: 1 } } },
      { pods: { job: 'width', terminating: true }, become: 'gone' },
      { patch: 'Job/width', body: { spec: { parallelism: 3 } } },
      { pods: { job: 'width' }, become: 'succeeded' },
      { pods: { job: 'width' }, become: 'succeeded' },
    ],
  },
  {
    name: 'an Indexed Job that becomes narrower keeps its completions',
    steps: [
      { create: indexed('narrow', 4) },
      { pods: { job: 'narrow', indexes: [0, 1] }, become: 'ready' },
      { patch: 'Job/narrow', body: { spec: { parallelism: 2 } } },
      { pods: { job: 'narrow', terminating: true }, become: 'gone' },
      { pods: { job: 'narrow' }, become: 'succeeded' },
      { pods: { job: 'narrow' }, become: 'succeeded' },
    ],
  },
  {
    name: 'an elastic Indexed Job shrinks: what an index beyond its end did no longer counts',
    steps: [
      { create: indexed('elastic', 4) },
      { pods: { job: 'elastic' }, become: 'ready' },
      { pods: { job: 'elastic', indexes: [0, 3] }, become: 'succeeded' },
      { patch: 'Job/elastic', body: { spec: { parallelism: 2, completions: 2 } } },
      { pods: { job: 'elastic', terminating: true }, become: 'gone' },
      { pods: { job: 'elastic' }, become: 'succeeded' },
    ],
  },
  {
    name: 'an elastic Indexed Job grows',
    steps: [
      { create: indexed('grow', 2) },
      { pods: { job: 'grow', indexes: [0] }, become: 'succeeded' },
      { patch: 'Job/grow', body: { spec: { parallelism: 3, completions: 3 } } },
      { pods: { job: 'grow' }, become: 'succeeded' },
    ],
  },
  {
    name: 'completions change together with parallelism only',
    steps: [
      { create: indexed('fixed', 2) },
      { patch: 'Job/fixed', body: { spec: { completions: 3 } } },
      { patch: 'Job/fixed', body: { spec: { template: { spec: { restartPolicy: 'OnFailure' } } } } },
      { patch: 'Job/fixed', body: { spec: { completionMode: 'NonIndexed' } } },
    ],
  },
  {
    name: 'a Job of somebody else is left alone',
    steps: [
      { create: job('theirs', { managedBy: 'example.com/other' }) },
      { patch: 'Job/theirs', body: { spec: { suspend: true } } },
      { delete: 'Job/theirs' },
    ],
  },
  {
    name: 'a Job that names its own controller is run, and that cannot be changed',
    steps: [
      { create: job('ours', { managedBy: 'kubernetes.io/job-controller' }) },
      { patch: 'Job/ours', body: { spec: { managedBy: 'example.com/other' } } },
      { pods: { job: 'ours' }, become: 'succeeded' },
    ],
  },
  {
    name: 'a Job names its controller by a path below a domain',
    steps: [
      { create: job('refused', { managedBy: 'controller' }) },
      { create: job('refused', { managedBy: `example.com/${'long'.repeat(20)}` }) },
    ],
  },
]
