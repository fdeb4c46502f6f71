import { ConfigMaps, Events, Pods } from '@trainjob/api'
import type { KubeList, KubeObject } from '@trainjob/kube'
import { beforeEach, describe, expect, it } from 'vitest'
import { configMap, type TestServer, testServer } from '../testing/test-server.ts'

const MAPS = '/api/v1/namespaces/default/configmaps'
const JOBS = '/apis/trainer.kubeflow.org/v1alpha1/namespaces/default/trainjobs'

let at: TestServer
beforeEach(async () => {
  at = await testServer()
})

async function list(path: string): Promise<KubeList<KubeObject>> {
  const { status, body } = await at.send('GET', path)
  expect(status).toBe(200)
  return body as KubeList<KubeObject>
}

function names({ items }: KubeList<KubeObject>): (string | undefined)[] {
  return items.map((item) => item.metadata.name)
}

describe('get', () => {
  it('answers with a Status when there is nothing', async () => {
    expect(await at.send('GET', `${MAPS}/nope`)).toMatchObject({
      status: 404,
      body: {
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        message: 'configmaps "nope" not found',
        reason: 'NotFound',
        details: { name: 'nope', kind: 'configmaps' },
        code: 404,
      },
    })
    expect(await at.send('GET', `${JOBS}/nope`)).toMatchObject({
      body: {
        message: 'trainjobs.trainer.kubeflow.org "nope" not found',
        details: { name: 'nope', group: 'trainer.kubeflow.org', kind: 'trainjobs' },
      },
    })
  })

  it('does not answer for a version that is not written yet', async () => {
    await at.client.create(ConfigMaps, configMap('a'))
    const { status, body, headers } = await at.send('GET', `${MAPS}/a?resourceVersion=99999`)
    expect({ status, body, headers }).toMatchObject({
      status: 504,
      headers: { 'retry-after': '1' },
      body: {
        reason: 'Timeout',
        message: 'Timeout: Too large resource version: 99999, current: 2',
        details: { retryAfterSeconds: 1, causes: [{ reason: 'ResourceVersionTooLarge' }] },
      },
    })
  })
})

