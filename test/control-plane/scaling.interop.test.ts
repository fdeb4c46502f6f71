import { ClusterTrainingRuntimes, JobSets, Jobs, TrainJobs } from '@trainjob/api'
import { customResourceDefinitions } from '@trainjob/api/crd'
import { createTrainJobController } from '@trainjob/controller'
import { systemClock } from '@trainjob/kube'
import { shippedRuntimes } from '@trainjob/runtime'
import { TrainerClient } from '@trainjob/sdk'
import { describe, expect, it, onTestFinished } from 'vitest'
import { trainJob } from '../cluster/train-job.ts'
import { type BuiltControlPlane, buildControlPlane } from './build.ts'
import { installDefinition } from './definitions.ts'
import { startControlPlane } from './start.ts'

const built = await buildControlPlane()
if ('missing' in built) process.stderr.write(`NOT RUN: scaling on a real control plane. ${built.missing}\n`)

describe.skipIf('missing' in built)('elastic jobs on a real control plane', () => {
  it.each([
    ['as JobSet is by default: its Job is scaled', {}, 2],
    ['with the gate ElasticJobSet: the JobSet is scaled, and its Job follows', { ElasticJobSet: true }, 5],
  ])(
    '%s',
    async (_, gates, inJobSet) => {
      const plane = await startControlPlane(built as BuiltControlPlane, 'all', gates)
      onTestFinished(() => plane.stop())
      for (const definition of customResourceDefinitions({ dialect: true }))
        await installDefinition(plane.client, definition)
      const runtime = shippedRuntimes().find(({ metadata }) => metadata.name === 'torch-elastic')
      if (runtime === undefined) throw new Error('torch-elastic is not shipped')
      await plane.client.create(ClusterTrainingRuntimes, runtime)
      const stop = new AbortController()
      const stopped = createTrainJobController({ client: plane.client, clock: systemClock }).start(stop.signal)
      onTestFinished(async () => {
        stop.abort()
        await stopped
      })

      const trainer = TrainerClient.over(plane.client)
      const job = trainJob('wide', { nodes: 2, runtime: 'torch-elastic', script: 'train' })
      await plane.client.create(TrainJobs, { ...job, metadata: { name: 'wide', namespace: 'default' } })
      const counts = async () => {
        const key = { namespace: 'default', name: 'wide' }
        const jobSet = await plane.client.get(JobSets, key)
        const { spec, status } = await plane.client.get(Jobs, { ...key, name: 'wide-node-0' })
        const inTemplate = jobSet.spec.replicatedJobs?.[0]?.template.spec?.completions
        return { inTemplate, completions: spec.completions, active: status?.active }
      }
      await expect.poll(counts, { timeout: 60_000 }).toEqual({ inTemplate: 2, completions: 2, active: 2 })
      await trainer.scale('wide', 5)
      await expect.poll(counts, { timeout: 60_000 }).toEqual({ inTemplate: inJobSet, completions: 5, active: 5 })
      await trainer.scale('wide', 1)
      const least = inJobSet === 2 ? 2 : 1
      await expect.poll(counts, { timeout: 60_000 }).toEqual({ inTemplate: least, completions: 1, active: 1 })
    },
    240_000,
  )
})
