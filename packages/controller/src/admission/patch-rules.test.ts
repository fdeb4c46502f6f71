import type { JobSet, RuntimePatch, TrainJob } from '@trainjob/api'
import { describe, expect, it } from 'vitest'
import { changesPatches, patchRefusals } from './patch-rules.ts'

function job(suspend: boolean, runtimePatches?: RuntimePatch[]): TrainJob {
  return {
    apiVersion: 'trainer.kubeflow.org/v1alpha1',
    kind: 'TrainJob',
    metadata: { name: 'a', namespace: 'default' },
    spec: { runtimeRef: { name: 'r' }, suspend, ...(runtimePatches !== undefined && { runtimePatches }) },
  }
}

function jobSet(active: number): JobSet {
  const status = { name: 'node', ready: 0, succeeded: 0, failed: 0, active, suspended: 0 }
  return { apiVersion: '', kind: 'JobSet', metadata: {}, spec: {}, status: { replicatedJobsStatus: [status] } }
}

describe('changing runtimePatches', () => {
  it.each<[string, boolean, boolean, number | undefined, RegExp | undefined]>([
    ['a running job', false, false, 1, /suspend it first/],
    ['a running job without a JobSet', false, false, undefined, /suspend it first/],
    ['suspending, nothing active', false, true, 0, undefined],
    ['suspending, pods still there', false, true, 1, /node.*still active/],
    ['suspended', true, true, 0, undefined],
    ['suspended, no JobSet', true, true, undefined, undefined],
    ['suspended, pods still ending', true, true, 1, /node.*still active/],
    ['resuming in the same request', true, false, 0, undefined],
  ])('%s', (_, before, after, active, refusal) => {
    const found = patchRefusals(job(before), job(after), active === undefined ? undefined : jobSet(active))
    if (refusal === undefined) expect(found).toEqual([])
    else expect(found.join()).toMatch(refusal)
  })

  it('tells a change from none', () => {
    expect(changesPatches(job(true), job(true, []))).toBe(false)
    expect(changesPatches(job(true, [{ manager: 'a' }]), job(true, [{ manager: 'a' }]))).toBe(false)
    expect(changesPatches(job(true), job(true, [{ manager: 'a' }]))).toBe(true)
  })
})