describe('list', () => {
  beforeEach(async () => {
    for (const [name, labels] of [
      ['a', { app: 'x', tier: 'front' }],
      ['b', { app: 'x' }],
      ['c', { app: 'y' }],
      ['d', {}],
    ] as const) {
      await at.client.create(ConfigMaps, configMap(name, {}, { labels }))
    }
    await at.send('POST', '/api/v1/namespaces', { body: { metadata: { name: 'other' } } })
    await at.send('POST', '/api/v1/namespaces/other/configmaps', { body: { metadata: { name: 'a' } } })
  })

  it.each([
    ['app=x', ['a', 'b']],
    ['app==x,tier=front', ['a']],
    ['app!=x', ['c', 'd']],
    ['app in (x, y),tier', ['a']],
    ['app notin (x)', ['c', 'd']],
    ['!app', ['d']],
    ['app', ['a', 'b', 'c']],
    ['app in (y,z)', ['c']],
    ['', ['a', 'b', 'c', 'd']],
  ])('selects by labels %s', async (selector, expected) => {
    expect(names(await list(`${MAPS}?labelSelector=${encodeURIComponent(selector)}`))).toEqual(expected)
  })

  it.each(['app=x y', 'in (', 'a=b=c', 'app=*', '=x'])('refuses the label selector %s', async (selector) => {
    const answer = await at.send('GET', `${MAPS}?labelSelector=${encodeURIComponent(selector)}`)
    expect(answer).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching(/^unable to parse requirement/) },
    })
  })

  it('selects by fields, and says which it knows', async () => {
    expect(names(await list(`${MAPS}?fieldSelector=metadata.name%3Db`))).toEqual(['b'])
    expect(names(await list(`${MAPS}?fieldSelector=metadata.name!%3Db`))).toEqual(['a', 'c', 'd'])
    await at.client.create(Pods, pod('p', { nodeName: 'n1' }))
    await at.client.create(Pods, pod('q', {}))
    expect(names(await list('/api/v1/pods?fieldSelector=spec.nodeName%3Dn1,status.phase!%3DFailed'))).toEqual(['p'])
    expect(names(await list('/api/v1/pods?fieldSelector=spec.nodeName%3D'))).toEqual(['q'])
    await at.client.create(Events, event('e', 'u1'))
    expect(names(await list('/api/v1/events?fieldSelector=involvedObject.uid%3Du1,type%3DNormal'))).toEqual(['e'])
    expect(await at.send('GET', `${MAPS}?fieldSelector=data.a%3Db`)).toMatchObject({
      status: 400,
      body: { message: '"data.a" is not a known field selector: only "metadata.name", "metadata.namespace"' },
    })
    expect(await at.send('GET', `${JOBS}?fieldSelector=spec.x%3Db`)).toMatchObject({
      status: 400,
      body: { message: 'field label not supported: spec.x' },
    })
  })

  it('shows one namespace or all, and nothing of one that is missing', async () => {
    const everywhere = await list('/api/v1/configmaps')
    expect(everywhere.items.map((item) => `${item.metadata.namespace}/${item.metadata.name}`)).toEqual([
      'default/a',
      'default/b',
      'default/c',
      'default/d',
      'other/a',
    ])
    expect(everywhere).toMatchObject({ kind: 'ConfigMapList', apiVersion: 'v1' })
    expect(names(await list('/api/v1/namespaces/nope/configmaps'))).toEqual([])
    expect((await list(JOBS)).metadata).toEqual({ resourceVersion: String(at.store.version), continue: '' })
  })

  it('pages through one snapshot', async () => {
    const first = await list(`${MAPS}?limit=2`)
    expect(names(first)).toEqual(['a', 'b'])
    expect(first.metadata).toMatchObject({ remainingItemCount: 2, continue: expect.any(String) })
    await at.client.create(ConfigMaps, configMap('bb'))
    await at.client.delete(ConfigMaps, { namespace: 'default', name: 'd' })
    const second = await list(`${MAPS}?limit=2&continue=${first.metadata.continue}`)
    expect(names(second)).toEqual(['c', 'd'])
    expect(second.metadata).toEqual({ resourceVersion: first.metadata.resourceVersion })
  })

  it('fills pages with what is selected', async () => {
    const first = await list(`${MAPS}?limit=1&labelSelector=app%3Dx`)
    expect(names(first)).toEqual(['a'])
    expect(first.metadata.remainingItemCount).toBeUndefined()
    const second = await list(`${MAPS}?limit=1&labelSelector=app%3Dx&continue=${first.metadata.continue}`)
    expect(names(second)).toEqual(['b'])
    expect(second.metadata.continue).toBeUndefined()
  })

  it('offers to go on inconsistently when the snapshot is forgotten', async () => {
    const first = await list(`${MAPS}?limit=2`)
    await at.client.create(ConfigMaps, configMap('bb'))
    at.store.compact(at.store.version)
    const { status, body } = await at.send('GET', `${MAPS}?limit=2&continue=${first.metadata.continue}`)
    expect(status).toBe(410)
    expect(body).toMatchObject({ reason: 'Expired', metadata: { continue: expect.any(String) } })
    const rest = await list(`${MAPS}?continue=${(body as { metadata: { continue: string } }).metadata.continue}`)
    expect(names(rest)).toEqual(['bb', 'c', 'd'])
  })

  it('shows the very state of a version', async () => {
    const then = at.store.version
    await at.client.delete(ConfigMaps, { namespace: 'default', name: 'a' })
    expect(names(await list(`${MAPS}?resourceVersion=${then}&resourceVersionMatch=Exact`))).toEqual([
      'a',
      'b',
      'c',
      'd',
    ])
    expect(names(await list(`${MAPS}?resourceVersion=${then}`))).toEqual(['b', 'c', 'd'])
    expect(names(await list(`${MAPS}?resourceVersion=0&limit=1`))).toEqual(['b', 'c', 'd'])
    at.store.compact(at.store.version)
    expect(await at.send('GET', `${MAPS}?resourceVersion=${then}&resourceVersionMatch=Exact`)).toMatchObject({
      status: 410,
      body: { message: 'The resourceVersion for the provided list is too old.', reason: 'Expired' },
    })
  })

  it.each([
    ['limit=abc', 400, 'strconv.ParseInt: parsing "abc": invalid syntax'],
    ['continue=garbage', 400, /^invalid continue token: continue key is not valid/],
    ['resourceVersionMatch=Exact', 422, /resourceVersionMatch: Forbidden/],
    ['resourceVersion=0&resourceVersionMatch=Exact', 422, /resourceVersionMatch: Forbidden/],
    ['sendInitialEvents=true', 422, /sendInitialEvents is forbidden for list/],
    ['watch=true&sendInitialEvents=true', 422, /requires setting resourceVersionMatch to NotOlderThan/],
    ['watch=true&resourceVersionMatch=NotOlderThan&resourceVersion=1', 422, /forbidden for watch unless/],
  ])('refuses ?%s', async (query, code, message) => {
    const { status, body } = await at.send('GET', `${MAPS}?${query}`)
    expect(status).toBe(code)
    expect((body as { message: string }).message).toMatch(message)
  })
})

function pod(name: string, spec: { nodeName?: string }) {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'default' },
    spec: { containers: [{ name: 'c' }], ...spec },
  }
}

function event(name: string, uid: string) {
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name, namespace: 'default' },
    involvedObject: { uid },
    type: 'Normal' as const,
  }
}
