import { FRAMEWORK_LABEL, type MLPolicy, type ReplicatedJob } from '@trainjob/api'
import { describe, expect, it } from 'vitest'
import { render } from '../../render.ts'
import { aJob, aRuntime, aTrainJob, containerOf } from '../../testing/objects.ts'

function configs(
  mlPolicy: MLPolicy,
  replicatedJobs: ReplicatedJob[],
  containers: readonly (readonly [string, number])[],
) {
  const plain = aRuntime(mlPolicy, { replicatedJobs })
  const runtime = { ...plain, metadata: { ...plain.metadata, labels: { [FRAMEWORK_LABEL]: 'tensorflow' } } }
  const { objects } = render(aTrainJob({ trainer: { numNodes: 2 } }), runtime)
  return containers.map(([name, job]) => {
    const env = containerOf(objects, name, job).env ?? []
    const index = env.findIndex((variable) => variable.name === 'TF_TASK_INDEX')
    const config = env.findIndex((variable) => variable.name === 'TF_CONFIG')
    // a reference works only to what stands before it
    expect(index).toBeLessThan(config)
    return JSON.parse(env[config]?.value?.replace('$(TF_TASK_INDEX)', '1') ?? 'null')
  })
}

describe('TF_CONFIG', () => {
  it('names every worker, and each one its own place', () => {
    expect(configs({ numNodes: 1 }, [aJob()], [['node', 0]])).toEqual([
      { cluster: { worker: ['job-node-0-0.job:2222', 'job-node-0-1.job:2222'] }, task: { type: 'worker', index: 1 } },
    ])
  })

  it('takes the types of tasks from the names of jobs', () => {
    const [chief, ps] = configs(
      { numNodes: 1 },
      [aJob({}, { name: 'chief' }), aJob({}, { name: 'ps' })],
      [
        ['node', 0],
        ['node', 1],
      ],
    )
    expect(Object.keys(chief.cluster)).toEqual(['chief', 'ps'])
    expect([chief.task.type, ps.task.type]).toEqual(['chief', 'ps'])
  })

  it('is for runtimes with the label only', () => {
    expect(containerOf(render(aTrainJob(), aRuntime()).objects).env).toBeUndefined()
  })
})
