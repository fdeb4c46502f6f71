import { describe, expect, it } from 'vitest'
import { RenderError } from './error.ts'
import { runtimeFromSnapshot, runtimeSnapshot } from './snapshot.ts'
import { aRuntime, aTrainJob } from './testing/objects.ts'

describe('runtime snapshot', () => {
  const trainJob = aTrainJob({
    runtimeRef: { name: 'rt', kind: 'ClusterTrainingRuntime', apiGroup: 'trainer.kubeflow.org' },
  })
  const snapshot = runtimeSnapshot(trainJob, aRuntime({ torch: {} }))

  it('is a ConfigMap that the TrainJob owns', () => {
    expect(snapshot).toMatchObject({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'job-runtime-snapshot', namespace: 'ns', ownerReferences: [{ uid: 'u-1', controller: true }] },
    })
  })

  it('gives the runtime back, without managed fields', () => {
    const runtime = { ...aRuntime({ torch: {} }), metadata: { name: 'rt', managedFields: [{}] } }
    expect(runtimeFromSnapshot(runtimeSnapshot(trainJob, runtime), trainJob)).toEqual(aRuntime({ torch: {} }))
  })

  it('reads text that is not JSON with the parser it is given', () => {
    const yaml = { ...snapshot, data: { runtime: 'kind: ClusterTrainingRuntime' } }
    expect(runtimeFromSnapshot(yaml, trainJob, () => aRuntime())).toEqual(aRuntime())
    expect(() => runtimeFromSnapshot(yaml, trainJob)).toThrow('its text cannot be read')
  })

  it.each<[string, object, string]>([
    [
      'of another owner',
      { metadata: { name: 'x', ownerReferences: [{ uid: 'other', controller: true }] } },
      'belongs to another object',
    ],
    [
      'without a controller',
      { metadata: { name: 'x', ownerReferences: [{ uid: 'u-1' }] } },
      'belongs to another object',
    ],
    ['without the key', { data: {} }, 'has no key runtime'],
    ['with something else', { data: { runtime: '[]' } }, 'holds no TrainingRuntime'],
    [
      'of another runtime',
      { data: { runtime: JSON.stringify({ ...aRuntime(), metadata: { name: 'b' } }) } },
      'expected ClusterTrainingRuntime rt of trainer.kubeflow.org, found ClusterTrainingRuntime b',
    ],
    [
      'of another kind',
      { data: { runtime: JSON.stringify({ ...aRuntime(), kind: 'TrainingRuntime' }) } },
      'found TrainingRuntime rt',
    ],
  ])('refuses one %s', (_, change, message) => {
    const run = (): unknown => runtimeFromSnapshot({ ...snapshot, ...change } as typeof snapshot, trainJob)
    expect(run).toThrow(RenderError)
    expect(run).toThrow(message)
  })
})
