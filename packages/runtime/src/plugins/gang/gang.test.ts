import type { ReplicatedJob } from '@trainjob/api'
import { describe, expect, it } from 'vitest'
import { newInfo } from '../../new-info.ts'
import { aJob, aRuntime, aTrainJob } from '../../testing/objects.ts'
import { validate } from '../../validate.ts'
import { gangOf, gangSize } from './gang.ts'

function job(name: string, ancestor = '', dependsOn: string[] = []): ReplicatedJob {
  return {
    ...aJob({}, { name, ancestor }),
    ...(dependsOn.length > 0 && { dependsOn: dependsOn.map((one) => ({ name: one, status: 'Complete' as const })) }),
  }
}

describe('a gang', () => {
  it.each<[string, ReplicatedJob[], string[]]>([
    ['everything that starts at once', [job('a'), job('node', 'trainer')], ['a', 'node']],
    [
      'what trains, not what it waits for',
      [job('data', 'dataset-initializer'), job('node', 'trainer', ['data'])],
      ['node'],
    ],
    ['workers, not the launcher that waits for them', [job('node'), job('launcher', 'trainer', ['node'])], ['node']],
    [
      'neither an initializer nor the launcher',
      [job('data', 'dataset-initializer'), job('node', '', ['data']), job('launcher', 'trainer', ['node'])],
      ['node'],
    ],
    ['initializers when there is nothing else', [job('data', 'dataset-initializer')], ['data']],
  ])('is %s', (_, replicatedJobs, expected) => {
    const names = (compat?: 'upstream'): string[] =>
      gangOf(newInfo(aTrainJob(), aRuntime(undefined, { replicatedJobs }), compat ? { compat } : {})).map(
        ({ name }) => name,
      )
    expect(names()).toEqual(expected)
    expect(names('upstream')).toEqual(replicatedJobs.map(({ name }) => name))
  })

  it('is the first job of those that start in order', () => {
    const template = { startupPolicy: { startupPolicyOrder: 'InOrder' as const }, replicatedJobs: [job('a'), job('b')] }
    expect(gangOf(newInfo(aTrainJob(), aRuntime(undefined, template), {})).map(({ name }) => name)).toEqual(['a'])
  })

  it('that waits for what comes later is warned of', () => {
    const runtime = aRuntime(undefined, {
      replicatedJobs: [job('data', 'dataset-initializer'), job('node', 'trainer', ['data'])],
    })
    for (const policy of ['coscheduling', 'volcano']) {
      runtime.spec.podGroupPolicy = { [policy]: {} }
      expect(validate(aTrainJob(), runtime).warnings).toMatchObject([{ code: 'gang-never-complete' }])
    }
    runtime.spec.template = aRuntime().spec.template ?? {}
    expect(validate(aTrainJob(), runtime).warnings).toEqual([])
  })

  it('needs what all its pods ask for', () => {
    const node = aJob({ resources: { requests: { cpu: '500m', memory: '1Gi' }, limits: { 'nvidia.com/gpu': 1 } } })
    const { podSets } = newInfo(aTrainJob(), aRuntime({ numNodes: 3 }, { replicatedJobs: [node] }), {})
    expect(gangSize(podSets)).toEqual({ minMember: 3, minResources: { cpu: '1500m', memory: '3Gi' } })
  })
})
