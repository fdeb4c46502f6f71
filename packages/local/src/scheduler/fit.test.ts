import type { Container, JobSet, ReplicatedJob, ResourceList } from '@trainjob/api'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { add, amountsOf } from './amounts.ts'
import { fitJobSet } from './fit.ts'
import { fitAdmission } from './fit-admission.ts'
import { podRequests } from './pod-requests.ts'

const MACHINE = { cpu: '2', memory: '8Gi' }

function replicated(
  name: string,
  pods: number,
  resources: Container['resources'],
  more: Partial<ReplicatedJob> = {},
): ReplicatedJob {
  const container: Container = { name: 'node', ...(resources !== undefined && { resources }) }
  return {
    name,
    template: { spec: { parallelism: pods, completions: pods, template: { spec: { containers: [container] } } } },
    ...more,
  }
}

function jobSet(...replicatedJobs: ReplicatedJob[]): JobSet {
  return {
    apiVersion: 'jobset.x-k8s.io/v1alpha2',
    kind: 'JobSet',
    metadata: { name: 'mnist' },
    spec: { replicatedJobs },
  }
}

function resourcesOf(set: JobSet, at = 0): Container['resources'] {
  return set.spec.replicatedJobs?.[at]?.template.spec?.template.spec?.containers[0]?.resources
}

describe('a JobSet', () => {
  it('that fits is handed back as it is', () => {
    const set = jobSet(replicated('node', 4, { requests: { cpu: '500m', memory: '2Gi' } }))
    const result = fitJobSet(set, MACHINE)
    expect(result.jobSet).toBe(set)
    expect(result.notes).toEqual([])
  })

  it('that asks for too much gets its share of what is short, and of nothing else', () => {
    const set = jobSet(
      replicated('node', 4, { requests: { cpu: '4', memory: '1Gi' }, limits: { cpu: '8', memory: '2Gi' } }),
    )
    const { jobSet: fitted, notes } = fitJobSet(set, MACHINE)
    expect(resourcesOf(fitted)).toEqual({
      requests: { cpu: '500m', memory: '1Gi' },
      limits: { cpu: '1', memory: '2Gi' },
    })
    expect(notes).toEqual([
      '4 cpu for each pod of node lowered to 500m: 16 requested at once, this machine has 2',
      '8 cpu for each pod of node lowered to 1: 16 requested at once, this machine has 2',
    ])
  })

  it('loses devices that are not there, or not for every pod', () => {
    const gpus = (count: string) => ({ limits: { 'nvidia.com/gpu': count, cpu: '100m' } })
    const none = fitJobSet(jobSet(replicated('node', 2, gpus('1'))), MACHINE)
    expect(resourcesOf(none.jobSet)).toEqual({ limits: { cpu: '100m' } })
    expect(none.notes).toEqual([
      '1 nvidia.com/gpu for each pod of node dropped: 2 requested at once, this machine has 0',
    ])
    const some = fitJobSet(jobSet(replicated('node', 2, gpus('4'))), { ...MACHINE, 'nvidia.com/gpu': '2' })
    expect(resourcesOf(some.jobSet)).toEqual({ limits: { cpu: '100m', 'nvidia.com/gpu': '1' } })
    const few = fitJobSet(jobSet(replicated('node', 4, gpus('1'))), { ...MACHINE, 'nvidia.com/gpu': '2' })
    expect(resourcesOf(few.jobSet)).toEqual({ limits: { cpu: '100m' } })
  })

  it('shares among all pods that may run at once', () => {
    const set = jobSet(
      replicated('a', 1, { requests: { cpu: '2' } }),
      replicated('b', 1, { requests: { cpu: '2' } }, { replicas: 3 }),
    )
    const { jobSet: fitted } = fitJobSet(set, MACHINE)
    expect([resourcesOf(fitted, 0), resourcesOf(fitted, 1)]).toEqual([
      { requests: { cpu: '500m' } },
      { requests: { cpu: '500m' } },
    ])
  })

  it('need not share with what has completed before', () => {
    const wait = (status: 'Ready' | 'Complete') => ({ dependsOn: [{ name: 'init', status }] })
    const set = (status: 'Ready' | 'Complete') =>
      jobSet(
        replicated('init', 1, { requests: { cpu: '2' } }),
        replicated('node', 2, { requests: { cpu: '1' } }, wait(status)),
      )
    expect(fitJobSet(set('Complete'), MACHINE).notes).toEqual([])
    expect(resourcesOf(fitJobSet(set('Ready'), MACHINE).jobSet)).toEqual({ requests: { cpu: '1' } })
  })
})

