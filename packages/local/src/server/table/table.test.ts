import type { KubeObject } from '@trainjob/kube'
import { beforeEach, describe, expect, it } from 'vitest'
import { configMap, type TestServer, testServer } from '../testing/test-server.ts'
import type { Table } from './table.ts'

const TABLE =
  'application/json;as=Table;v=v1;g=meta.k8s.io,application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json'
const MAPS = '/api/v1/namespaces/default/configmaps'
const JOBS = '/apis/trainer.kubeflow.org/v1alpha1/namespaces/default/trainjobs'

let at: TestServer
beforeEach(async () => {
  at = await testServer()
})

async function table(path: string): Promise<Table> {
  const { status, body } = await at.send('GET', path, { headers: { accept: TABLE } })
  expect(status).toBe(200)
  return body as Table
}

/** Stores an object as it is, status included. */
function put(collection: string, object: object): void {
  const { metadata } = object as KubeObject
  const name = metadata.name ?? ''
  at.store.create(
    collection,
    metadata.namespace === undefined ? name : `${metadata.namespace}/${name}`,
    object as KubeObject,
  )
}

function meta(name: string, more: object = {}) {
  return { name, namespace: 'default', creationTimestamp: '2026-12-01T09:29:00Z', ...more }
}

describe('a table', () => {
  it('shows the columns of a custom kind', async () => {
    put('trainjobs.trainer.kubeflow.org', {
      apiVersion: 'trainer.kubeflow.org/v1alpha1',
      kind: 'TrainJob',
      metadata: meta('a'),
      status: { conditions: [{ type: 'Suspended' }, { type: 'Complete' }] },
    })
    put('trainjobs.trainer.kubeflow.org', { kind: 'TrainJob', metadata: meta('b') })
    const { columnDefinitions, rows, metadata } = await table(JOBS)
    expect(columnDefinitions?.map(({ name }) => name)).toEqual(['Name', 'State', 'Age'])
    expect(columnDefinitions?.[0]).toMatchObject({ type: 'string', format: 'name', priority: 0 })
    expect(rows.map(({ cells }) => cells)).toEqual([
      ['a', 'Complete', '60s'],
      ['b', null, '60s'],
    ])
    expect(rows[0]?.object).toMatchObject({ kind: 'PartialObjectMetadata', metadata: { name: 'a' } })
    expect(rows[0]?.object).not.toHaveProperty('status')
    expect(metadata).toMatchObject({ resourceVersion: expect.any(String) })
  })

  it('carries the whole object, or none, when asked to', async () => {
    await at.send('POST', MAPS, { body: configMap('a', { x: '1' }) })
    expect((await table(`${MAPS}/a?includeObject=Object`)).rows[0]?.object).toMatchObject({ data: { x: '1' } })
    expect((await table(`${MAPS}/a?includeObject=None`)).rows[0]?.object).toBeNull()
    expect(await at.send('GET', `${MAPS}?includeObject=x`, { headers: { accept: TABLE } })).toMatchObject({
      status: 400,
    })
  })

  it('says the columns of a watch once', async () => {
    await at.send('POST', MAPS, { body: configMap('a') })
    await at.send('POST', MAPS, { body: configMap('b') })
    const response = await at.server.transport.request({
      method: 'GET',
      path: MAPS,
      query: { watch: 'true' },
      headers: { accept: TABLE },
    })
    const seen: { columnDefinitions: unknown; rows: readonly { cells: unknown }[] }[] = []
    for await (const event of response.events()) {
      seen.push((event as { object: (typeof seen)[number] }).object)
      if (seen.length === 2) break
    }
    expect(seen[0]?.columnDefinitions).toHaveLength(3)
    expect(seen[1]).toMatchObject({ columnDefinitions: null, rows: [{ cells: ['b', 0, '0s'] }] })
  })

  it('is not made for clients that do not ask for it, nor of failures', async () => {
    expect((await at.send('GET', MAPS)).body).toMatchObject({ kind: 'ConfigMapList' })
    expect((await at.send('GET', `${MAPS}/x`, { headers: { accept: TABLE } })).body).toMatchObject({ kind: 'Status' })
    const accept = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1'
    await at.send('POST', MAPS, { body: configMap('a') })
    expect((await at.send('GET', MAPS, { headers: { accept } })).body).toMatchObject({
      kind: 'PartialObjectMetadataList',
      items: [{ kind: 'PartialObjectMetadata', metadata: { name: 'a' } }],
    })
  })

  it.each([
    ['waits for a node', {}, { phase: 'Pending' }, ['0/1', 'Pending', '0']],
    [
      'runs',
      {},
      { phase: 'Running', containerStatuses: [{ name: 'c', ready: true, restartCount: 0, state: { running: {} } }] },
      ['1/1', 'Running', '0'],
    ],
    [
      'restarted',
      {},
      {
        phase: 'Running',
        containerStatuses: [
          {
            name: 'c',
            ready: false,
            restartCount: 2,
            state: { waiting: { reason: 'CrashLoopBackOff' } },
            lastState: { terminated: { exitCode: 1, finishedAt: '2026-12-01T09:29:30Z' } },
          },
        ],
      },
      ['0/1', 'CrashLoopBackOff', '2 (30s ago)'],
    ],
    [
      'failed without a reason',
      {},
      { phase: 'Failed', containerStatuses: [{ name: 'c', restartCount: 0, state: { terminated: { exitCode: 3 } } }] },
      ['0/1', 'ExitCode:3', '0'],
    ],
    [
      'initializes',
      {},
      { phase: 'Pending', initContainerStatuses: [{ name: 'i', restartCount: 0, state: { running: {} } }] },
      ['0/1', 'Init:0/1', '0'],
    ],
    ['is deleted', { deletionTimestamp: '2026-12-01T09:30:00Z' }, { phase: 'Running' }, ['0/1', 'Terminating', '0']],
  ])('shows a pod that %s', async (_, metadata, status, cells) => {
    put('pods', {
      kind: 'Pod',
      metadata: meta('p', metadata),
      spec: { containers: [{ name: 'c' }], initContainers: [{ name: 'i' }] },
      status,
    })
    const { rows } = await table('/api/v1/namespaces/default/pods')
    expect(rows[0]?.cells).toEqual(['p', ...cells, '60s', '<none>', '<none>', '<none>', '<none>'])
  })

  it.each([
    ['Running', { completions: 2 }, { succeeded: 1, startTime: '2026-12-01T09:29:50Z' }, 'Running', '1/2', '10s'],
    [
      'Complete',
      { completions: 1 },
      {
        succeeded: 1,
        startTime: '2026-12-01T09:29:50Z',
        completionTime: '2026-12-01T09:29:53Z',
        conditions: [{ type: 'Complete', status: 'True' }],
      },
      'Complete',
      '1/1',
      '3s',
    ],
    ['parallel', { parallelism: 3 }, {}, 'Running', '0/1 of 3', ''],
  ])('shows a job that is %s', async (_, spec, status, ...cells) => {
    const template = { spec: { containers: [{ name: 'c', image: 'i' }] } }
    const selector = { matchLabels: { a: 'b' } }
    put('jobs.batch', { kind: 'Job', metadata: meta('j'), spec: { ...spec, template, selector }, status })
    const { rows } = await table('/apis/batch/v1/namespaces/default/jobs')
    expect(rows[0]?.cells).toEqual(['j', ...cells, '60s', 'c', 'i', 'a=b'])
  })

  it('shows every kind, whatever its objects hold', async () => {
    for (const [path, collection] of [
      ['/api/v1/nodes', 'nodes'],
      ['/api/v1/namespaces/default/events', 'events'],
      ['/api/v1/namespaces/default/services', 'services'],
      ['/api/v1/namespaces/default/secrets', 'secrets'],
      ['/api/v1/namespaces/default/persistentvolumeclaims', 'persistentvolumeclaims'],
      ['/apis/coordination.k8s.io/v1/namespaces/default/leases', 'leases.coordination.k8s.io'],
      ['/apis/jobset.x-k8s.io/v1alpha2/namespaces/default/jobsets', 'jobsets.jobset.x-k8s.io'],
    ] as const) {
      const { namespace, ...rest } = meta('x')
      put(collection, { kind: 'X', metadata: collection === 'nodes' ? rest : { ...rest, namespace }, spec: null })
      const { rows, columnDefinitions } = await table(path)
      expect(rows[0]?.cells, path).toHaveLength(columnDefinitions?.length ?? 0)
      expect(rows[0]?.cells, path).toContain('x')
    }
  })
})
