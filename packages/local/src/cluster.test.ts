import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ClusterTrainingRuntimes, Namespaces, Nodes, Pods, type TrainJob, TrainJobs } from '@trainjob/api'
import { createClient, httpTransport, type ObjectMeta } from '@trainjob/kube'
import { shippedRuntimes } from '@trainjob/runtime'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startCluster } from './cluster.ts'
import type { LocalCluster } from './local-cluster.ts'

let dir: string
let clusters: LocalCluster[]
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'tj-'))
  clusters = []
})
afterEach(async () => {
  for (const cluster of clusters) await cluster.stop()
  await rm(dir, { recursive: true, force: true })
})

async function start(options: Partial<Parameters<typeof startCluster>[0]> = {}): Promise<LocalCluster> {
  const cluster = await startCluster({ dir: join(dir, 'run'), ...options })
  clusters.push(cluster)
  return cluster
}

function job(command: string, numNodes: number = 1): TrainJob {
  return {
    apiVersion: 'trainer.kubeflow.org/v1alpha1',
    kind: 'TrainJob',
    metadata: { name: 'j', namespace: 'default' },
    spec: { runtimeRef: { name: 'plain' }, trainer: { command: ['sh', '-c', command], numNodes } },
  }
}

async function ended(cluster: LocalCluster): Promise<string> {
  for await (const { type, object } of cluster.client.watch(TrainJobs, { namespace: 'default' })) {
    if (type === 'BOOKMARK') continue
    const last = object.status?.conditions?.find(({ type: what }) => what === 'Complete' || what === 'Failed')
    if (last !== undefined) return last.type
  }
  throw new Error('the watch ended first')
}

function fieldsOf({ managedFields }: ObjectMeta): unknown {
  return (managedFields as { time?: string }[] | undefined)?.map(({ time: _, ...rest }) => rest)
}

describe('an embedded cluster', { timeout: 30_000 }, () => {
  it('starts with namespaces, the shipped runtimes and this machine as its node', async () => {
    const { client } = await start()
    const names = async (resource: Parameters<typeof client.list>[0]) =>
      (await client.list(resource)).items.map((item) => item.metadata.name)
    expect(await names(Namespaces)).toEqual(['default', 'kube-system', 'kubeflow-system'])
    expect(await names(ClusterTrainingRuntimes)).toEqual(
      shippedRuntimes()
        .map(({ metadata }) => metadata.name)
        .sort(),
    )
    expect(await names(Nodes)).toEqual(['local'])
  })

  it('holds the shipped runtimes as they would be had somebody created them', async () => {
    const { client } = await start()
    for (const runtime of shippedRuntimes()) {
      const { metadata, ...stored } = await client.get(ClusterTrainingRuntimes, { name: runtime.metadata.name ?? '' })
      const again = { ...runtime, metadata: { ...runtime.metadata, name: 'again' } }
      const created = await client.create(ClusterTrainingRuntimes, again, { dryRun: true, fieldValidation: 'Strict' })
      expect({ ...created, metadata: created.metadata.labels }).toEqual({ ...stored, metadata: metadata.labels })
      expect(fieldsOf(metadata)).toEqual(fieldsOf(created.metadata))
    }
  })

  it('runs a job on several nodes to its end, and keeps what they printed', async () => {
    const cluster = await start()
    const notes: string[] = []
    cluster.onNote((note) => notes.push(note))
    await cluster.client.create(TrainJobs, job('echo "node $JOB_COMPLETION_INDEX"', 2))
    expect(await ended(cluster)).toBe('Complete')
    const printed: string[] = []
    for (const pod of (await cluster.client.list(Pods, { namespace: 'default' })).items) {
      let text = ''
      const key = { namespace: 'default', name: pod.metadata.name ?? '' }
      for await (const chunk of cluster.client.logs(key, { follow: true })) text += new TextDecoder().decode(chunk)
      printed.push(text)
    }
    expect(printed.sort()).toEqual(['node 0\n', 'node 1\n'])
    expect(notes).toEqual([...new Set(notes)])
    expect(notes.join('\n')).toMatch(/images are not pulled/)
    const later: string[] = []
    cluster.onNote((note) => later.push(note))
    expect(later).toEqual(notes)
  })

  it('serves the same objects over TLS', async () => {
    const cluster = await start()
    const listening = await cluster.listen()
    const { url, caCert: ca, token } = listening
    const client = createClient(httpTransport({ server: url, ca, token }))
    try {
      await client.create(TrainJobs, job('exit 0'))
      expect(await ended(cluster)).toBe('Complete')
      expect(await client.get(TrainJobs, { namespace: 'default', name: 'j' })).toEqual(
        await cluster.client.get(TrainJobs, { namespace: 'default', name: 'j' }),
      )
    } finally {
      await client.close()
    }
  })

  it('takes its processes along when it stops, also in the middle of a job', async () => {
    const cluster = await start()
    const listening = await cluster.listen()
    await cluster.client.create(TrainJobs, job(`echo $$$$ > ${join(dir, 'pid')}; echo up; sleep 600`))
    for await (const { type, object } of cluster.client.watch(Pods, { namespace: 'default' })) {
      if (type !== 'BOOKMARK' && object.status?.phase === 'Running') break
    }
    const [pod] = (await cluster.client.list(Pods, { namespace: 'default' })).items
    const key = { namespace: 'default', name: pod?.metadata.name ?? '' }
    for await (const _ of cluster.client.logs(key, { follow: true })) break
    const pid = Number(await readFile(join(dir, 'pid'), 'utf8'))
    expect(process.kill(pid, 0)).toBe(true)
    await Promise.all([cluster.stop(), cluster.stop()])
    expect(() => process.kill(pid, 0)).toThrow()
    await expect(fetch(`${listening.url}/readyz`)).rejects.toThrow()
  })

  it('empties a namespace before it lets it go', async () => {
    const cluster = await start()
    await cluster.client.create(Namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'mine' } })
    const { metadata, ...rest } = job('sleep 600')
    await cluster.client.create(TrainJobs, { ...rest, metadata: { ...metadata, namespace: 'mine' } })
    for await (const { type, object } of cluster.client.watch(Pods, { namespace: 'mine' })) {
      if (type !== 'BOOKMARK' && object.status?.phase === 'Running') break
    }
    await cluster.client.delete(Namespaces, { name: 'mine' })
    for await (const { type, object } of cluster.client.watch(Namespaces, { fieldSelector: 'metadata.name=mine' })) {
      if (type === 'DELETED') break
      expect(object).toMatchObject({ status: { phase: 'Terminating' } })
    }
    expect((await cluster.client.list(Pods)).items).toEqual([])
    expect((await cluster.client.list(TrainJobs)).items).toEqual([])
  })

  it('says what is wrong when it cannot start', async () => {
    await writeFile(join(dir, 'file'), '')
    await expect(start({ dir: join(dir, 'file') })).rejects.toMatchObject({ code: 'start-failed' })
    const broken = { apiVersion: 'trainer.kubeflow.org/v1alpha1', kind: 'ClusterTrainingRuntime', metadata: {} }
    await expect(start({ runtimes: [broken] })).rejects.toMatchObject({
      code: 'start-failed',
      message: expect.stringContaining('name or generateName is required'),
    })
    await expect(start({ signal: AbortSignal.abort(new Error('no more')) })).rejects.toThrow('no more')
  })
})
