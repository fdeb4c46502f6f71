import type { AnyTrainingRuntime, PodSpecPatch, RuntimePatch, TrainJob } from '@trainjob/api'
import { toCanonical } from '@trainjob/api/dialect'
import { describe, expect, it } from 'vitest'
import { lowerTrainJob } from './lower/lower-train-job.ts'
import { render } from './render.ts'
import { withRuntimeNames } from './runtime-names.ts'
import { aRuntime, aTrainJob, containerOf, jobSetOf } from './testing/objects.ts'
import { validate } from './validate.ts'

function documentRuntime(...names: string[]): AnyTrainingRuntime {
  const containers = names.map((name) => ({ name, image: 'i' }))
  const replicatedJobs = [{ name: 'worker', replicas: 2, template: { spec: { containers } } }]
  const written = { ...aRuntime(), spec: { mlPolicy: { torch: {} }, template: { spec: { replicatedJobs } } } }
  return toCanonical(written as unknown as AnyTrainingRuntime).object
}

function patching(name: string, spec: PodSpecPatch): TrainJob {
  const replicatedJobs = [{ name, template: { spec: { template: { spec } } } }]
  const patch: RuntimePatch = { manager: 'a.b/c', trainingRuntimeSpec: { template: { spec: { replicatedJobs } } } }
  return aTrainJob({ trainer: { numNodes: 2 }, runtimePatches: [patch] })
}

const mount = { name: 'v', mountPath: '/v' }

describe('a patch of a runtime whose job and container were renamed', () => {
  it.each([
    ['worker', 'trainer'],
    ['worker', 'node'],
    ['node', 'trainer'],
    ['node', 'node'],
  ])('finds them as %s and %s', (job, container) => {
    const patched = patching(job, {
      nodeSelector: { a: 'b' },
      containers: [{ name: container, volumeMounts: [mount] }],
    })
    const { objects, warnings } = render(patched, documentRuntime('trainer'))
    expect(warnings).toEqual([])
    expect(jobSetOf(objects).spec.replicatedJobs?.map(({ name }) => name)).toEqual(['node'])
    expect(jobSetOf(objects).spec.replicatedJobs?.[0]?.template.spec?.template.spec?.nodeSelector).toEqual({ a: 'b' })
    expect(containerOf(objects).volumeMounts).toEqual([mount])
    expect(validate(patched, documentRuntime('trainer'))).toMatchObject({ errors: [], warnings: [] })
  })

  it('still finds another container', () => {
    const patched = patching('worker', { containers: [{ name: 'sidecar', volumeMounts: [mount] }] })
    const { objects } = render(patched, documentRuntime('trainer', 'sidecar'))
    expect(containerOf(objects, 'sidecar').volumeMounts).toEqual([mount])
    expect(containerOf(objects).volumeMounts).toBeUndefined()
  })

  it('is written with the names of the runtime for a controller that knows no others', () => {
    const patched = patching('worker', { nodeSelector: { a: 'b' } })
    const { trainJob, refusals } = lowerTrainJob(patched, documentRuntime('trainer'))
    expect(refusals).toEqual([])
    expect(trainJob.spec.runtimePatches?.[0]?.trainingRuntimeSpec?.template?.spec?.replicatedJobs).toMatchObject([
      { name: 'node' },
    ])
  })

  it('of any other runtime is left as it is', () => {
    const patched = patching('worker', {})
    expect(withRuntimeNames(patched, aRuntime())).toBe(patched)
    expect(withRuntimeNames(patching('node', {}), documentRuntime('trainer')).spec).toEqual(patching('node', {}).spec)
  })
})
