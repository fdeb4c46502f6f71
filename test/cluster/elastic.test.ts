import { ClusterTrainingRuntimes, Events, Jobs } from '@trainjob/api'
import type { KubeObject, Resource } from '@trainjob/kube'
import { shippedRuntimes } from '@trainjob/runtime'
import { expect, it } from 'vitest'
import { installDefinition } from '../control-plane/definitions.ts'
import { describeCluster, type TestCluster } from './describe-cluster.ts'
import { eventually } from './eventually.ts'
import { isAlive, pidOf } from './processes.ts'
import { trainJob } from './train-job.ts'

describeCluster('elastic jobs', (cluster) => {
  it('get more and fewer nodes while they run', async () => {
    const { dir } = cluster
    // Kubernetes reads `$$` in a command as `$`
    const own = `${dir}/$JOB_COMPLETION_INDEX`
    const script = `echo $$$$ > "${own}.tmp"; mv "${own}.tmp" "${own}.pid"; exec sleep 300`
    const run = await cluster.trainer.submit(trainJob('wide', { nodes: 2, runtime: 'torch-elastic', script }))
    const first = await pidOf(dir, '0')
    await run.scale(4)
    const fourth = await pidOf(dir, '3')
    expect(await nodesOf(cluster, 'wide')).toBe(4)
    await run.scale(1)
    await eventually(() => !isAlive(fourth))
    expect(await nodesOf(cluster, 'wide')).toBe(1)
    expect(isAlive(first)).toBe(true)
    await expect
      .poll(() => messages(cluster, 'wide', 'Scaled'))
      .toEqual(['Scaled from 2 to 4 nodes', 'Scaled from 4 to 1 nodes'])
    await run.delete()
    await eventually(() => !isAlive(first))
  })

  it('go back to the number that they were submitted with when nobody asks for another', async () => {
    const run = await cluster.trainer.submit(
      trainJob('back', { nodes: 2, runtime: 'torch-elastic', script: 'sleep 300' }),
    )
    await run.scale(3)
    await until(cluster, 'back', 3)
    const body = { metadata: { annotations: { 'trainjob.dev/nodes': null } } }
    await cluster.trainer.patch('back', { type: 'merge', body })
    await until(cluster, 'back', 2)
    await expect
      .poll(() => messages(cluster, 'back', 'Scaled'))
      .toEqual(['Scaled from 2 to 3 nodes', 'Scaled from 3 to 2 nodes'])
    await run.delete()
  })

  it('keep their number of nodes when they are suspended and resumed', async () => {
    const script = 'sleep 300'
    const run = await cluster.trainer.submit(trainJob('kept', { nodes: 2, runtime: 'torch-elastic', script }))
    await run.scale(3)
    await until(cluster, 'kept', 3)
    await run.suspend()
    await eventually(async () => (await run.refresh()).status?.conditions?.some(({ type }) => type === 'Suspended'))
    await run.resume()
    await until(cluster, 'kept', 3)
    await run.delete()
  })

  it('stay within their bounds, and rigid ones as they are', async () => {
    const elastic = await cluster.trainer.submit(
      trainJob('bound', { nodes: 2, runtime: 'torch-elastic', script: 'sleep 300' }),
    )
    const rigid = await cluster.trainer.submit(trainJob('rigid', { nodes: 2, script: 'sleep 300' }))
    await expect(elastic.scale(17)).rejects.toMatchObject({
      code: 'invalid',
      message: 'cannot scale TrainJob default/bound to 17 nodes: its runtime torch-elastic takes 1 to 16',
    })
    await expect(rigid.scale(3)).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringContaining('its runtime plain is not elastic'),
    })
    // by hand, past the checks of the client
    const warnings: string[] = []
    const annotate = (name: string, nodes: string) =>
      cluster.trainer.patch(
        name,
        { type: 'merge', body: { metadata: { annotations: { 'trainjob.dev/nodes': nodes } } } },
        { onWarning: (text) => warnings.push(text) },
      )
    await annotate('bound', '40')
    await annotate('rigid', '3')
    await until(cluster, 'bound', 16)
    await expect
      .poll(() => messages(cluster, 'bound', 'Scaled'))
      .toEqual([expect.stringMatching(/^Scaled from 2 to 16 nodes .*40/)])
    expect(warnings).toEqual([expect.stringContaining('found 40'), expect.stringContaining('plain is none')])
    expect(await nodesOf(cluster, 'rigid')).toBe(2)
    await Promise.all([elastic.delete(), rigid.delete()])
  })

  it('have a gang of their size', async () => {
    await installDefinition(cluster.client, podGroupDefinition)
    const torchElastic = shippedRuntimes().find(({ metadata }) => metadata.name === 'torch-elastic')
    if (torchElastic === undefined) throw new Error('torch-elastic is not shipped')
    await cluster.client.create(ClusterTrainingRuntimes, {
      ...torchElastic,
      metadata: { ...torchElastic.metadata, name: 'elastic-gang' },
      spec: { ...torchElastic.spec, podGroupPolicy: { coscheduling: {} } },
    })
    const run = await cluster.trainer.submit(
      trainJob('gang', { nodes: 2, runtime: 'elastic-gang', script: 'sleep 300' }),
    )
    const minMember = async () => {
      const group = await cluster.client.get(PodGroups, { namespace: 'default', name: 'gang' }).catch(() => undefined)
      return group?.spec?.minMember
    }
    await until(cluster, 'gang', 2)
    expect(await minMember()).toBe(2)
    await run.scale(4)
    await until(cluster, 'gang', 4)
    await eventually(async () => (await minMember()) === 4)
    await run.scale(1)
    await eventually(async () => (await minMember()) === 1)
    await run.delete()
  })
})

const PodGroups: Resource<KubeObject & { spec?: { minMember?: number } }> = {
  group: 'scheduling.x-k8s.io',
  version: 'v1alpha1',
  plural: 'podgroups',
  kind: 'PodGroup',
  namespaced: true,
}

/** As much of the definition of scheduler-plugins as an object needs to be stored. */
const podGroupDefinition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: {
    name: 'podgroups.scheduling.x-k8s.io',
    annotations: { 'api-approved.kubernetes.io': 'https://github.com/kubernetes-sigs/scheduler-plugins/pull/50' },
  },
  spec: {
    group: 'scheduling.x-k8s.io',
    scope: 'Namespaced',
    names: { kind: 'PodGroup', listKind: 'PodGroupList', plural: 'podgroups', singular: 'podgroup' },
    versions: [
      {
        name: 'v1alpha1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: { spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
          },
        },
      },
    ],
  },
}

/** Nodes that the job has now. */
async function nodesOf(cluster: TestCluster, name: string): Promise<number | undefined> {
  const { spec } = await cluster.client.get(Jobs, { namespace: 'default', name: `${name}-node-0` })
  return spec.completions
}

/** Waits until so many pods of the job run. */
async function until(cluster: TestCluster, name: string, nodes: number): Promise<void> {
  await eventually(async () => {
    const { items } = await cluster.client.list(Jobs, { namespace: 'default' })
    const job = items.find(({ metadata }) => metadata.name === `${name}-node-0`)
    return job?.spec.completions === nodes && job.status?.active === nodes
  })
}

async function messages(cluster: TestCluster, name: string, reason: string): Promise<readonly string[]> {
  const { items } = await cluster.client.list(Events, { namespace: 'default' })
  const own = items.filter((event) => event.involvedObject.name === name && event.reason === reason)
  return own.map((event) => event.message ?? '').toSorted()
}
