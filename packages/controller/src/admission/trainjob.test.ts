import {
  type AnyTrainingRuntime,
  type ConfigMap,
  type JobSet,
  type KubernetesObject,
  MANAGED_BY_TRAINER,
  type RuntimePatch,
  type TrainJob,
} from '@trainjob/api'
import { applyDefaults } from '@trainjob/api/validate'
import { ApiError, type ObjectKey, type Reader, type Resource } from '@trainjob/kube'
import { fakeClock } from '@trainjob/kube/testing'
import { runtimeSnapshot, shippedRuntimes } from '@trainjob/runtime'
import { describe, expect, it } from 'vitest'
import type { AdmissionVerdict } from './hook.ts'
import { trainJobAdmission } from './trainjob.ts'

const [plain, torch] = shippedRuntimes() as readonly [AnyTrainingRuntime, AnyTrainingRuntime]

/** The namespaced twin of a runtime. */
function namespaced(name: string): AnyTrainingRuntime {
  return { ...plain, kind: 'TrainingRuntime', metadata: { name, namespace: 'default' } } as AnyTrainingRuntime
}

/** Reads from a list of objects. */
function readerOf(objects: readonly KubernetesObject[]): Reader {
  const isOf = (resource: Resource, namespace: string | undefined) => (one: KubernetesObject) =>
    one.kind === resource.kind && (namespace === undefined || one.metadata.namespace === namespace)
  return {
    async get(resource: Resource, { namespace, name }: ObjectKey) {
      const found = objects.filter(isOf(resource, namespace)).find((one) => one.metadata.name === name)
      if (found !== undefined) return found
      throw new ApiError({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', code: 404 })
    },
    async list(resource: Resource, { namespace }: { namespace?: string } = {}) {
      return { apiVersion: 'v1', kind: 'List', metadata: {}, items: objects.filter(isOf(resource, namespace)) }
    },
  } as unknown as Reader
}

function job(name: string, spec: Partial<TrainJob['spec']> & { runtimeRef: TrainJob['spec']['runtimeRef'] }): TrainJob {
  return {
    apiVersion: 'trainer.kubeflow.org/v1alpha1',
    kind: 'TrainJob',
    metadata: { name, namespace: 'default', uid: 'uid' },
    spec,
  }
}

const ref = { name: 'plain' }
const everything = [plain, torch, namespaced('own'), namespaced('plain')]

async function admit(
  object: TrainJob,
  more: { old?: TrainJob; objects?: readonly KubernetesObject[]; compat?: 'upstream'; subresource?: string } = {},
): Promise<{ object: TrainJob; verdict: AdmissionVerdict }> {
  const { old, objects = everything, compat, subresource } = more
  const hook = trainJobAdmission({ reader: readerOf(objects), clock: fakeClock(), ...(compat && { compat }) })
  const request = {
    operation: old === undefined ? ('CREATE' as const) : ('UPDATE' as const),
    ...(old !== undefined && { oldObject: old }),
    ...(subresource !== undefined && { subresource }),
    dryRun: false,
  }
  const defaulted = (await hook.mutate?.({ ...request, object })) ?? object
  const verdict = (await hook.validate?.({ ...request, object: defaulted })) ?? { errors: [], warnings: [] }
  return { object: defaulted, verdict }
}

describe('defaulting', () => {
  it('writes what upstream writes, and the times of patches', async () => {
    const patch: RuntimePatch = { manager: 'a.b/c', trainingRuntimeSpec: { template: { spec: {} } } }
    const given = job('a', { runtimeRef: ref, runtimePatches: [patch] })
    const { object, verdict } = await admit(given)
    expect(object.spec).toEqual({
      runtimeRef: { name: 'plain', kind: 'ClusterTrainingRuntime', apiGroup: 'trainer.kubeflow.org' },
      suspend: false,
      managedBy: MANAGED_BY_TRAINER,
      runtimePatches: [{ ...patch, time: '2026-01-01T00:00:00Z' }],
    })
    expect(verdict.errors).toEqual([])
    expect(given.spec.runtimePatches?.[0]?.time).toBeUndefined()
  })

  it.each([
    ['plain', 'ClusterTrainingRuntime'],
    ['own', 'TrainingRuntime'],
    ['nowhere', 'ClusterTrainingRuntime'],
  ])('a reference to %s without a kind means a %s', async (name, kind) => {
    const { object } = await admit(job('a', { runtimeRef: { name } }))
    expect(object.spec.runtimeRef.kind).toBe(kind)
  })

  it('keeps the kind that was resolved on creation', async () => {
    const old = job('a', { runtimeRef: { name: 'own', kind: 'TrainingRuntime', apiGroup: 'trainer.kubeflow.org' } })
    const { object } = await admit(job('a', { runtimeRef: { name: 'own' } }), { old, objects: [] })
    expect(object.spec.runtimeRef.kind).toBe('TrainingRuntime')
  })

  it.each([
    ['no spec', undefined],
    ['a text for a spec', 'spec'],
    ['patches that are no list', { runtimeRef: ref, runtimePatches: 'x' }],
    ['a patch that is no object', { runtimeRef: ref, runtimePatches: ['x'] }],
    ['a reference that is no object', { runtimeRef: 'plain' }],
  ])('leaves %s for the schema to refuse', async (_, spec) => {
    const hook = trainJobAdmission({ reader: readerOf(everything), clock: fakeClock() })
    const object = { ...job('a', { runtimeRef: ref }), spec } as unknown as TrainJob
    await expect(hook.mutate?.({ operation: 'CREATE', object, dryRun: false })).resolves.toBeDefined()
  })
})

describe('creation', () => {
  it.each<[string, TrainJob['spec']['runtimeRef'], RegExp]>([
    ['with the names that exist', { name: 'x' }, /"x" does not exist\. There are: plain, torch-distributed/],
    ['with the nearest one', { name: 'torch-distribued' }, /did you mean "torch-distributed"\?/],
    [
      'with the kind that was meant',
      { name: 'own', kind: 'ClusterTrainingRuntime' },
      /set spec\.runtimeRef\.kind to TrainingRuntime/,
    ],
    [
      'with the kind that was meant, the other way',
      { name: 'torch-distributed', kind: 'TrainingRuntime' },
      /to ClusterTrainingRuntime/,
    ],
  ])('refuses a runtime that does not exist, %s', async (_, runtimeRef, message) => {
    const { verdict } = await admit(job('a', { runtimeRef }))
    expect(verdict.errors).toMatchObject([{ path: 'spec.runtimeRef', code: 'runtime-not-found' }])
    expect(verdict.errors[0]?.message).toMatch(message)
  })

  it('lets a job of the document in ahead of its runtime, which is the namespace’s own then', async () => {
    const trainer = { resources: { limits: { cpu: 1 } } } as TrainJob['spec']['trainer'] & object
    const { object, verdict } = await admit(job('a', { runtimeRef: { name: 'x' }, trainer }))
    expect(object.spec.runtimeRef.kind).toBe('TrainingRuntime')
    expect(verdict).toEqual({ errors: [], warnings: [expect.stringMatching(/waits for its runtime.*"x" does not/)] })
    const cluster = await admit(job('a', { runtimeRef: { name: 'x', kind: 'ClusterTrainingRuntime' }, trainer }))
    expect(cluster.verdict.errors).toMatchObject([{ code: 'runtime-not-found' }])
    const upstream = await admit(job('a', { runtimeRef: { name: 'x' }, trainer }), { compat: 'upstream' })
    expect(upstream.verdict.errors).toMatchObject([{ code: 'runtime-not-found' }])
  })

  it('refuses what could not be translated, where the schema lets it pass', async () => {
    const { verdict } = await admit(job('a', { runtimeRef: ref, podGroupPolicy: { volcano: {} } } as never))
    expect(verdict.errors).toMatchObject([{ path: 'spec.podGroupPolicy', code: 'untranslatable' }])
  })

  it('says that there is none at all', async () => {
    const { verdict } = await admit(job('a', { runtimeRef: ref }), { objects: [] })
    expect(verdict.errors[0]?.message).toMatch(/There is no ClusterTrainingRuntime: create one first/)
  })

  it('refuses a name that gets too long, unless told to do as upstream', async () => {
    const long = job('a'.repeat(60), { runtimeRef: ref })
    const { verdict } = await admit(long)
    expect(verdict.errors).toMatchObject([{ path: 'metadata.name', code: 'name-too-long' }])
    const upstream = await admit(long, { compat: 'upstream' })
    expect(upstream.verdict.errors).toEqual([])
    expect(upstream.verdict.warnings.join()).toMatch(/longest name that fits/)
  })

  it('refuses what cannot be rendered, unless told to do as upstream', async () => {
    const torch = { envInjection: { targets: [{ jobName: 'no', containerNames: ['x'] }] } }
    const runtime = { ...plain, spec: { ...plain.spec, mlPolicy: { torch } } } as AnyTrainingRuntime
    const { verdict } = await admit(job('a', { runtimeRef: ref }), { objects: [runtime] })
    expect(verdict.errors).toMatchObject([{ code: 'env-injection-target-not-found' }])
  })

  it('looks for the PriorityClasses that a gang names', async () => {
    const [template] = plain.spec.template?.spec?.replicatedJobs ?? []
    const pod = { containers: [{ name: 'node', image: 'i' }], priorityClassName: 'high' }
    const replicatedJobs = [{ ...template, template: { ...template?.template, spec: { template: { spec: pod } } } }]
    const spec = { ...plain.spec, podGroupPolicy: { volcano: {} }, template: { spec: { replicatedJobs } } }
    const runtime = { ...plain, spec } as AnyTrainingRuntime
    const priorityClass = { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name: 'high' } }
    const without = await admit(job('a', { runtimeRef: ref }), { objects: [runtime] })
    expect(without.verdict.errors).toMatchObject([{ code: 'priority-class-not-found' }])
    const withIt = await admit(job('a', { runtimeRef: ref }), { objects: [runtime, priorityClass] })
    expect(withIt.verdict.errors).toEqual([])
  })
})

describe('update', () => {
  const stored = applyDefaults(job('a', { runtimeRef: ref, suspend: true, trainer: { numNodes: 1 } }))
  const snapshot: ConfigMap = runtimeSnapshot(stored, plain)
  const patched: TrainJob = { ...stored, spec: { ...stored.spec, runtimePatches: [{ manager: 'a.b/c' }] } }

  it('of the metadata passes although the runtime is gone', async () => {
    const { verdict } = await admit(
      { ...stored, metadata: { ...stored.metadata, labels: { a: 'b' } } },
      { old: stored, objects: [] },
    )
    expect(verdict).toEqual({ errors: [], warnings: [] })
  })

  it('of the status is not ours to judge', async () => {
    const { verdict } = await admit(
      { ...stored, spec: { runtimeRef: { name: 'other' } } },
      { old: stored, subresource: 'status' },
    )
    expect(verdict.errors).toEqual([])
  })

  it('is checked against the snapshot when the runtime is gone', async () => {
    const { verdict } = await admit(patched, { old: stored, objects: [snapshot] })
    expect(verdict.errors).toEqual([])
    const unknown: RuntimePatch = {
      manager: 'a.b/c',
      trainingRuntimeSpec: { template: { spec: { replicatedJobs: [{ name: 'nope' }] } } },
    }
    const warned = await admit(
      { ...stored, spec: { ...stored.spec, runtimePatches: [unknown] } },
      { old: stored, objects: [snapshot] },
    )
    expect(warned.verdict.warnings.join()).toMatch(/nope/)
  })

  it('of server-side apply that leaves a translated field out is refused with the command that works', async () => {
    const owned = (spec: object): Partial<TrainJob['metadata']> => ({
      annotations: { 'trainjob.dev/form': 'document', 'trainjob.dev/json-patches': '[]' },
      managedFields: [{ manager: 'kubectl', operation: 'Apply', fieldsV1: { 'f:spec': spec } }],
    })
    const key = 'k:{"manager":"trainjob.dev/unnamed"}'
    const trainer = { 'f:trainer': { 'f:numNodes': {}, 'f:resources': { 'f:limits': {} } } }
    const patches = { 'f:runtimePatches': { [key]: { '.': {}, 'f:patch': {} } } }
    const withOwners = (spec: object): TrainJob => ({ ...stored, metadata: { ...stored.metadata, ...owned(spec) } })
    const old = withOwners({ ...trainer, ...patches })
    const { verdict } = await admit(withOwners(trainer), { old })
    expect(verdict.errors).toMatchObject([
      { code: 'withdrawn', path: 'spec.runtimePatches', message: expect.stringMatching(/kubectl replace -f FILE/) },
    ])
    expect((await admit(old, { old })).verdict.errors).toEqual([])
    const others = { ...old, metadata: { ...old.metadata, managedFields: [] } }
    expect((await admit(others, { old })).verdict.errors).toEqual([])
  })

  it('refuses to change what is fixed', async () => {
    const after = { ...stored, spec: { ...stored.spec, trainer: { numNodes: 2 } } }
    const { verdict } = await admit(after, { old: stored })
    expect(verdict.errors).toMatchObject([{ code: 'immutable', path: expect.stringContaining('spec.trainer') }])
  })

  it('refuses patches while pods of the JobSet are active', async () => {
    const status = { name: 'node', ready: 0, succeeded: 0, failed: 0, active: 1, suspended: 0 }
    const jobSet: JobSet = {
      apiVersion: 'jobset.x-k8s.io/v1alpha2',
      kind: 'JobSet',
      metadata: { name: 'a', namespace: 'default' },
      spec: {},
      status: { replicatedJobsStatus: [status] },
    }
    const { verdict } = await admit(patched, { old: stored, objects: [plain, jobSet] })
    expect(verdict.errors).toMatchObject([{ path: 'spec.runtimePatches', code: 'immutable' }])
  })
})
