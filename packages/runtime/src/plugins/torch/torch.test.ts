import type { Container, ResourceRequirements, Trainer } from '@trainjob/api'
import { describe, expect, it } from 'vitest'
import { render } from '../../render.ts'
import { aJob, aRuntime, aTrainJob, containerOf, envOf } from '../../testing/objects.ts'
import { validate } from '../../validate.ts'

describe('torch', () => {
  it('sets what torchrun reads, after the variables of the job', () => {
    const runtime = aRuntime(
      { torch: {} },
      {
        replicatedJobs: [
          aJob({
            env: [
              { name: 'R', value: '0' },
              { name: 'A', value: '0' },
            ],
          }),
        ],
      },
    )
    const trainer: Trainer = { numNodes: 4, env: [{ name: 'A', value: '1' }, { name: 'B' }] }
    const { env } = containerOf(render(aTrainJob({ trainer }), runtime).objects)
    expect(env).toEqual([
      { name: 'R', value: '0' },
      { name: 'A', value: '1' },
      { name: 'B', value: '' },
      { name: 'PET_NNODES', value: '4' },
      { name: 'PET_NPROC_PER_NODE', value: '1' },
      {
        name: 'PET_NODE_RANK',
        valueFrom: { fieldRef: { fieldPath: "metadata.annotations['batch.kubernetes.io/job-completion-index']" } },
      },
      { name: 'PET_MASTER_ADDR', value: 'job-node-0-0.job' },
      { name: 'PET_MASTER_PORT', value: '29500' },
    ])
  })

  it.each<[string, Trainer, ResourceRequirements | undefined, string]>([
    ['1 without resources', {}, undefined, '1'],
    ['the number that the job asks for', { numProcPerNode: 3 }, { limits: { 'nvidia.com/gpu': 8 } }, '3'],
    ['one for each CPU of the request, rounded up', {}, { requests: { cpu: '3500m' }, limits: { cpu: 8 } }, '4'],
    ['one for each CPU of the limit without a request', {}, { limits: { cpu: '2' } }, '2'],
    ['auto with GPUs in the request', {}, { requests: { 'nvidia.com/gpu': '2', cpu: 4 } }, 'auto'],
    ['auto with GPUs in the limit', {}, { limits: { 'amd.com/GPU': 1 } }, 'auto'],
    ['by CPU when there are zero GPUs', {}, { limits: { 'nvidia.com/gpu': 0, cpu: 4 } }, '4'],
    ['by the resources of the job', { resourcesPerNode: { requests: { cpu: 6 } } }, { requests: { cpu: 2 } }, '6'],
  ])('processes per node: %s', (_, trainer, resources, expected) => {
    const runtime = aRuntime({ torch: {} }, { replicatedJobs: [aJob(resources ? { resources } : {})] })
    expect(envOf(containerOf(render(aTrainJob({ trainer }), runtime).objects)).PET_NPROC_PER_NODE).toBe(expected)
  })

  it.each<[string, NonNullable<Container['ports']>, unknown]>([
    ['beside other ports', [{ containerPort: 80 }], [80, 29500]],
    ['once', [{ containerPort: 29500, name: 'x' }], [29500]],
    ['for UDP too', [{ containerPort: 29500, protocol: 'UDP' }], [29500, 29500]],
  ])('opens the port %s', (_, ports, expected) => {
    const runtime = aRuntime({ torch: {} }, { replicatedJobs: [aJob({ ports })] })
    const { ports: opened } = containerOf(render(aTrainJob(), runtime).objects)
    expect(opened?.map(({ containerPort }) => containerPort)).toEqual(expected)
  })

  it('gives the variables to the containers that envInjection names, init containers too', () => {
    const job = aJob()
    const pod = job.template.spec?.template.spec
    if (pod) pod.initContainers = [{ name: 'check', image: 'img' }]
    const targets = [{ jobName: 'node', containerNames: ['check'] }]
    const { objects } = render(
      aTrainJob(),
      aRuntime({ torch: { envInjection: { targets } } }, { replicatedJobs: [job] }),
    )
    expect(Object.keys(envOf(containerOf(objects, 'check')))).toEqual([
      'PET_NNODES',
      'PET_NPROC_PER_NODE',
      'PET_NODE_RANK',
      'PET_MASTER_ADDR',
      'PET_MASTER_PORT',
    ])
  })

  it('refuses envInjection into what is not there, in validation and in rendering', () => {
    const targets = [{ jobName: 'node', containerNames: ['missing'] }]
    const runtime = aRuntime({ torch: { envInjection: { targets } } })
    expect(() => render(aTrainJob(), runtime)).toThrow('Expected container missing in replicated job node')
    expect(validate(aTrainJob(), runtime).errors).toMatchObject([
      { path: 'spec.runtimeRef', code: 'env-injection-target-not-found' },
    ])
  })

  it('refuses variables of the job that it sets itself', () => {
    const trainer: Trainer = { env: [{ name: 'PET_NODE_RANK' }, { name: 'PET_NNODES' }, { name: 'MASTER_ADDR' }] }
    const { errors } = validate(aTrainJob({ trainer }), aRuntime({ torch: {} }))
    expect(errors).toMatchObject([
      { path: 'spec.trainer.env', code: 'reserved-env', message: expect.stringContaining('PET_NNODES, PET_NODE_RANK') },
    ])
    expect(validate(aTrainJob({ trainer }), aRuntime()).errors).toEqual([])
  })

  it('warns of variables of the runtime that it overwrites', () => {
    const runtime = aRuntime({ torch: {} }, { replicatedJobs: [aJob({ env: [{ name: 'PET_NNODES', value: '9' }] })] })
    expect(validate(aTrainJob(), runtime)).toMatchObject({ errors: [], warnings: [{ code: 'reserved-env' }] })
  })
})
