import { describe, expect, it } from 'vitest'
import { render } from '../../render.ts'
import { aJob, aRuntime, aTrainJob, containerOf } from '../../testing/objects.ts'
import { validate } from '../../validate.ts'

describe('jax', () => {
  it('tells each process its number, how many there are, and where they meet', () => {
    const { objects, podSets } = render(aTrainJob({ trainer: { numNodes: 3 } }), aRuntime({ jax: {} }))
    expect(podSets).toEqual([{ name: 'node', ancestor: 'trainer', count: 3 }])
    expect(containerOf(objects)).toMatchObject({
      env: [
        { name: 'JAX_NUM_PROCESSES', value: '3' },
        {
          name: 'JAX_PROCESS_ID',
          valueFrom: { fieldRef: { fieldPath: "metadata.annotations['batch.kubernetes.io/job-completion-index']" } },
        },
        { name: 'JAX_COORDINATOR_ADDRESS', value: 'job-node-0-0.job:29500' },
      ],
      ports: [{ containerPort: 29500 }],
    })
  })

  it('warns of variables that the job or the runtime sets', () => {
    const env = [{ name: 'JAX_PROCESS_ID', value: '0' }]
    const codes = (job: typeof env | undefined, container: object): string[] =>
      validate(
        aTrainJob({ trainer: { ...(job && { env: job }) } }),
        aRuntime({ jax: {} }, { replicatedJobs: [aJob(container)] }),
      ).warnings.map(({ path, code }) => `${path} ${code}`)
    expect(codes(env, {})).toEqual(['spec.trainer.env reserved-env'])
    expect(codes(undefined, { env })).toEqual(['spec.runtimeRef reserved-env'])
    expect(codes(undefined, {})).toEqual([])
  })
})
