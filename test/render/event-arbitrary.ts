import type { AnyTrainingRuntime, KubernetesObject, OwnerReference, TrainJob } from '@trainjob/api'
import fc from 'fast-check'
import type { Question } from '../oracle/oracle.ts'
import { partial } from './pod-arbitrary.ts'

/** Something that happens in a cluster with a few jobs, and the jobs that must be looked at, as `namespace/name`. */
export interface Happening {
  readonly question: Question & { readonly event: NonNullable<Question['event']> }
  readonly upstream: readonly string[]
  readonly ours: readonly string[]
}

const API = 'trainer.kubeflow.org/v1alpha1'
const CLASSES = ['kata', 'gvisor'] as const

const namespace = fc.constantFrom('ns', 'other')

/** Two runtimes of each kind; each of their jobs may ask for a runtime class. */
const runtimes: fc.Arbitrary<AnyTrainingRuntime[]> = fc.tuple(
  ...(['ClusterTrainingRuntime', 'TrainingRuntime'] as const).flatMap((kind) =>
    ['first', 'second'].map((name) =>
      fc
        .array(fc.option(fc.constantFrom(...CLASSES), { nil: undefined }), { minLength: 1, maxLength: 2 })
        .map((classes) => ({
          apiVersion: API,
          kind,
          metadata: { name, ...(kind === 'TrainingRuntime' && { namespace: 'ns' }) },
          spec: { template: { spec: { replicatedJobs: classes.map(replicatedJob) } } },
        })),
    ),
  ),
) as unknown as fc.Arbitrary<AnyTrainingRuntime[]>

function replicatedJob(runtimeClassName: string | undefined, i: number): object {
  const containers = [{ name: 'node', image: 'image' }]
  const spec = { containers, ...(runtimeClassName !== undefined && { runtimeClassName }) }
  return { name: `job-${i}`, template: { spec: { template: { spec } } } }
}

const jobs: fc.Arbitrary<TrainJob[]> = fc.tuple(
  ...['a', 'b', 'c', 'd'].map((name) =>
    fc
      .record({
        namespace,
        runtimeRef: fc.record({
          name: fc.constantFrom('first', 'second'),
          kind: fc.constantFrom('ClusterTrainingRuntime', 'TrainingRuntime'),
        }),
        rest: partial({ suspend: fc.constantFrom(true, true, false) }),
      })
      .map((one) => ({
        apiVersion: API,
        kind: 'TrainJob',
        metadata: { name, namespace: one.namespace, uid: `u-${name}` },
        spec: { runtimeRef: one.runtimeRef, ...one.rest },
      })),
  ),
) as unknown as fc.Arbitrary<TrainJob[]>

function idOf({ metadata }: KubernetesObject): string {
  return `${metadata.namespace}/${metadata.name}`
}

function areSuspended(all: readonly TrainJob[], match: (job: TrainJob) => boolean): string[] {
  return all.filter((job) => job.spec.suspend === true && match(job)).map(idOf)
}

/** An object that is new, changes or goes. */
function changing(object: KubernetesObject): fc.Arbitrary<Question['event'] & object> {
  const { metadata } = object
  // of an object whose changes are counted, those of the spec count
  const isPodGroup = object.kind === 'PodGroup'
  const changed = {
    ...object,
    metadata: { ...metadata, labels: { changed: 'yes' } },
    ...(isPodGroup && { spec: { minMember: 2 } }),
  }
  return fc.constantFrom({ object }, { old: object, object: changed }, { old: object })
}

const DEPENDENTS = [
  { apiVersion: 'v1', kind: 'ConfigMap' },
  { apiVersion: 'v1', kind: 'Secret' },
  { apiVersion: 'jobset.x-k8s.io/v1alpha2', kind: 'JobSet', spec: { replicatedJobs: [] } },
  { apiVersion: 'scheduling.x-k8s.io/v1alpha1', kind: 'PodGroup' },
  { apiVersion: 'scheduling.volcano.sh/v1beta1', kind: 'PodGroup' },
] as const

/** Something that may belong to a job. */
function dependent(all: readonly TrainJob[], withoutCRDs: boolean): fc.Arbitrary<Omit<Happening, 'question'> & Event> {
  return fc
    .record({
      of: fc.constantFrom(...all),
      made: fc.constantFrom(...DEPENDENTS),
      owner: fc.constantFrom('controller', 'controller', 'controller', 'owner', 'namesake', 'none'),
    })
    .chain(({ of, made, owner }) => {
      const { name = '', namespace: of_ = '', uid = '' } = of.metadata
      const reference: OwnerReference = {
        apiVersion: owner === 'namesake' ? 'example.com/v1' : API,
        kind: 'TrainJob',
        name,
        uid,
        ...(owner !== 'owner' && { controller: true }),
      }
      const ownerReferences = owner === 'none' ? [] : [reference]
      const object = { ...made, metadata: { name, namespace: of_, ownerReferences } } as KubernetesObject
      const isWatched = !(withoutCRDs && made.kind === 'PodGroup')
      const owners = owner === 'controller' && isWatched ? [idOf(of)] : []
      return changing(object).map((event) => ({
        event,
        upstream: owners,
        // what is new is the controller's own work; JobSets count by name
        ours: made.kind === 'JobSet' ? [idOf(of)] : event.old === undefined ? [] : owners,
      }))
    })
}

interface Event {
  readonly event: Happening['question']['event']
}

/** Something on which upstream thinks that pod groups depend. */
function surroundings(
  all: readonly TrainJob[],
  of: readonly AnyTrainingRuntime[],
  withoutCRDs: boolean,
): fc.Arbitrary<Omit<Happening, 'question'> & Event> {
  const limits = namespace.chain((where) => {
    const object = { apiVersion: 'v1', kind: 'LimitRange', metadata: { name: 'limits', namespace: where } }
    const upstream = areSuspended(all, ({ metadata }) => metadata.namespace === where)
    return changing(object as KubernetesObject).map((event) => ({ event, upstream, ours: [] }))
  })
  const classes = fc.constantFrom(...CLASSES).chain((name) => {
    const object = { apiVersion: 'node.k8s.io/v1', kind: 'RuntimeClass', metadata: { name }, handler: name }
    const using = of.filter(({ spec }) =>
      spec.template?.spec?.replicatedJobs?.some((job) => job.template.spec?.template.spec?.runtimeClassName === name),
    )
    const upstream = areSuspended(all, ({ spec }) =>
      using.some(({ kind, metadata }) => kind === spec.runtimeRef.kind && metadata.name === spec.runtimeRef.name),
    )
    return changing(object as KubernetesObject).map((event) => ({ event, upstream, ours: [] }))
  })
  return fc.oneof(limits, classes).map(({ upstream, ...rest }) => ({ ...rest, upstream: withoutCRDs ? [] : upstream }))
}

export const happening: fc.Arbitrary<Happening> = fc
  .record({ runtimes, jobs, withoutCRDs: fc.constantFrom(false, false, true) })
  .chain(({ runtimes: of, jobs: all, withoutCRDs }) =>
    fc.oneof(dependent(all, withoutCRDs), surroundings(all, of, withoutCRDs)).map(({ event, upstream, ours }) => {
      const [trainJob, ...others] = all
      if (trainJob === undefined) throw new Error('There are jobs.')
      const question = { runtimes: of, trainJob, objects: others, withoutCRDs, event }
      return { question, upstream: [...upstream].sort(), ours: [...ours].sort() }
    }),
  )
