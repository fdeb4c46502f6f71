import { describe, expect, it } from 'vitest'
import { render } from '../../render.ts'
import { aJob, aRuntime, aTrainJob, containerOf, envOf } from '../../testing/objects.ts'
import { validate } from '../../validate.ts'

describe('xgboost', () => {
  it.each([
    ['each node', {}, '2'],
    ['each GPU of the job', { resourcesPerNode: { limits: { 'nvidia.com/gpu': 4 } } }, '8'],
  ])('starts a worker for %s', (_, trainer, workers) => {
    const { objects } = render(aTrainJob({ trainer: { numNodes: 2, ...trainer } }), aRuntime({ xgboost: {} }))
    expect(envOf(containerOf(objects))).toEqual({
      DMLC_TRACKER_URI: 'job-node-0-0.job',
      DMLC_TRACKER_PORT: '29500',
      DMLC_TASK_ID: 'from',
      DMLC_NUM_WORKER: workers,
    })
    expect(containerOf(objects).ports).toEqual([{ containerPort: 29500 }])
  })

  it('does nothing to a runtime in which no job trains', () => {
    const { objects } = render(
      aTrainJob({ trainer: { numNodes: 2 } }),
      aRuntime({ xgboost: {} }, { replicatedJobs: [aJob({}, { name: 'other', ancestor: '' })] }),
    )
    expect(containerOf(objects).env).toBeUndefined()
  })

  it('refuses each variable of its own', () => {
    const env = ['A', 'DMLC_TASK_ID', 'DMLC_NUM_WORKER'].map((name) => ({ name, value: '1' }))
    const { errors } = validate(aTrainJob({ trainer: { env } }), aRuntime({ xgboost: {} }))
    expect(errors.map(({ path, code }) => `${path} ${code}`)).toEqual([
      'spec.trainer.env[1] reserved-env',
      'spec.trainer.env[2] reserved-env',
    ])
  })
})
