import { afterAll, beforeAll, expect, it } from 'vitest'
import { TrainerClient } from '../trainer-client.ts'
import { scaleJob } from './scale-job.ts'

let trainer: TrainerClient
beforeAll(async () => {
  trainer = await TrainerClient.local()
  await trainer.submit({
    apiVersion: 'trainer.kubeflow.org/v1alpha1',
    kind: 'TrainJob',
    metadata: { name: 'wide' },
    spec: { runtimeRef: { name: 'torch-elastic' }, trainer: { numNodes: 2, command: ['sleep', '60'] } },
  })
})
afterAll(() => trainer?.close())

const key = { namespace: 'default', name: 'wide' }
const call = { fieldManager: 'test' }

it('writes the number of nodes where the controller looks at it', async () => {
  const { metadata } = await scaleJob(trainer.kube, { isUpstream: async () => false }, key, 3, call)
  expect(metadata.annotations).toMatchObject({ 'trainjob.dev/nodes': '3' })
})

it('refuses where it would do nothing, and leaves the job as it is', async () => {
  const { metadata: before } = await trainer.get('wide')
  await expect(scaleJob(trainer.kube, { isUpstream: async () => true }, key, 4, call)).rejects.toMatchObject({
    code: 'invalid',
    message: expect.stringMatching(/^cannot scale TrainJob default\/wide: the cluster has Kubeflow Trainer's own/),
  })
  expect((await trainer.get('wide')).metadata.annotations).toEqual(before.annotations)
})
