import type { Trainer } from '@trainjob/api'
import { describe, expect, it } from 'vitest'
import { newInfo } from '../../new-info.ts'
import { render } from '../../render.ts'
import { aJob, aRuntime, aTrainJob, containerOf, jobSetOf } from '../../testing/objects.ts'
import { jobSetPlugin } from './jobset.ts'

describe('jobset', () => {
  it.each<[string, Trainer, object]>([
    [
      'image, command and args of the job',
      { image: 'own', command: ['a'], args: ['b'] },
      { image: 'own', command: ['a'], args: ['b'] },
    ],
    ['those of the runtime where the job has none', {}, { image: 'img', command: ['c'], args: ['d'] }],
    [
      'none where the job has empty ones',
      { command: [], args: [] },
      { image: 'img', command: undefined, args: undefined },
    ],
  ])('runs %s', (_, trainer, expected) => {
    const runtime = aRuntime(undefined, { replicatedJobs: [aJob({ command: ['c'], args: ['d'] })] })
    const { image, command, args } = containerOf(render(aTrainJob({ trainer }), runtime).objects)
    expect({ image, command, args }).toEqual(expected)
  })

  it('puts the initializers into their jobs', () => {
    const runtime = aRuntime(undefined, {
      replicatedJobs: ['dataset-initializer', 'model-initializer'].map((name) => ({
        ...aJob(
          { name, env: [{ name: 'STORAGE_URI', value: 'old' }], envFrom: [{ secretRef: { name: 'first' } }] },
          { name, ancestor: name },
        ),
        replicas: 2,
      })),
    })
    const { objects } = render(
      aTrainJob({
        initializer: {
          dataset: { storageUri: 'hf://d', env: [{ name: 'A', value: '1' }], secretRef: { name: 'token' } },
          model: { env: [{ name: 'STORAGE_URI', value: 's3://m' }] },
        },
      }),
      runtime,
    )
    expect(containerOf(objects, 'dataset-initializer', 0)).toMatchObject({
      env: [
        { name: 'STORAGE_URI', value: 'hf://d' },
        { name: 'A', value: '1' },
      ],
      envFrom: [{ secretRef: { name: 'first' } }, { secretRef: { name: 'token' } }],
    })
    expect(containerOf(objects, 'model-initializer', 1)).toMatchObject({
      env: [{ name: 'STORAGE_URI', value: 's3://m' }],
      envFrom: [{ secretRef: { name: 'first' } }],
    })
    expect(jobSetOf(objects).spec.replicatedJobs?.map(({ replicas }) => replicas)).toEqual([1, 1])
  })

  it('knows the names under which pods find each other', () => {
    const info = newInfo(aTrainJob(), aRuntime({ numNodes: 2 }, { replicatedJobs: [{ ...aJob(), replicas: 2 }] }), {})
    jobSetPlugin.identifyPodNetwork(info)
    expect([...(info.podSets[0]?.endpoints() ?? [])]).toEqual([
      'job-node-0-0.job',
      'job-node-0-1.job',
      'job-node-1-0.job',
      'job-node-1-1.job',
    ])
  })

  it('writes the labels and annotations that plugins want on pods', () => {
    const info = newInfo(aTrainJob(), aRuntime(), {})
    Object.assign(info.podSets[0]?.podLabels ?? {}, { group: 'job' })
    Object.assign(info.podSets[0]?.podAnnotations ?? {}, { queue: 'q' })
    jobSetPlugin.completeTemplate(info)
    const jobSet = jobSetOf(jobSetPlugin.build(info))
    expect(jobSet.spec.replicatedJobs?.[0]?.template.spec?.template.metadata).toEqual({
      labels: { group: 'job' },
      annotations: { queue: 'q' },
    })
  })
})