it('always fits in the end, and doing it twice changes nothing', () => {
  const amount = fc.integer({ min: 1, max: 9000 }).map((milli) => `${milli}m`)
  const list: fc.Arbitrary<ResourceList> = fc.record(
    {
      cpu: amount,
      memory: fc.integer({ min: 1, max: 64 }).map((gi) => `${gi}Gi`),
      'nvidia.com/gpu': fc.integer({ min: 1, max: 4 }).map(String),
    },
    { requiredKeys: [] },
  )
  const job = fc.record({
    pods: fc.integer({ min: 1, max: 6 }),
    replicas: fc.integer({ min: 1, max: 3 }),
    requests: list,
    waits: fc.boolean(),
  })
  fc.assert(
    fc.property(fc.array(job, { minLength: 1, maxLength: 4 }), fc.nat(4), (jobs, gpus) => {
      const set = jobSet(
        ...jobs.map(({ pods, replicas, requests, waits }, at) =>
          replicated(
            `j${at}`,
            pods,
            { requests },
            {
              replicas,
              ...(waits && at > 0 && { dependsOn: [{ name: `j${at - 1}`, status: 'Complete' as const }] }),
            },
          ),
        ),
      )
      const machine = { ...MACHINE, 'nvidia.com/gpu': `${gpus}` }
      const { jobSet: fitted } = fitJobSet(set, machine)
      expect(fitJobSet(fitted, machine).jobSet).toBe(fitted)
      for (const chain of chains(fitted.spec.replicatedJobs ?? [])) {
        const total = new Map<string, bigint>()
        for (const each of chain) {
          const spec = each.template.spec?.template.spec
          if (spec !== undefined)
            add(total, podRequests(spec), BigInt((each.replicas ?? 1) * (each.template.spec?.parallelism ?? 1)))
        }
        for (const [name, has] of amountsOf(machine)) expect(total.get(name) ?? 0n).toBeLessThanOrEqual(has)
      }
    }),
  )
})

/** Sets of replicated jobs that may run at once: one of each run of jobs that wait for each other. */
function chains(jobs: readonly ReplicatedJob[]): ReplicatedJob[][] {
  const runs: ReplicatedJob[][] = []
  for (const job of jobs) {
    if (job.dependsOn === undefined) runs.push([job])
    else runs.at(-1)?.push(job)
  }
  return runs.reduce<ReplicatedJob[][]>((sets, run) => sets.flatMap((set) => run.map((job) => [...set, job])), [[]])
}

describe('as an admission hook', () => {
  const set = jobSet(replicated('node', 4, { requests: { cpu: '1' } }))

  it('changes what is stored and says so once', async () => {
    const notes: string[] = []
    const hook = fitAdmission(
      () => MACHINE,
      (note) => notes.push(note),
    )
    const created = await hook.mutate?.({ operation: 'CREATE', object: set, dryRun: false })
    expect(created && resourcesOf(created)).toEqual({ requests: { cpu: '500m' } })
    const again = await hook.mutate?.({
      operation: 'UPDATE',
      object: set,
      ...(created && { oldObject: created }),
      dryRun: false,
    })
    expect(again).toEqual(created)
    expect(notes).toHaveLength(1)
  })

  it('leaves to validation what it cannot read', async () => {
    const broken = jobSet(replicated('node', 4, { requests: { cpu: 'much' } }))
    const hook = fitAdmission(
      () => MACHINE,
      () => {},
    )
    expect(await hook.mutate?.({ operation: 'CREATE', object: broken, dryRun: false })).toBe(broken)
  })
})
