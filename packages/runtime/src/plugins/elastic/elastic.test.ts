import { ELASTIC_ANNOTATION, type JobSet, NODES_ANNOTATION } from '@trainjob/api'
import { describe, expect, it } from 'vitest'
import { isElastic } from '../../is-elastic.ts'
import { render } from '../../render.ts'
import { aRuntime, aTrainJob, containerOf, envOf } from '../../testing/objects.ts'
import { validate } from '../../validate.ts'

const elastic = aRuntime({ torch: {}, numNodes: 4 })
const policy = { minReplicas: 2, maxReplicas: 8, nprocPerNode: 1 }
const runtime = { ...elastic, metadata: { name: 'rt', annotations: { [ELASTIC_ANNOTATION]: JSON.stringify(policy) } } }

describe('elastic torch', () => {
  it('has bounds, and meets at the first node', () => {
    const { objects, podSets } = render(aTrainJob(), runtime)
    expect(envOf(containerOf(objects))).toMatchObject({
      PET_NNODES: '2:8',
      PET_NPROC_PER_NODE: '1',
      PET_RDZV_BACKEND: 'c10d',
      PET_RDZV_ENDPOINT: 'job-node-0-0.job:29500',
      PET_RDZV_ID: 'job',
      PET_MAX_RESTARTS: '100',
    })
    expect(podSets).toMatchObject([{ count: 4 }])
  })

  it.each([
    [3, undefined, 3, []],
    [1, undefined, 2, ['nodes-out-of-bounds']],
    [9, undefined, 8, ['nodes-out-of-bounds']],
    [3, '5', 5, []],
    [3, '12', 8, ['nodes-out-of-bounds']],
  ])('numNodes %s, scaled to %s: %s pods', (numNodes, nodes, count, codes) => {
    const job = aTrainJob({ trainer: { numNodes } })
    const annotations = nodes === undefined ? {} : { [NODES_ANNOTATION]: nodes }
    const { podSets, warnings } = render({ ...job, metadata: { ...job.metadata, annotations } }, runtime)
    expect(podSets).toMatchObject([{ count }])
    expect(warnings.map(({ code }) => code)).toEqual(codes)
  })

  it('is seen in the JobSet; a rigid one is not', () => {
    const jobSetOf = (of: typeof elastic) =>
      render(aTrainJob({ trainer: { numNodes: 3 } }), of).objects.find((one): one is JobSet => one.kind === 'JobSet')
    expect(isElastic(jobSetOf(runtime) ?? { spec: {} })).toBe(true)
    expect(isElastic(jobSetOf(elastic) ?? { spec: {} })).toBe(false)
  })

  it('ends after as many failures as the job says', () => {
    const { objects } = render(aTrainJob({ trainer: { env: [{ name: 'PET_MAX_RESTARTS', value: '3' }] } }), runtime)
    expect(envOf(containerOf(objects))).toMatchObject({ PET_MAX_RESTARTS: '3' })
  })

  it.each([
    ['4', runtime, []],
    ['many', runtime, ['nodes-not-a-number']],
    ['-1', runtime, ['nodes-not-a-number']],
    ['4', elastic, ['nodes-of-rigid-job']],
    ['40', runtime, ['nodes-out-of-bounds']],
  ])('scaled to %s: warnings', (nodes, of, codes) => {
    const job = aTrainJob({ trainer: { numNodes: 4 } })
    const { errors, warnings } = validate(
      { ...job, metadata: { ...job.metadata, annotations: { [NODES_ANNOTATION]: nodes } } },
      of,
    )
    expect(errors).toEqual([])
    expect(warnings.map(({ code }) => code)).toEqual(codes)
  })

  it('is nothing for other policies', () => {
    const { objects } = render(aTrainJob(), { ...runtime, spec: { ...runtime.spec, mlPolicy: { numNodes: 4 } } })
    expect(containerOf(objects).env).toBeUndefined()
  })
})
