import type { JobSet, JobSetSpec } from '@trainjob/api'
import { describe, expect, it } from 'vitest'
import { jobSetAdmission } from './admission.ts'
import { replicated, sampleJobSet } from './samples.suite.ts'

const hook = jobSetAdmission()

async function faults(jobSet: JobSet, oldObject?: JobSet): Promise<string[]> {
  const operation = oldObject === undefined ? ('CREATE' as const) : ('UPDATE' as const)
  const verdict = await hook.validate?.({ operation, object: jobSet, ...(oldObject && { oldObject }), dryRun: false })
  return (verdict?.errors ?? []).map(({ path, code }) => `${path} ${code}`)
}

describe('defaulting', () => {
  const bare: JobSet = {
    apiVersion: 'jobset.x-k8s.io/v1alpha2',
    kind: 'JobSet',
    metadata: { name: 'mnist' },
    spec: {
      replicatedJobs: [
        { name: 'node', template: { spec: { template: { spec: { containers: [{ name: 'node' }] } } } } },
      ],
      failurePolicy: { rules: [{ action: 'FailJobSet' }] },
    },
  }

  it('fills in what the CRD and the webhook fill in', async () => {
    const created = await hook.mutate?.({ operation: 'CREATE', object: bare, dryRun: false })
    expect(created?.spec).toEqual({
      replicatedJobs: [
        {
          name: 'node',
          groupName: 'default',
          replicas: 1,
          template: {
            spec: {
              completionMode: 'Indexed',
              template: { spec: { restartPolicy: 'OnFailure', containers: [{ name: 'node' }] } },
            },
          },
        },
      ],
      network: { enableDNSHostnames: true, publishNotReadyAddresses: true },
      successPolicy: { operator: 'All' },
      startupPolicy: { startupPolicyOrder: 'AnyOrder' },
      failurePolicy: { restartStrategy: 'Recreate', rules: [{ name: 'failurePolicyRule0', action: 'FailJobSet' }] },
    })
  })

  it('fills in only what the CRD fills in when a JobSet is updated, and nothing with its status', async () => {
    const updated = (await hook.mutate?.({
      operation: 'UPDATE',
      object: bare,
      oldObject: bare,
      dryRun: false,
    })) as JobSet
    expect(updated.spec.network).toBeUndefined()
    expect(updated.spec.replicatedJobs?.[0]?.replicas).toBe(1)
    const status = await hook.mutate?.({
      operation: 'UPDATE',
      subresource: 'status',
      object: bare,
      oldObject: bare,
      dryRun: false,
    })
    expect(status).toBe(bare)
  })

  it('done twice is done once', async () => {
    const once = (await hook.mutate?.({ operation: 'CREATE', object: bare, dryRun: false })) as JobSet
    expect(await hook.mutate?.({ operation: 'CREATE', object: once, dryRun: false })).toEqual(once)
    expect(await hook.mutate?.({ operation: 'UPDATE', object: once, oldObject: once, dryRun: false })).toEqual(once)
  })
})

