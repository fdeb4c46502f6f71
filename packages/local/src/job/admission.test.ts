import type { Job, JobSpec } from '@trainjob/api'
import { describe, expect, it } from 'vitest'
import { jobAdmission } from './admission.ts'
import { defaultJob } from './defaults.ts'
import { NOW, sampleJob } from './samples.suite.ts'
import { timestamp } from './timestamp.ts'

const hook = jobAdmission()
const template = { spec: { restartPolicy: 'Never' as const, containers: [{ name: 'node' }] } }

async function faults(job: Job, oldObject?: Job): Promise<string[]> {
  const operation = oldObject === undefined ? ('CREATE' as const) : ('UPDATE' as const)
  const verdict = await hook.validate?.({ operation, object: job, ...(oldObject && { oldObject }), dryRun: false })
  return (verdict?.errors ?? []).map(({ path, code }) => `${path} ${code}`)
}

describe('defaulting', () => {
  const job = (spec: Partial<JobSpec>): Job => ({
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'train', uid: 'u' },
    spec: { template, ...spec },
  })
  const defaulted = async (spec: Partial<JobSpec>) =>
    (await hook.mutate?.({ operation: 'CREATE', object: job(spec), dryRun: false })) as Job

  it.each<[object, object]>([
    [
      {},
      {
        parallelism: 1,
        completions: 1,
        backoffLimit: 6,
        completionMode: 'NonIndexed',
        suspend: false,
        podReplacementPolicy: 'TerminatingOrFailed',
      },
    ],
    [{ completions: 3 }, { parallelism: 1, completions: 3 }],
    [{ parallelism: 3 }, { parallelism: 3 }],
    [{ backoffLimitPerIndex: 1 }, { backoffLimit: 2147483647 }],
    [
      { podFailurePolicy: { rules: [{ action: 'Ignore', onPodConditions: [{ type: 'X' }] }] } },
      { podFailurePolicy: { rules: [{ action: 'Ignore', onPodConditions: [{ type: 'X', status: 'True' }] }] } },
    ],
    [{ podFailurePolicy: { rules: [] } }, { podReplacementPolicy: 'Failed' }],
  ])('%j becomes %j', async (spec, expected) => {
    expect((await defaulted(spec)).spec).toMatchObject(expected)
  })

  it('a work queue has no completions', async () => {
    expect((await defaulted({ parallelism: 3 })).spec).not.toHaveProperty('completions')
  })

  it('gives the Job its selector and the pods the labels for it', async () => {
    const { spec, metadata } = await defaulted({ template: { ...template, metadata: { labels: { app: 'x' } } } })
    expect(spec.selector).toEqual({ matchLabels: { 'batch.kubernetes.io/controller-uid': 'u' } })
    expect(spec.template.metadata?.labels).toEqual({
      app: 'x',
      'batch.kubernetes.io/controller-uid': 'u',
      'batch.kubernetes.io/job-name': 'train',
      'controller-uid': 'u',
      'job-name': 'train',
    })
    expect(metadata.labels).toEqual(spec.template.metadata?.labels)
  })

  it('leaves a selector made by hand alone', async () => {
    const selector = { matchLabels: { mine: 'x' } }
    const { spec } = await defaulted({ manualSelector: true, selector })
    expect(spec.selector).toEqual(selector)
    expect(spec.template.metadata?.labels).toEqual({})
  })
})

