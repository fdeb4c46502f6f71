import { ConfigMaps } from '@trainjob/api'
import { ApiError, isConflict, type KubeObject } from '@trainjob/kube'
import { array, assert, asyncProperty, constantFrom, oneof, record } from 'fast-check'
import { expect, it } from 'vitest'
import { configMap, type TestServer, testServer } from './testing/test-server.ts'

type Data = KubeObject & { data?: Record<string, string> }
interface Step {
  readonly op: 'create' | 'update' | 'patch' | 'apply' | 'delete' | 'watch' | 'list' | 'turn'
  readonly name: string
}

const steps = array(
  record({
    op: oneof(
      { weight: 5, arbitrary: constantFrom<Step['op']>('create', 'update', 'patch', 'apply', 'delete') },
      { weight: 1, arbitrary: constantFrom<Step['op']>('watch', 'list', 'turn') },
    ),
    name: constantFrom('a', 'b', 'c'),
  }),
  { maxLength: 40 },
)

/** A client that follows a watch and checks what it is told. */
function follow(at: TestServer, objects: Map<string, Data>, version: string) {
  const abort = new AbortController()
  let last = Number(version)
  const done = (async () => {
    const options = { namespace: 'default', resourceVersion: version, signal: abort.signal }
    for await (const { type, object } of at.client.watch(ConfigMaps, options)) {
      const { name = '', resourceVersion } = object.metadata as { name?: string; resourceVersion: string }
      expect(Number(resourceVersion)).toBeGreaterThan(last)
      last = Number(resourceVersion)
      expect(type).toBe(objects.has(name) ? (type === 'DELETED' ? 'DELETED' : 'MODIFIED') : 'ADDED')
      if (type === 'DELETED') objects.delete(name)
      else objects.set(name, object as Data)
    }
  })().catch((error: unknown) => {
    if (!abort.signal.aborted) throw error
  })
  return { objects, done, stop: () => abort.abort() }
}

/**
 * Every client does its writes one after the other, while those of the others go on. A read-modify-write adds to a
 * counter: no addition that was acknowledged may get lost.
 */
it('stays consistent under clients that write and watch at the same time', async () => {
  await assert(
    asyncProperty(array(steps, { minLength: 1, maxLength: 3 }), async (clients) => {
      const at = await testServer()
      const followers: ReturnType<typeof follow>[] = []
      const acknowledged = new Map<string, number>()
      const followNow = async () => {
        const { items, metadata } = await at.client.list(ConfigMaps, { namespace: 'default' })
        const objects = new Map(items.map((item): [string, Data] => [item.metadata.name ?? '', item]))
        followers.push(follow(at, objects, metadata.resourceVersion ?? ''))
      }
      await followNow()
      await Promise.all(clients.map((own, index) => write(at, own, `client-${index}`, acknowledged, followNow)))
      await new Promise((done) => setImmediate(done))
      const { items } = await at.client.list(ConfigMaps, { namespace: 'default' })
      for (const follower of followers) {
        follower.stop()
        await follower.done
        expect([...follower.objects.values()].sort(byName)).toEqual(items)
      }
      for (const item of items as Data[]) {
        expect(Number(item.data?.count ?? 0)).toBe(acknowledged.get(item.metadata.uid ?? '') ?? 0)
      }
    }),
    { numRuns: 60 },
  )
})

async function write(
  at: TestServer,
  own: readonly Step[],
  manager: string,
  acknowledged: Map<string, number>,
  followNow: () => Promise<void>,
): Promise<void> {
  for (const { op, name } of own) {
    const key = { namespace: 'default', name }
    try {
      if (op === 'create') await at.client.create(ConfigMaps, configMap(name))
      else if (op === 'delete') await at.client.delete(ConfigMaps, key)
      else if (op === 'list') await at.client.list(ConfigMaps)
      else if (op === 'watch') await followNow()
      else if (op === 'turn') await new Promise((done) => setImmediate(done))
      else if (op === 'patch') {
        await at.client.patch(ConfigMaps, key, { type: 'merge', body: { data: { [manager]: name } } })
      } else if (op === 'apply') {
        const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { [`${manager}-own`]: name } }
        await at.client.patch(ConfigMaps, key, { type: 'apply', body }, { fieldManager: manager })
      } else await count(at, key, acknowledged)
    } catch (error) {
      // others came first: that is what is tested
      if (!(error instanceof ApiError) || ![404, 409].includes(error.httpCode)) throw error
    }
  }
}

async function count(at: TestServer, key: { namespace: string; name: string }, acknowledged: Map<string, number>) {
  const now: Data = await at.client.get(ConfigMaps, key)
  await Promise.resolve()
  const next = { ...now, data: { ...now.data, count: String(Number(now.data?.count ?? 0) + 1) } }
  try {
    const stored = await at.client.update(ConfigMaps, next)
    const uid = stored.metadata.uid ?? ''
    acknowledged.set(uid, (acknowledged.get(uid) ?? 0) + 1)
  } catch (error) {
    if (!isConflict(error)) throw error
  }
}

function byName(a: KubeObject, b: KubeObject): number {
  return (a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1
}
