import { ConfigMaps } from '@trainjob/api'
import type { KubeObject } from '@trainjob/kube'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { configMap, type TestServer, testServer } from '../testing/test-server.ts'

const MAPS = '/api/v1/namespaces/default/configmaps'

interface Seen {
  readonly type: string
  readonly object: KubeObject
}

let at: TestServer
let abort: AbortController
beforeEach(async () => {
  at = await testServer()
  abort = new AbortController()
})
afterEach(() => abort.abort())

/** Collects the events of a watch as they come. */
async function watch(query: string, path: string = MAPS) {
  const response = await at.server.transport.request({
    method: 'GET',
    path,
    query: { watch: 'true', ...Object.fromEntries(new URLSearchParams(query)) },
    signal: abort.signal,
    stream: true,
  })
  expect(response.status).toBe(200)
  const seen: Seen[] = []
  const ended = (async () => {
    for await (const event of response.events()) seen.push(event as Seen)
  })()
  return { seen, ended, short: () => seen.map(({ type, object }) => `${type} ${object.metadata.name}`) }
}

const settle = () => new Promise((done) => setImmediate(done))

describe('watch', () => {
  it('shows what is there, then what happens', async () => {
    const a = await at.client.create(ConfigMaps, configMap('a'))
    const { seen, short } = await watch('')
    await at.client.create(ConfigMaps, configMap('b'))
    await at.client.patch(ConfigMaps, keyOf('a'), { type: 'merge', body: { data: { k: 'v' } } })
    await at.client.delete(ConfigMaps, keyOf('a'))
    await settle()
    expect(short()).toEqual(['ADDED a', 'ADDED b', 'MODIFIED a', 'DELETED a'])
    expect(seen[0]?.object).toBe(a)
    expect(seen[3]?.object.metadata.resourceVersion).toBe(String(at.store.version))
    expect(seen[3]?.object).toMatchObject({ kind: 'ConfigMap', apiVersion: 'v1', data: { k: 'v' } })
  })

  it('goes on behind a version', async () => {
    await at.client.create(ConfigMaps, configMap('a'))
    const since = at.store.version
    await at.client.create(ConfigMaps, configMap('b'))
    const { short } = await watch(`resourceVersion=${since}`)
    await settle()
    expect(short()).toEqual(['ADDED b'])
  })

  it('shows objects that enter or leave a selection as new or gone', async () => {
    await at.client.create(ConfigMaps, configMap('a', { k: 'first' }))
    const { seen, short } = await watch('labelSelector=app%3Dx')
    const label = (app: string | null) =>
      at.client.patch(ConfigMaps, keyOf('a'), {
        type: 'merge',
        body: { metadata: { labels: { app } }, data: { k: `${app}` } },
      })
    await label('x')
    await at.client.patch(ConfigMaps, keyOf('a'), { type: 'merge', body: { data: { more: '1' } } })
    await label('y')
    await label('z')
    await label('x')
    await at.client.delete(ConfigMaps, keyOf('a'))
    await settle()
    expect(short()).toEqual(['ADDED a', 'MODIFIED a', 'DELETED a', 'ADDED a', 'DELETED a'])
    expect(seen[2]?.object).toMatchObject({ data: { k: 'x' }, metadata: { labels: { app: 'x' } } })
    expect(Number(seen[2]?.object.metadata.resourceVersion)).toBe(Number(seen[1]?.object.metadata.resourceVersion) + 1)
  })

  it('sees its own namespace only', async () => {
    await at.send('POST', '/api/v1/namespaces', { body: { metadata: { name: 'default2' } } })
    const one = await watch('')
    const all = await watch('', '/api/v1/configmaps')
    const old = await watch('', '/api/v1/watch/namespaces/default2/configmaps')
    await at.send('POST', '/api/v1/namespaces/default2/configmaps', { body: { metadata: { name: 'a' } } })
    await settle()
    expect(one.seen).toEqual([])
    expect(all.short()).toEqual(['ADDED a'])
    expect(old.short()).toEqual(['ADDED a'])
  })

  it('says in the stream that it starts too far in the past', async () => {
    await at.client.create(ConfigMaps, configMap('a'))
    at.store.compact(at.store.version)
    const { seen, ended } = await watch('resourceVersion=1')
    await ended
    expect(seen).toEqual([
      {
        type: 'ERROR',
        object: {
          kind: 'Status',
          apiVersion: 'v1',
          metadata: {},
          status: 'Failure',
          message: 'too old resource version: 1 (2)',
          reason: 'Expired',
          code: 410,
        },
      },
    ])
  })

  it('marks the end of the initial events', async () => {
    await at.client.create(ConfigMaps, configMap('a'))
    const { seen } = await watch('sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true')
    await settle()
    expect(seen).toEqual([
      { type: 'ADDED', object: expect.anything() },
      {
        type: 'BOOKMARK',
        object: {
          kind: 'ConfigMap',
          apiVersion: 'v1',
          metadata: { resourceVersion: '2', annotations: { 'k8s.io/initial-events-end': 'true' } },
        },
      },
    ])
    const without = await watch('sendInitialEvents=true&resourceVersionMatch=NotOlderThan')
    await settle()
    expect(without.short()).toEqual(['ADDED a'])
  })

  it('sends bookmarks to who wants them, and ends at its timeout', async () => {
    const { seen, ended } = await watch('resourceVersion=1&allowWatchBookmarks=true&timeoutSeconds=100')
    await at.send('POST', '/api/v1/namespaces', { body: { metadata: { name: 'other' } } })
    await at.clock.advance(61_000)
    expect(seen).toEqual([
      { type: 'BOOKMARK', object: { kind: 'ConfigMap', apiVersion: 'v1', metadata: { resourceVersion: '2' } } },
    ])
    await at.clock.advance(40_000)
    await ended
    expect(at.clock).toMatchObject({ pending: 0 })
  })

  it('lets go of everything when its reader leaves', async () => {
    const left = await watch('')
    const aborted = await watch('allowWatchBookmarks=true')
    abort.abort()
    await Promise.all([left.ended, aborted.ended])
    expect(at.clock).toMatchObject({ pending: 0 })
    for await (const event of at.client.watch(ConfigMaps, { resourceVersion: '0', allowWatchBookmarks: true })) {
      expect(event.type).toBe('BOOKMARK')
      break
    }
    expect(at.clock).toMatchObject({ pending: 0 })
  })

  it('hands an event over within the write that made it', async () => {
    const { short } = await watch('resourceVersion=1')
    const created = at.client.create(ConfigMaps, configMap('a'))
    await created
    await Promise.resolve()
    await Promise.resolve()
    expect(short()).toEqual(['ADDED a'])
  })
})

function keyOf(name: string) {
  return { namespace: 'default', name }
}
