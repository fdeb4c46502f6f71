import type { AnyTrainingRuntime, Condition, ConfigMap, JobSet, KubernetesObject, TrainJob } from '@trainjob/api'
import { applyDefaults } from '@trainjob/api/validate'
import fc from 'fast-check'
import { stringify } from 'yaml'
import type { Question } from '../oracle/oracle.ts'
import { partial } from './pod-arbitrary.ts'
import { question } from './question-arbitrary.ts'

const UID = 'u-1'
const LONG_AGO = '2020-01-01T00:00:00Z'
const FAR_AHEAD = '2099-01-01T00:00:00Z'

function condition(type: string, status: 'True' | 'False', reason: string): Condition {
  return { type, status, reason, message: 'as it was', lastTransitionTime: LONG_AGO }
}

/** What a job says of itself before the pass. */
const conditions: fc.Arbitrary<Condition[]> = fc.oneof(
  { weight: 4, arbitrary: fc.constant<Condition[]>([]) },
  {
    weight: 3,
    arbitrary: fc.constantFrom<Condition[][]>(
      [condition('Suspended', 'True', 'Suspended')],
      [condition('Suspended', 'False', 'Resumed')],
      [condition('Failed', 'True', 'DeadlineExceeded')],
      [condition('Failed', 'True', 'FailedJobs')],
      [condition('Complete', 'True', 'AllJobsCompleted')],
      [condition('Suspended', 'False', 'Resumed'), condition('Complete', 'True', 'AllJobsCompleted')],
      [condition('Suspended', 'True', 'Suspended'), condition('Failed', 'True', 'TrainJobRuntimeNotSupported')],
    ),
  },
)

const count = fc.constantFrom(0, 1, 3)

const counts = fc.uniqueArray(
  fc.record({
    name: fc.constantFrom('node', 'launcher', 'dataset-initializer'),
    ready: count,
    succeeded: count,
    failed: count,
    active: count,
    suspended: count,
  }),
  { maxLength: 2, selector: ({ name }) => name },
)

const owner = { apiVersion: 'trainer.kubeflow.org/v1alpha1', kind: 'TrainJob', name: 'job', controller: true }

const jobSet: fc.Arbitrary<JobSet | undefined> = fc.option(
  fc
    .record({
      suspend: fc.constantFrom(true, false, undefined),
      ended: fc.constantFrom<Condition[][]>(
        [],
        [],
        [condition('Completed', 'True', 'AllJobsCompleted')],
        [condition('Failed', 'True', 'FailedJobs')],
        [condition('Completed', 'False', 'NotYet'), condition('Suspended', 'True', 'Suspended')],
      ),
      replicatedJobsStatus: counts,
    })
    .map(({ suspend, ended, replicatedJobsStatus }) => ({
      apiVersion: 'jobset.x-k8s.io/v1alpha2' as const,
      kind: 'JobSet' as const,
      metadata: { name: 'job', namespace: 'ns', ownerReferences: [{ ...owner, uid: UID }] },
      spec: { ...(suspend !== undefined && { suspend }), replicatedJobs: [] },
      status: { conditions: ended, replicatedJobsStatus },
    })),
  { nil: undefined, freq: 2 },
)

/** The runtime as it was when the job was first rendered, in all states that a ConfigMap can be in. */
function snapshot(runtime: AnyTrainingRuntime): fc.Arbitrary<ConfigMap | undefined> {
  const before = applyDefaults({ ...runtime, spec: { ...runtime.spec, mlPolicy: { numNodes: 3 } } })
  const good = fc.constantFrom(JSON.stringify(before), stringify(before))
  const bad = fc.constantFrom(
    JSON.stringify({ ...before, metadata: { name: 'another' } }),
    JSON.stringify({ ...before, kind: 'Runtime' }),
    JSON.stringify({ ...before, apiVersion: 'example.com/v1' }),
    'a: b: c',
  )
  return fc.option(
    fc
      .record({
        data: fc.oneof(
          { weight: 6, arbitrary: good.map((text) => ({ runtime: text })) },
          { weight: 3, arbitrary: bad.map((text) => ({ runtime: text })) },
          { weight: 1, arbitrary: fc.constant({}) },
        ),
        owners: fc.oneof(
          { weight: 8, arbitrary: fc.constant([{ ...owner, uid: UID }]) },
          { weight: 1, arbitrary: fc.constantFrom([{ ...owner, name: 'another', uid: 'u-2' }], []) },
        ),
      })
      .map(({ data, owners }) => ({
        apiVersion: 'v1' as const,
        kind: 'ConfigMap' as const,
        metadata: { name: 'job-runtime-snapshot', namespace: 'ns', ownerReferences: owners },
        data,
      })),
    { nil: undefined, freq: 2 },
  ) as fc.Arbitrary<ConfigMap | undefined>
}