describe('a new JobSet', () => {
  const node = (name: string, more = {}, spec = {}) => replicated(name, more, spec)
  const dependsOn = (name: string) => ({ dependsOn: [{ name, status: 'Ready' as const }] })
  const job = 'spec.replicatedJobs'

  it.each<[string, Partial<JobSetSpec>, string[]]>([
    ['is fine', {}, []],
    ['with nothing in it is fine', { replicatedJobs: [] }, []],
    [
      'the first job depends on nothing',
      { replicatedJobs: [node('a', dependsOn('a'))] },
      [`${job}[0].dependsOn invalid-value`, `${job}[0].dependsOn[0].name invalid-value`],
    ],
    [
      'dependencies stand before',
      { replicatedJobs: [node('a'), node('b', dependsOn('c')), node('c')] },
      [`${job}[1].dependsOn[0].name invalid-value`],
    ],
    [
      'a dependency on itself never starts',
      { replicatedJobs: [node('a'), node('b', dependsOn('b'))] },
      [`${job}[1].dependsOn[0].name invalid-value`],
    ],
    [
      'in order or by dependency',
      { replicatedJobs: [node('a'), node('b', dependsOn('a'))], startupPolicy: { startupPolicyOrder: 'InOrder' } },
      ['spec invalid-value'],
    ],
    ['its time to live is no debt', { ttlSecondsAfterFinished: -1 }, ['spec.ttlSecondsAfterFinished invalid-value']],
    [
      'an operator is one of two',
      { successPolicy: { operator: 'Some' as 'Any' } },
      ['spec.successPolicy.operator not-supported'],
    ],
    ['a subdomain is a service name', { network: { subdomain: '1net' } }, ['spec.network.subdomain invalid-value']],
    ['a manager is a path', { managedBy: 'kueue' }, ['spec.managedBy invalid-value']],
    ['a manager is short', { managedBy: `a.b/${'x'.repeat(60)}` }, ['spec.managedBy too-long']],
    [
      'not too many pods',
      { replicatedJobs: [node('a', { replicas: 100_000 }, { parallelism: 100_000 })] },
      [`${job}[0] invalid-value`],
    ],
    ['a group is a label', { replicatedJobs: [node('a', { groupName: 'A' })] }, [`${job}[0].groupName invalid-value`]],
    ['names are names', { replicatedJobs: [node('A')] }, [`${job}[0].name invalid-value`]],
    ['names are different', { replicatedJobs: [node('a'), node('a')] }, [`${job}[1].name duplicate-key`]],
    ['names of Jobs fit', { replicatedJobs: [node('x'.repeat(57))] }, [`${job}[0].name name-too-long`]],
    ['names of pods fit', { replicatedJobs: [node('x'.repeat(48))] }, [`${job}[0].name name-too-long`]],
    ['the longest name of pods that fits', { replicatedJobs: [node('x'.repeat(47))] }, []],
    [
      'success has targets',
      { successPolicy: { operator: 'All', targetReplicatedJobs: ['b'] } },
      ['spec.successPolicy.targetReplicatedJobs[0] invalid-value'],
    ],
    [
      'a coordinator is there',
      { coordinator: { replicatedJob: 'b' } },
      ['spec.coordinator.replicatedJob invalid-value'],
    ],
    [
      'a coordinator has its job',
      { coordinator: { replicatedJob: 'node', jobIndex: 1 } },
      ['spec.coordinator.jobIndex invalid-value'],
    ],
    [
      'a coordinator has its pod',
      { coordinator: { replicatedJob: 'node', podIndex: 1 } },
      ['spec.coordinator.podIndex invalid-value'],
    ],
    [
      'containers are needed',
      { replicatedJobs: [node('a', {}, { template: { spec: { containers: [] } } })] },
      [`${job}[0].template.spec.template.spec.containers required`],
    ],
    [
      'quantities are quantities',
      {
        replicatedJobs: [
          node('a', {}, { template: { spec: { containers: [{ name: 'n', resources: { limits: { cpu: '2x' } } }] } } }),
        ],
      },
      [`${job}[0].template.spec.template.spec.containers[0].resources.limits.cpu invalid-value`],
    ],
    ['a template is needed', { replicatedJobs: [{ name: 'a', template: {} }] }, [`${job}[0].template.spec required`]],
    [
      'claims are mounted',
      { volumeClaimPolicies: [{ templates: [{ metadata: { name: 'data' } }] }] },
      ['spec.replicatedJobs invalid-value'],
    ],
  ])('%s', async (_, spec, expected) => {
    expect(await faults(sampleJobSet(spec))).toEqual(expected)
  })

  it.each<[string, object, string[]]>([
    [
      'is fine',
      {
        rules: [
          {
            name: 'a_b:c',
            action: 'FailJobSet',
            targetReplicatedJobs: ['node'],
            onJobFailureReasons: ['DeadlineExceeded'],
          },
        ],
      },
      [],
    ],
    ['gets its rules named', { rules: [{ action: 'FailJobSet' }, { action: 'RestartJobSet' }] }, []],
    ['names begin with a letter', { rules: [{ name: '1', action: 'FailJobSet' }] }, ['rules[0].name invalid-value']],
    [
      'names are different',
      {
        rules: [
          { name: 'a', action: 'FailJobSet' },
          { name: 'a', action: 'FailJobSet' },
        ],
      },
      ['rules[1].name duplicate-key'],
    ],
    ['names are short', { rules: [{ name: 'a'.repeat(129), action: 'FailJobSet' }] }, ['rules[0].name too-long']],
    [
      'targets exist',
      { rules: [{ action: 'FailJobSet', targetReplicatedJobs: ['b'] }] },
      ['rules[0].targetReplicatedJobs invalid-value'],
    ],
    [
      'reasons are reasons',
      { rules: [{ action: 'FailJobSet', onJobFailureReasons: ['Oops'] }] },
      ['rules[0].onJobFailureReasons not-supported'],
    ],
    ['gated actions are off', { rules: [{ action: 'RestartJob' }] }, ['rules[0].action not-supported']],
    ['the gated strategy is off', { restartStrategy: 'InPlaceRestart' }, ['restartStrategy not-supported']],
  ])('failure policy: %s', async (_, failurePolicy, expected) => {
    expect(await faults(sampleJobSet({ failurePolicy }))).toEqual(expected.map((text) => `spec.failurePolicy.${text}`))
  })

  it('tells the longest name that fits', async () => {
    const jobSet = sampleJobSet({ replicatedJobs: [replicated('node', { replicas: 12 })] })
    jobSet.metadata.name = 'x'.repeat(60)
    const verdict = await hook.validate?.({ operation: 'CREATE', object: jobSet, dryRun: false })
    // node, two digits, an index and five random characters, with their dashes
    expect(verdict?.errors[0]?.message).toContain('the longest JobSet name that fits has 47')
    jobSet.metadata.name = 'x'.repeat(47)
    expect(await faults(jobSet)).toEqual([])
  })
})

