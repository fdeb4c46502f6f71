import type { KubeObject } from '@trainjob/kube'
import { array, assert, asyncProperty, constantFrom, type IAsyncPropertyWithHooks, oneof, record } from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Store, StoreEvent } from './store.ts'
import { isStoreError } from './store-error.ts'

/** What every store does, run against each of them; `open` makes an empty one, `runs` is how many histories are tried. */
export function describeStore(name: string, open: () => Promise<Store>, runs: number = 100): void {
  describe(name, () => {
    let store: Store
    beforeEach(async () => {
      store = await open()
    })
    afterEach(() => store.close())

    it('stamps each write with the next version', () => {
      const created = store.create('pods', 'default/a', pod('a'))
      expect(created.metadata.resourceVersion).toBe(String(store.version))
      const updated = store.update('pods', 'default/a', pod('a', 'x'), versionOf(created))
      expect(Number(updated.metadata.resourceVersion)).toBe(Number(created.metadata.resourceVersion) + 1)
      expect(store.get('pods', 'default/a')).toBe(updated)
      const last = store.delete('pods', 'default/a', updated, versionOf(updated))
      expect(Number(last.metadata.resourceVersion)).toBe(store.version)
      expect(store.get('pods', 'default/a')).toBeUndefined()
    })

    it('refuses what its state does not allow, and changes nothing then', () => {
      const created = store.create('pods', 'default/a', pod('a'))
      const before = store.version
      expect(reasonOf(() => store.create('pods', 'default/a', pod('a')))).toBe('exists')
      expect(reasonOf(() => store.update('pods', 'default/b', pod('b'), '1'))).toBe('missing')
      expect(reasonOf(() => store.delete('pods', 'default/b', pod('b'), '1'))).toBe('missing')
      expect(reasonOf(() => store.update('pods', 'default/a', pod('a', 'x'), '0'))).toBe('conflict')
      expect(reasonOf(() => store.delete('pods', 'default/a', pod('a'), '0'))).toBe('conflict')
      expect(store.version).toBe(before)
      expect(store.get('pods', 'default/a')).toBe(created)
    })

    it('keeps collections apart', () => {
      store.create('pods', 'default/a', pod('a'))
      expect(store.get('jobs.batch', 'default/a')).toBeUndefined()
      expect(store.list('jobs.batch').items).toEqual([])
    })

    it('lists in key order, by prefix and in pages', () => {
      for (const key of ['b/2', 'a/10', 'a/2', 'a/1', 'b/1', 'ab/1']) store.create('pods', key, pod(key))
      expect(names(store.list('pods').items)).toEqual(['a/1', 'a/10', 'a/2', 'ab/1', 'b/1', 'b/2'])
      expect(names(store.list('pods', { prefix: 'a/' }).items)).toEqual(['a/1', 'a/10', 'a/2'])
      const first = store.list('pods', { prefix: 'a/', limit: 2 })
      expect(names(first.items)).toEqual(['a/1', 'a/10'])
      expect(first).toMatchObject({ next: 'a/10', remaining: 1 })
      const second = store.list('pods', { prefix: 'a/', limit: 2, after: 'a/10' })
      expect(names(second.items)).toEqual(['a/2'])
      expect(second.next).toBeUndefined()
      expect(store.list('pods', { prefix: 'b/', limit: 2 }).next).toBeUndefined()
    })

    it('lists the state of an earlier version until that is compacted', () => {
      const a = store.create('pods', 'd/a', pod('a'))
      store.create('pods', 'd/b', pod('b'))
      const then = store.version
      const a2 = store.update('pods', 'd/a', pod('a', 'later'), versionOf(a))
      store.create('pods', 'd/c', pod('c'))
      store.delete('pods', 'd/a', a2, versionOf(a2))
      const snapshot = store.list('pods', { version: then })
      expect(names(snapshot.items)).toEqual(['a', 'b'])
      expect(snapshot.items[0]).toBe(a)
      expect(snapshot.version).toBe(then)
      store.compact(store.version)
      expect(reasonOf(() => store.list('pods', { version: then }))).toBe('expired')
      expect(names(store.list('pods').items)).toEqual(['b', 'c'])
    })

    it('replays the past to a watch, then follows, until it is told to stop', () => {
      const a = store.create('pods', 'd/a', pod('a'))
      const since = store.version
      const a2 = store.update('pods', 'd/a', pod('a', 'x'), versionOf(a))
      store.create('jobs.batch', 'd/j', pod('j'))
      const seen: StoreEvent[] = []
      const stop = store.watch('pods', since, (event) => seen.push(event))
      expect(seen).toEqual([{ type: 'updated', key: 'd/a', version: Number(versionOf(a2)), object: a2, previous: a }])
      const last = store.delete('pods', 'd/a', a2, versionOf(a2))
      expect(seen.at(-1)).toEqual({
        type: 'deleted',
        key: 'd/a',
        version: store.version,
        object: last,
        previous: a2,
      })
      stop()
      store.create('pods', 'd/b', pod('b'))
      expect(seen).toHaveLength(2)
    })

    it('says that a watch starts too far in the past', () => {
      store.create('pods', 'd/a', pod('a'))
      const since = store.version
      store.create('pods', 'd/b', pod('b'))
      store.compact(since)
      expect(() => store.watch('pods', since, () => {})()).not.toThrow()
      store.compact(store.version)
      expect(reasonOf(() => store.watch('pods', since, () => {}))).toBe('expired')
    })

    it('gives every watcher a history that ends in what a list shows', async () => {
      await assert(
        histories(async (steps) => {
          const one = await open()
          try {
            play(one, steps)
          } finally {
            await one.close()
          }
        }),
        { numRuns: runs },
      )
    }, 30_000)
  })
}

