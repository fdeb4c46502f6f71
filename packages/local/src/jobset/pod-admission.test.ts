import type { Pod } from '@trainjob/api'
import { describe, expect, it } from 'vitest'
import { JOBSET_NAME, NODE_SELECTOR_STRATEGY, PRIORITY } from './labels.ts'
import { jobSetPodAdmission } from './pod-admission.ts'

const hook = jobSetPodAdmission()

async function priorityOf(annotations: Record<string, string>, spec: object = {}): Promise<string | undefined> {
  const object: Pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p', annotations, labels: { a: 'b' } },
    spec: { containers: [], ...spec },
  }
  const admitted = await hook.mutate?.({ operation: 'CREATE', object, dryRun: false })
  expect(admitted?.metadata.labels?.a).toBe('b')
  return admitted?.metadata.labels?.[PRIORITY]
}

describe('the priority label of a pod', () => {
  it.each<[string, Record<string, string>, object, string | undefined]>([
    ['is 0 when nothing else is said', { [JOBSET_NAME]: 'set' }, {}, '0'],
    ['is its priority', { [JOBSET_NAME]: 'set' }, { priority: 7 }, '7'],
    [
      'is left out where a node selector places it',
      { [JOBSET_NAME]: 'set', [NODE_SELECTOR_STRATEGY]: 'true' },
      {},
      undefined,
    ],
    ['is for pods of a JobSet only', {}, {}, undefined],
  ])('%s', async (_, annotations, spec, expected) => {
    expect(await priorityOf(annotations, spec)).toBe(expected)
  })
})
