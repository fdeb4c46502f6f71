import { describe, expect, it } from 'vitest'
import { aJob, aRuntime } from './testing/objects.ts'
import { validateRuntime } from './validate-runtime.ts'

describe('validateRuntime', () => {
  it('asks for one replica and the container that the ancestor needs', () => {
    const jobs = [{ ...aJob({ name: 'main' }), replicas: 2 }, aJob({ name: 'main' }, { name: 'free', ancestor: '' })]
    expect(validateRuntime(aRuntime(undefined, { replicatedJobs: jobs })).errors).toMatchObject([
      { path: 'spec.template.spec.replicatedJobs[0].replicas', code: 'invalid-value', object: { name: 'rt' } },
      { path: 'spec.template.spec.replicatedJobs[0].template.spec.template.spec.containers', code: 'required' },
    ])
  })

  it('is content with what is left to default', () => {
    expect(validateRuntime(aRuntime({ torch: {} }))).toEqual({ errors: [], warnings: [] })
    expect(validateRuntime(aRuntime(undefined, {})).errors).toEqual([])
  })

  it('warns of a deprecated cluster runtime', () => {
    const runtime = aRuntime()
    runtime.metadata.labels = { 'trainer.kubeflow.org/support': 'deprecated' }
    expect(validateRuntime(runtime).warnings).toMatchObject([{ code: 'deprecated-runtime' }])
  })
})
