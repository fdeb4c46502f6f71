import type { ConfigMap } from '@trainjob/api'
import { type Change, createStore, type Informer } from '@trainjob/kube'
import { fakeClock } from '@trainjob/kube/testing'
import { describe, expect, it } from 'vitest'
import { trackOwnWrites } from './own-writes.ts'

function object(uid: string, resourceVersion: string, name = uid): ConfigMap {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, uid, resourceVersion } }
}

/** A cache that shows what it is told to. */
function cache() {
  const store = createStore<ConfigMap>()
  const handlers: ((change: Change<ConfigMap>) => void)[] = []
  const informer = {
    store,
    on(handler: (change: Change<ConfigMap>) => void) {
      handlers.push(handler)
      return () => {}
    },
  } as unknown as Informer<ConfigMap>
  const remove = (gone: ConfigMap) => {
    store.delete({ name: gone.metadata.name ?? '' })
    for (const handler of handlers) handler({ type: 'deleted', object: gone })
  }
  return { informer, store, remove }
}

describe('own writes', () => {
  const clock = fakeClock()

  it('a created object must show up', () => {
    const { informer, store } = cache()
    const writes = trackOwnWrites(clock)
    writes.created('job', informer, object('a', '9'))
    expect(writes.behindMs('job')).toBeGreaterThan(0)
    expect(writes.behindMs('other')).toBe(0)
    store.set(object('a', '9'))
    expect(writes.behindMs('job')).toBe(0)
  })

  it.each([
    ['older', '9', '10', true],
    ['the same', '10', '10', false],
    ['newer', '11', '10', false],
  ])('an updated object that is %s in the cache', (_, cached, written, behind) => {
    const { informer, store } = cache()
    const writes = trackOwnWrites(clock)
    store.set(object('a', cached))
    writes.updated('job', informer, object('a', written))
    expect(writes.behindMs('job') > 0).toBe(behind)
  })

  it('a deleted object must go, and one of its name is another one', () => {
    const { informer, store } = cache()
    const writes = trackOwnWrites(clock)
    store.set(object('a', '1', 'name'))
    writes.deleted('job', informer, object('a', '1', 'name'))
    expect(writes.behindMs('job')).toBeGreaterThan(0)
    store.set(object('b', '2', 'name'))
    expect(writes.behindMs('job')).toBe(0)
  })

  it('an object that came and went is not waited for', () => {
    const { informer, remove } = cache()
    const writes = trackOwnWrites(clock)
    writes.created('job', informer, object('a', '9'))
    remove(object('a', '10'))
    expect(writes.behindMs('job')).toBe(0)
  })

  it('it does not wait for ever, nor for what is forgotten', async () => {
    const { informer } = cache()
    const writes = trackOwnWrites(clock)
    writes.created('job', informer, object('a', '9'))
    writes.created('gone', informer, object('b', '9'))
    writes.forget('gone')
    expect(writes.behindMs('gone')).toBe(0)
    await clock.advance(writes.behindMs('job'))
    expect(writes.behindMs('job')).toBe(0)
  })
})