/** Carries the steps out and compares watchers and snapshots with lists. */
function play(store: Store, steps: readonly Step[]): void {
  const mirrors: Map<string, KubeObject>[] = [mirror(store)]
  const snapshots = [store.list('pods')]
  for (const { op, key } of steps) {
    const now = store.get('pods', key)
    if (op === 'watch') mirrors.push(mirror(store))
    else if (op === 'snapshot') snapshots.push(store.list('pods'))
    else if (op === 'write') {
      if (now === undefined) store.create('pods', key, pod(key))
      else store.update('pods', key, pod(key), versionOf(now))
    } else if (now !== undefined) store.delete('pods', key, now, versionOf(now))
  }
  const { items } = store.list('pods')
  for (const objects of mirrors) expect([...objects.values()].sort(byName)).toEqual(items)
  for (const { version, items: then } of snapshots) expect(store.list('pods', { version }).items).toEqual(then)
}

/** What a watcher makes of a list and the changes behind it. */
function mirror(store: Store): Map<string, KubeObject> {
  const { items, version } = store.list('pods')
  const objects = new Map(items.map((item): [string, KubeObject] => [item.metadata.name ?? '', item]))
  let last = version
  store.watch('pods', version, (event) => {
    expect(event.version).toBeGreaterThan(last)
    last = event.version
    expect(objects.get(event.key)).toBe(event.previous)
    if (event.type === 'deleted') objects.delete(event.key)
    else objects.set(event.key, event.object)
  })
  return objects
}

type Step = { op: 'write' | 'delete' | 'watch' | 'snapshot'; key: string }

function histories(check: (steps: Step[]) => Promise<void>): IAsyncPropertyWithHooks<[Step[]]> {
  const op = oneof(
    { weight: 6, arbitrary: constantFrom('write' as const) },
    { weight: 3, arbitrary: constantFrom('delete' as const) },
    { weight: 1, arbitrary: constantFrom('watch' as const, 'snapshot' as const) },
  )
  return asyncProperty(array(record({ op, key: constantFrom('a', 'b', 'c', 'd', 'e') }), { maxLength: 60 }), check)
}

function pod(name: string, label?: string): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, ...(label === undefined ? {} : { labels: { label } }) },
  }
}

function versionOf(object: KubeObject): string {
  return object.metadata.resourceVersion ?? ''
}

function names(objects: readonly KubeObject[]): (string | undefined)[] {
  return objects.map((object) => object.metadata.name)
}

function byName(a: KubeObject, b: KubeObject): number {
  return (a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1
}

function reasonOf(action: () => unknown): string {
  try {
    action()
  } catch (error) {
    for (const reason of ['exists', 'missing', 'conflict', 'expired'] as const) {
      if (isStoreError(error, reason)) return reason
    }
    throw error
  }
  return 'nothing thrown'
}
