import { describe, expect, it } from 'vitest'
import { DOCUMENT, type Fields, job, translated } from './testing/written.ts'

describe('a TrainJob', () => {
  it.each<[string, Fields, Fields, string]>([
    [
      'resources',
      { trainer: { resources: { limits: { cpu: 1 } } } },
      { trainer: { resourcesPerNode: { limits: { cpu: 1 } } } },
      'spec.trainer.resources',
    ],
    [
      'a flat initializer',
      { initializer: { storageUri: 's3://b/d' } },
      { initializer: { dataset: { storageUri: 's3://b/d' } } },
      'spec.initializer.storageUri',
    ],
    [
      'the secret of an initializer',
      { initializer: { secretRef: { name: 's' } } },
      { initializer: { dataset: { secretRef: { name: 's' } } } },
      'spec.initializer.secretRef',
    ],
    [
      'its short manager',
      { managedBy: 'trainjob-controller' },
      { managedBy: 'trainer.kubeflow.org/trainjob-controller' },
      'spec.managedBy',
    ],
  ])('with %s', (_, written, expected, noted) => {
    const { object, notes, errors } = translated(job(written))
    expect(object.spec).toEqual({ runtimeRef: { name: 'r' }, ...expected })
    expect(object.metadata.annotations).toEqual(DOCUMENT)
    expect({ notes, errors }).toEqual({ notes: [noted], errors: [] })
  })

  it.each<[string, Fields, RegExp]>([
    [
      'both names with different values',
      { trainer: { resources: { limits: { cpu: 1 } }, resourcesPerNode: {} } },
      /^spec\.trainer\.resources: .*keep spec\.trainer\.resourcesPerNode/,
    ],
    [
      'what happens on failure',
      { failurePolicy: { maxRestarts: 3 } },
      /^spec\.failurePolicy: .*\nspec:\n {2}template:\n {4}spec:\n {6}failurePolicy:/s,
    ],
    ['a field of pods', { nodeSelector: { a: 'b' } }, /^spec\.nodeSelector: .*\nruntimePatches:\n.*nodeSelector: …/s],
    [
      'a field of containers',
      { trainer: { volumeMounts: [] } },
      /^spec\.trainer\.volumeMounts: .*containers: \[\{name: node, volumeMounts/s,
    ],
    [
      'a policy of the runtime',
      { podGroupPolicy: { volcano: { minMember: 4 } } },
      /^spec\.podGroupPolicy: .*\nkind: TrainingRuntime\n.*name: r\n.*podGroupPolicy:\n {4}volcano: \{\}/s,
    ],
  ])('that cannot be translated: %s', (_, written, message) => {
    const { errors, object } = translated(job(written))
    expect(errors).toEqual([expect.stringMatching(message)])
    expect(object.spec).toMatchObject(written)
  })

  it('of the time before the first release', () => {
    const { object, errors } = translated({
      apiVersion: 'kubeflow.org/v2alpha1',
      kind: 'TrainJob',
      metadata: { name: 'a' },
      spec: {
        trainingRuntimeRef: { name: 'r' },
        trainerConfig: { image: 'i' },
        datasetConfig: { storageUri: 's3://b', secretRef: 's' },
        modelConfig: { storageUri: 's3://m' },
      },
    })
    expect(errors).toEqual([])
    expect(object).toEqual({
      ...job({}),
      spec: {
        runtimeRef: { name: 'r' },
        trainer: { image: 'i' },
        initializer: {
          dataset: { storageUri: 's3://b', secretRef: { name: 's' } },
          model: { storageUri: 's3://m' },
        },
      },
    })
  })
})
