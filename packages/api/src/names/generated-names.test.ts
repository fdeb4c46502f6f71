import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ReplicatedJob } from '../kubernetes/jobset.ts'
import { findLongName, longestName } from './generated-names.ts'

function job(name: string, replicas?: number, completions?: number, completionMode?: 'NonIndexed'): ReplicatedJob {
  const spec = {
    template: {},
    ...(completions === undefined ? {} : { completions }),
    ...(completionMode === undefined ? {} : { completionMode }),
  }
  return { name, ...(replicas === undefined ? {} : { replicas }), template: { spec } }
}

describe('names that JobSet would generate', () => {
  it.each<[string, ReplicatedJob[], number]>([
    ['one job of ten nodes', [job('node', 1, 10)], 63 - '-node-0-9-xxxxx'.length],
    ['eleven nodes need a digit more', [job('node', 1, 11)], 63 - '-node-0-10-xxxxx'.length],
    ['pods are not looked at without a count', [job('node')], 63 - '-node-0'.length],
    ['nor when the Job is not indexed', [job('node', 1, 4, 'NonIndexed')], 63 - '-node-0'.length],
    ['many replicas', [job('node', 1000)], 63 - '-node-999'.length],
    ['the longest of several jobs counts', [job('dataset-initializer', 1, 1), job('node', 1, 4)], 33],
    ['no jobs', [], 63],
  ])('%s', (_, replicatedJobs, longest) => {
    expect(longestName({ replicatedJobs })).toBe(longest)
  })

  it('are found with the one that is too long and the length that fits', () => {
    const spec = { replicatedJobs: [job('node', 1, 4)] }
    const name = 'a'.repeat(49)
    expect(findLongName('a'.repeat(48), spec)).toBeUndefined()
    expect(findLongName(name, spec)).toEqual({
      generated: `${name}-node-0-3-xxxxx`,
      what: 'pod',
      replicatedJob: 'node',
      longest: 48,
    })
  })

  it('fit exactly up to the longest name', () => {
    const jobs = fc.array(
      fc.tuple(
        fc.stringMatching(/^[a-z]{1,20}$/),
        fc.integer({ min: 1, max: 1000 }),
        fc.integer({ min: 1, max: 1000 }),
      ),
      { minLength: 1, maxLength: 4 },
    )
    fc.assert(
      fc.property(jobs, (list) => {
        const spec = { replicatedJobs: list.map(([name, replicas, completions]) => job(name, replicas, completions)) }
        const longest = longestName(spec)
        expect(findLongName('x'.repeat(longest), spec)).toBeUndefined()
        expect(findLongName('x'.repeat(longest + 1), spec)?.generated.length).toBe(64)
      }),
    )
  })
})
