import { describe, expect, it } from 'vitest'
import { render } from '../../render.ts'
import { aJob, aRuntime, aTrainJob, containerOf, envOf } from '../../testing/objects.ts'

describe('plain', () => {
  const job = aTrainJob({ trainer: { numNodes: 3, env: [{ name: 'A', value: '1' }] } })

  it.each([
    ['no policy', undefined],
    ['a policy of numNodes', { numNodes: 2 }],
  ])('sets nodes and variables of the job on a runtime with %s', (_, mlPolicy) => {
    const { objects, podSets } = render(job, aRuntime(mlPolicy))
    expect(podSets).toEqual([{ name: 'node', ancestor: 'trainer', count: 3 }])
    expect(envOf(containerOf(objects))).toEqual({ A: '1' })
  })

  it('touches only the container node of the job that trains', () => {
    const other = aJob({}, { name: 'other', ancestor: '' })
    const { objects, podSets } = render(
      job,
      aRuntime(undefined, { replicatedJobs: [other, aJob({ name: 'main' }, { name: 'node' })] }),
    )
    expect(podSets.map(({ count }) => count)).toEqual([1, 3])
    expect(containerOf(objects, 'node', 0).env).toBeUndefined()
    expect(containerOf(objects, 'main', 1).env).toBeUndefined()
  })
})