const failing = fc.oneof(
  { weight: 6, arbitrary: fc.constant([]) },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom('get Secret', 'get ConfigMap', 'get PodGroup', 'apply JobSet', 'apply ConfigMap', 'apply Secret')
      .map((request) => [request]),
  },
)

/** Where the runtime is not what the job says. */
const strangeRef = fc.constantFrom(
  { name: 'gone', kind: 'ClusterTrainingRuntime' },
  { name: 'gone', kind: 'TrainingRuntime' },
  { name: 'rt', kind: 'Other' },
  { name: 'rt', kind: 'ClusterTrainingRuntime', apiGroup: 'example.com' },
)

/** A TrainJob in the middle of its life, and everything that a pass of the controller looks at. */
export const pass: fc.Arbitrary<Question> = question.chain((asked) => {
  const [runtime] = asked.runtimes
  if (runtime === undefined) throw new Error('A question has a runtime.')
  return fc
    .record({
      conditions,
      jobsStatus: fc.option(counts, { nil: undefined }),
      made: fc.constantFrom(LONG_AGO, FAR_AHEAD),
      spec: partial({
        activeDeadlineSeconds: fc.constant(60),
        managedBy: fc.constantFrom(
          'trainer.kubeflow.org/trainjob-controller',
          'trainer.kubeflow.org/trainjob-controller',
          'kueue.x-k8s.io/multikueue',
        ),
      }),
      runtimeRef: fc.oneof({ weight: 9, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: strangeRef }),
      jobSet,
      snapshot: snapshot(runtime),
      failing,
    })
    .map(({ jobSet: running, snapshot: kept, ...life }) => ({
      ...withoutStatusServer(asked, life.failing),
      reconcile: true,
      failing: life.failing,
      objects: [
        ...(asked.objects ?? []).filter(({ kind }) => kind !== 'JobSet'),
        ...[running, kept].filter((object): object is JobSet & ConfigMap => object !== undefined),
      ] as readonly KubernetesObject[],
      trainJob: applyDefaults({
        ...asked.trainJob,
        metadata: { ...asked.trainJob.metadata, uid: UID, creationTimestamp: life.made },
        spec: {
          ...asked.trainJob.spec,
          ...(asked.trainJob.spec.trainer && { trainer: withoutEmptyLists(asked.trainJob.spec.trainer) }),
          ...life.spec,
          ...(life.runtimeRef && { runtimeRef: life.runtimeRef }),
        },
        ...((life.conditions.length > 0 || life.jobsStatus) && {
          status: {
            ...(life.conditions.length > 0 && { conditions: life.conditions }),
            ...(life.jobsStatus && { jobsStatus: life.jobsStatus }),
          },
        }),
      } as TrainJob),
    }))
})

/** Upstream finds the certificate of its own server in a Secret; ours is told. */
function withoutStatusServer({ statusServer, ...asked }: Question, requests: readonly string[]): Question {
  return statusServer === undefined || requests.includes('get Secret') ? asked : { ...asked, statusServer }
}

/** The oracle's cluster in memory drops them, a real one keeps them: `args: []` replaces the runtime's. */
export function withoutEmptyLists<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, item]) => !Array.isArray(item) || item.length > 0)) as T
}
