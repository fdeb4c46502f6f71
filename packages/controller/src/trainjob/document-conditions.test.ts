import type { Condition, JobSet, TrainJob } from '@trainjob/api'
import { describe, expect, it } from 'vitest'
import { withDocumentConditions, withoutRuntime } from './document-conditions.ts'

const NOW = '2026-01-01T00:00:00Z'

function job(form?: string): TrainJob {
  return {
    apiVersion: 'trainer.kubeflow.org/v1alpha1',
    kind: 'TrainJob',
    metadata: { name: 'a', ...(form !== undefined && { annotations: { 'trainjob.dev/form': form } }) },
    spec: { runtimeRef: { name: 'r' } },
  }
}

function jobSet(counts: { ready?: number; succeeded?: number; failed?: number } = {}): JobSet {
  const status = { name: 'node', ready: 0, succeeded: 0, failed: 0, active: 1, suspended: 0, ...counts }
  return { apiVersion: '', kind: 'JobSet', metadata: {}, spec: {}, status: { replicatedJobsStatus: [status] } }
}

function condition(type: string, reason = 'R'): Condition {
  return { type, status: 'True', reason, message: 'M', lastTransitionTime: NOW }
}

describe("the document's conditions", () => {
  it.each<[string, Condition[], JobSet | undefined, string[]]>([
    ['a job that is new', [], undefined, ['Accepted True']],
    ['one whose pods wait', [], jobSet(), ['Accepted True']],
    ['one whose pods run', [], jobSet({ ready: 1 }), ['Accepted True', 'Started True']],
    ['one that is suspended', [condition('Suspended')], jobSet(), ['Accepted True', 'Suspended True']],
    ['one that failed', [condition('Failed')], jobSet({ failed: 1 }), ['Accepted True', 'Started True', 'Failed True']],
    [
      'one that is complete',
      [condition('Complete')],
      undefined,
      ['Accepted True', 'Started True', 'Completed True', 'Complete True'],
    ],
    [
      'one of an unknown kind of runtime',
      [condition('Failed', 'TrainingRuntimeNotSupported')],
      undefined,
      ['Accepted False', 'Failed True'],
    ],
  ])('of %s', (_, conditions, set, expected) => {
    const found = withDocumentConditions(job('document'), conditions, set, NOW)
    expect(found.map(({ type, status }) => `${type} ${status}`)).toEqual(expected)
    // a second look changes nothing
    expect(withDocumentConditions(job('document'), found, set, '2027-01-01T00:00:00Z')).toBe(found)
  })

  it('are for jobs of the document only', () => {
    const conditions = [condition('Complete')]
    expect(withDocumentConditions(job(), conditions, jobSet({ ready: 1 }), NOW)).toBe(conditions)
  })

  it('say that the runtime is not there, until a JobSet stands', () => {
    const missing = withoutRuntime(undefined, 'no runtime', NOW)
    expect(missing).toMatchObject([
      { type: 'Accepted', status: 'False', reason: 'RuntimeNotFound', message: 'no runtime' },
    ])
    expect(withDocumentConditions(job('document'), missing, undefined, NOW)).toBe(missing)
    expect(withDocumentConditions(job('document'), missing, jobSet(), NOW)).toMatchObject([{ status: 'True' }])
  })
})