describe('a new Job', () => {
  const rule = (more: object) => ({ podFailurePolicy: { rules: [{ action: 'FailJob', ...more }] } }) as Partial<JobSpec>
  const exit = (more: object) => rule({ onExitCodes: { operator: 'In', values: [1], ...more } })

  it.each<[string, Partial<JobSpec>, string[]]>([
    ['is fine', {}, []],
    ['counts are counts', { backoffLimit: -1 }, ['backoffLimit invalid-value']],
    [
      'an end is needed',
      { template: { spec: { containers: [{ name: 'n' }] } } },
      ['template.spec.restartPolicy required'],
    ],
    [
      'Always is no end',
      { template: { spec: { restartPolicy: 'Always', containers: [{ name: 'n' }] } } },
      ['template.spec.restartPolicy required'],
    ],
    [
      'containers are needed',
      { template: { spec: { restartPolicy: 'Never', containers: [] } } },
      ['template.spec.containers required'],
    ],
    [
      'limits per index need indexes',
      { completionMode: 'NonIndexed', backoffLimitPerIndex: 1 },
      ['backoffLimitPerIndex invalid-value'],
    ],
    ['failed indexes need a limit', { maxFailedIndexes: 1 }, ['backoffLimitPerIndex required']],
    [
      'no more failed indexes than indexes',
      { backoffLimitPerIndex: 1, maxFailedIndexes: 3 },
      ['maxFailedIndexes invalid-value'],
    ],
    ['success has rules', { successPolicy: { rules: [] } }, ['successPolicy.rules required']],
    ['rules say something', { successPolicy: { rules: [{}] } }, ['successPolicy.rules[0] required']],
    [
      'rules name indexes',
      { successPolicy: { rules: [{ succeededIndexes: '7' }] } },
      ['successPolicy.rules[0].succeededIndexes invalid-value'],
    ],
    [
      'rules can be met',
      { successPolicy: { rules: [{ succeededIndexes: '1', succeededCount: 2 }] } },
      ['successPolicy.rules[0].succeededCount invalid-value'],
    ],
    ['failures have exit codes', exit({ values: [] }), ['podFailurePolicy.rules[0].onExitCodes.values required']],
    ['0 is no failure', exit({ values: [0, 1] }), ['podFailurePolicy.rules[0].onExitCodes.values[0] invalid-value']],
    [
      'exit codes ascend',
      exit({ values: [2, 1, 1] }),
      [
        'podFailurePolicy.rules[0].onExitCodes.values[2] duplicate',
        'podFailurePolicy.rules[0].onExitCodes.values invalid-value',
      ],
    ],
    [
      'indexes ascend',
      { successPolicy: { rules: [{ succeededIndexes: '1,0' }] } },
      ['successPolicy.rules[0].succeededIndexes invalid-value'],
    ],
    [
      'indexes exist',
      { successPolicy: { rules: [{ succeededIndexes: '0-2' }] } },
      ['successPolicy.rules[0].succeededIndexes invalid-value'],
    ],
    ['managedBy is a path', { managedBy: 'other' }, ['managedBy invalid-value']],
    [
      'containers exist',
      exit({ containerName: 'other' }),
      ['podFailurePolicy.rules[0].onExitCodes.containerName invalid-value'],
    ],
    ['one filter', rule({}), ['podFailurePolicy.rules[0] invalid-value']],
    [
      'FailIndex needs limits per index',
      exit({}) && rule({ action: 'FailIndex', onPodConditions: [{ type: 'X' }] }),
      ['podFailurePolicy.rules[0].action invalid-value'],
    ],
    [
      'failed pods only with a failure policy',
      { ...exit({}), podReplacementPolicy: 'TerminatingOrFailed' },
      ['podReplacementPolicy not-supported'],
    ],
  ])('%s', async (_, spec, expected) => {
    expect(await faults(sampleJob(spec))).toEqual(expected.map((text) => `spec.${text}`))
  })

  it('Indexed needs completions', async () => {
    const job = sampleJob()
    delete job.spec.completions
    expect(await faults(job)).toEqual(['spec.completions required'])
  })

  it('its pods have host names', async () => {
    const named = (length: number) =>
      defaultJob({
        apiVersion: 'batch/v1',
        kind: 'Job',
        metadata: { name: 'x'.repeat(length), uid: 'u' },
        spec: { completionMode: 'Indexed', completions: 100, parallelism: 1, template },
      })
    expect(await faults(named(61))).toEqual(['metadata.name name-too-long'])
    expect(await faults(named(60))).toEqual([])
  })

  it.each<[string, Partial<JobSpec>, string[]]>([
    ['has no selector of its own', { selector: { matchLabels: { a: 'b' } } }, ['template.metadata.labels', 'selector']],
    [
      'leaves the labels that are generated alone',
      { template: { ...template, metadata: { labels: { 'job-name': 'other' } } } },
      ['template.metadata.labels[job-name]'],
    ],
    ['has a selector if it wants to choose one', { manualSelector: true }, ['selector', 'template.metadata.labels']],
    [
      'has pods that its own selector matches',
      { manualSelector: true, selector: { matchLabels: { a: 'b' } } },
      ['template.metadata.labels'],
    ],
    [
      'may choose its selector',
      {
        manualSelector: true,
        selector: { matchExpressions: [{ key: 'a', operator: 'In', values: ['b', 'c'] }] },
        template: { ...template, metadata: { labels: { a: 'b' } } },
      },
      [],
    ],
  ])('%s', async (_, spec, fields) => {
    const found = await faults(defaultJob({ ...sampleJob(), spec: { template, ...spec } }))
    expect(found.map((fault) => fault.split(' ')[0])).toEqual(fields.map((field) => `spec.${field}`))
  })
})

describe('an update', () => {
  const running = sampleJob({ suspend: true }, { startTime: timestamp(NOW) })
  const halted = sampleJob({ suspend: true }, { conditions: [{ type: 'Suspended', status: 'True' }] })
  const change = (job: Job, spec: Partial<JobSpec>): Job => ({ ...job, spec: { ...job.spec, ...spec } })
  const labelled = ({ spec }: Job) => ({
    template: { ...spec.template, metadata: { labels: { ...spec.template.metadata?.labels, a: 'b' } } },
  })

  it.each<[string, Job, Partial<JobSpec>, string[]]>([
    [
      'of what may change',
      running,
      { suspend: false, parallelism: 1, backoffLimit: 1, ttlSecondsAfterFinished: 1, activeDeadlineSeconds: 1 },
      [],
    ],
    ['of completions alone', running, { completions: 3 }, ['completions invalid-value']],
    ['of completions and parallelism', running, { completions: 3, parallelism: 3 }, []],
    ['of the mode', running, { completionMode: 'NonIndexed' }, ['completionMode immutable']],
    ['of the template after the start', running, labelled(running), ['template immutable']],
    ['of the template while halted', halted, labelled(halted), []],
    [
      'of an image while halted',
      halted,
      {
        template: {
          ...halted.spec.template,
          spec: { restartPolicy: 'Never', containers: [{ name: 'node', image: 'new' }] },
        },
      },
      ['template.spec immutable'],
    ],
  ])('%s', async (_, before, spec, expected) => {
    expect(await faults(change(before, spec), before)).toEqual(expected.map((text) => `spec.${text}`))
  })

  it('of the template waits for the last active pod', async () => {
    const busy = { ...halted, status: { ...halted.status, active: 1 } }
    expect(await faults(change(busy, labelled(busy)), busy)).toEqual(['spec.template immutable'])
  })
})