describe('an update', () => {
  const before = sampleJobSet()
  const changed = (spec: Partial<JobSetSpec>): JobSet => ({ ...before, spec: { ...before.spec, ...spec } })
  const withTemplate = (template: object, spec: Partial<JobSetSpec> = {}): JobSet => {
    const [job] = before.spec.replicatedJobs ?? []
    const inner = { ...job?.template.spec, template: { ...job?.template.spec?.template, ...template } }
    return changed({
      ...spec,
      replicatedJobs: [{ ...job, name: 'node', template: { spec: inner } }],
    } as Partial<JobSetSpec>)
  }
  const labels = { metadata: { labels: { a: 'b' } } }

  it.each<[string, JobSet, string[]]>([
    ['of nothing', before, []],
    [
      'of suspend, ttl and coordinator',
      changed({ suspend: true, ttlSecondsAfterFinished: 5, coordinator: { replicatedJob: 'node' } }),
      [],
    ],
    ['of labels while running', withTemplate(labels), ['spec.replicatedJobs immutable']],
    ['of labels together with suspending', withTemplate(labels, { suspend: true }), []],
    [
      'of an image while suspended',
      withTemplate({ spec: { containers: [{ name: 'node', image: 'new' }] } }, { suspend: true }),
      ['spec.replicatedJobs immutable'],
    ],
    [
      'of replicas',
      changed({ suspend: true, replicatedJobs: [replicated('node', { replicas: 3, groupName: 'default' })] }),
      ['spec.replicatedJobs immutable'],
    ],
    ['of the network', changed({ network: {} }), ['spec.network immutable']],
    ['that adds a failure policy', changed({ failurePolicy: { maxRestarts: 1 } }), []],
    ['of the time to live', changed({ ttlSecondsAfterFinished: 5 }), []],
    ['to a bad time to live', changed({ ttlSecondsAfterFinished: -1 }), ['spec.ttlSecondsAfterFinished invalid-value']],
    ['of the manager', changed({ managedBy: 'a.b/c' }), ['spec.managedBy immutable']],
  ])('%s', async (_, after, expected) => {
    expect(await faults(after, before)).toEqual(expected)
  })

  it('may patch the template of a suspended JobSet while resuming it', async () => {
    const suspended = { ...before, spec: { ...before.spec, suspend: true } }
    const spec = { nodeSelector: { a: 'b' }, tolerations: [{ key: 'k' }], schedulingGates: [{ name: 'g' }] }
    const pod = before.spec.replicatedJobs?.[0]?.template.spec?.template.spec
    expect(await faults(withTemplate({ ...labels, spec: { ...pod, ...spec } }), suspended)).toEqual([])
  })

  it('of a policy is refused, its removal is not', async () => {
    const old = changed({ failurePolicy: { maxRestarts: 1 } })
    expect(await faults(changed({ failurePolicy: { maxRestarts: 2 } }), old)).toEqual(['spec.failurePolicy immutable'])
    expect(await faults(before, old)).toEqual([])
  })
})
