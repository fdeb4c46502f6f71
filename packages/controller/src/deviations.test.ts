import type { AnyTrainingRuntime, Condition, JobSet, TrainJob } from '@trainjob/api'
import { applyDefaults } from '@trainjob/api/validate'
import { ApiError, type ObjectKey, type Reader, type Resource } from '@trainjob/kube'
import { fakeClock } from '@trainjob/kube/testing'
import { runtimeSnapshot, shippedRuntimes } from '@trainjob/runtime'
import { describe, expect, it } from 'vitest'
import { runtimeAdmission } from './admission/runtime.ts'
import { trainJobAdmission } from './admission/trainjob.ts'
import { type Decision, decide } from './trainjob/decide.ts'

/** Both ways of everything that docs/deviations.md says of the controller; two more, which need an API, are in the cluster suites. */
const NOW = Date.UTC(2026, 0, 1, 12)
const COMPAT = [undefined, 'upstream'] as const
const [plain] = shippedRuntimes() as readonly [AnyTrainingRuntime]

function job(spec: Partial<TrainJob['spec']> = {}, conditions: Condition[] = []): TrainJob {
  return {
    apiVersion: 'trainer.kubeflow.org/v1alpha1',
    kind: 'TrainJob',
    metadata: { name: 'a', namespace: 'default', uid: 'job', creationTimestamp: '2026-01-01T11:00:00Z' },
    spec: { runtimeRef: { name: 'plain' }, ...spec },
    status: { conditions },
  }
}

function jobSet(owner: string, type?: string): JobSet {
  const reference = { apiVersion: '', kind: 'TrainJob', name: 'a', uid: owner, controller: true }
  return {
    apiVersion: 'jobset.x-k8s.io/v1alpha2',
    kind: 'JobSet',
    metadata: { name: 'a', namespace: 'default', ownerReferences: [reference] },
    spec: {},
    ...(type !== undefined && { status: { conditions: [condition(type)] } }),
  }
}

function condition(type: string, reason: string = 'Test'): Condition {
  return { type, status: 'True', reason, message: '', lastTransitionTime: '2026-01-01T11:30:00Z' }
}

describe('deviations of the controller', () => {
  const both = (trainJob: TrainJob, set?: JobSet): readonly Decision[] =>
    COMPAT.map((compat) => decide({ trainJob, jobSet: set, now: NOW, compat }))

  it('failed-is-terminal', () => {
    const [ours, upstream] = both(job({}, [condition('Failed')]))
    expect(ours?.build).toBe(false)
    expect(upstream?.build).toBe(true)
  })

  it('finished-conditions-stand', () => {
    const [ours, upstream] = both(job({ suspend: true }, [condition('Complete')]))
    expect(ours?.status?.conditions?.map((one) => one.type)).toEqual(['Complete'])
    expect(upstream?.status?.conditions?.map((one) => one.type)).toEqual(['Complete', 'Suspended'])
  })

  it('deadline-delete-retried', () => {
    const [ours, upstream] = both(
      job({ activeDeadlineSeconds: 60 }, [condition('Failed', 'DeadlineExceeded')]),
      jobSet('job'),
    )
    expect(ours?.deleteJobSet).toBe(true)
    expect(upstream?.deleteJobSet).toBe(false)
  })

  it('jobset-of-another', () => {
    const [ours, upstream] = both(job(), jobSet('other', 'Completed'))
    expect(ours?.status?.conditions).toEqual([])
    expect(ours?.blockedBy).toBeDefined()
    expect(upstream?.status?.conditions?.map((one) => one.type)).toEqual(['Complete'])
  })
})

describe('deviations of admission', () => {
  /** Errors of an update, or of a creation without `old`. */
  async function errors(
    compat: 'upstream' | undefined,
    objects: readonly { kind: string; metadata: { name?: string } }[],
    object: TrainJob,
    old?: TrainJob,
  ): Promise<readonly string[]> {
    const reader = {
      async get({ kind }: Resource, { name }: ObjectKey) {
        const found = objects.find((one) => one.kind === kind && one.metadata.name === name)
        if (found !== undefined) return found
        throw new ApiError({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', code: 404 })
      },
      list: async () => ({ apiVersion: 'v1', kind: 'List', metadata: {}, items: [] }),
    } as unknown as Reader
    const hook = trainJobAdmission({ reader, clock: fakeClock(), ...(compat && { compat }) })
    const operation = old === undefined ? ('CREATE' as const) : ('UPDATE' as const)
    const request = { operation, ...(old && { oldObject: old }), dryRun: false }
    const defaulted = (await hook.mutate?.({ ...request, object })) ?? object
    const verdict = await hook.validate?.({ ...request, object: defaulted })
    return verdict?.errors.map((one) => one.code) ?? []
  }
  const stored = applyDefaults(job({ suspend: true }))

  it('name-refused-early', async () => {
    const long = { ...job(), metadata: { name: 'a'.repeat(60), namespace: 'default' } }
    expect(await errors(undefined, [plain], long)).toEqual(['name-too-long'])
    expect(await errors('upstream', [plain], long)).toEqual([])
  })

  it('runtime-of-the-namespace', async () => {
    const own = { ...plain, kind: 'TrainingRuntime', metadata: { name: 'plain', namespace: 'default' } }
    expect(await errors(undefined, [own], job())).toEqual([])
    expect(await errors('upstream', [own], job())).toEqual(['runtime-not-found'])
  })

  it('job-ahead-of-its-runtime', async () => {
    const trainer = { resources: { limits: { cpu: 1 } } } as TrainJob['spec']['trainer'] & object
    expect(await errors(undefined, [], job({ trainer }))).toEqual([])
    expect(await errors('upstream', [], job({ trainer }))).toEqual(['runtime-not-found'])
  })

  it('updates-against-the-snapshot', async () => {
    const resumed = { ...stored, spec: { ...stored.spec, suspend: false } }
    const snapshot = runtimeSnapshot(stored, plain)
    expect(await errors(undefined, [snapshot], resumed, stored)).toEqual([])
    expect(await errors('upstream', [snapshot], resumed, stored)).toEqual(['runtime-not-found'])
  })

  it('metadata-without-runtime', async () => {
    const labelled = { ...stored, metadata: { ...stored.metadata, labels: { a: 'b' } } }
    expect(await errors(undefined, [], labelled, stored)).toEqual([])
    expect(await errors('upstream', [], labelled, stored)).toEqual(['runtime-not-found'])
  })

  it('runtime-updates-checked', async () => {
    const before = { ...plain, kind: 'TrainingRuntime', metadata: { name: 'own', namespace: 'default' } }
    const [replicated] = before.spec.template?.spec?.replicatedJobs ?? []
    const replicatedJobs = replicated === undefined ? [] : [{ ...replicated, replicas: 2 }]
    const after = { ...before, spec: { ...before.spec, template: { spec: { replicatedJobs } } } }
    const codes = COMPAT.map(async (compat) => {
      const [hook] = runtimeAdmission(compat && { compat })
      const verdict = await hook?.validate?.({ operation: 'UPDATE', object: after, oldObject: before, dryRun: false })
      return verdict?.errors.map((one) => one.code)
    })
    expect(await Promise.all(codes)).toEqual([['invalid-value'], []])
  })
})
