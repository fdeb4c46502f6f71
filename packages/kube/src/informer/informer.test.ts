import { afterEach, describe, expect, test } from 'vitest'
import { createClient } from '../create-client.ts'
import { fakeClock } from '../testing/fake-clock.ts'
import { memoryServer, type Thing, Things } from '../testing/memory-server.suite.ts'
import { type Change, createInformer } from './informer.ts'

const stops: AbortController[] = []
afterEach(() => {
  for (const stop of stops.splice(0)) stop.abort()
})

function setUp(options: { pageSize?: number } = {}) {
  const server = memoryServer(options)
  const clock = fakeClock()
  const errors: unknown[] = []
  const informer = createInformer<Thing>({
    client: createClient(server.transport),
    resource: Things,
    clock,
    random: () => 0,
    indexers: { value: (thing) => [String(thing.spec?.value)] },
    onError: (error) => errors.push(error),
  })
  const changes: Change<Thing>[] = []
  informer.on((change) => changes.push(change))
  const stop = new AbortController()
  stops.push(stop)
  return { server, clock, informer, changes, stop, errors }
}

const told = (changes: Change<Thing>[]) =>
  changes.splice(0).map((change) => `${change.type} ${change.object.metadata.name} ${change.object.spec?.value}`)

describe('an informer', () => {
  test('tells what is there, then what changes', async () => {
    const { server, clock, informer, changes, stop } = setUp()
    server.set('a', 'one', 1)
    const done = informer.run(stop.signal)
    await informer.hasSynced()
    expect(changes).toMatchObject([{ type: 'added', initial: true }])
    expect(told(changes)).toEqual(['added one 1'])
    await clock.advance(0)
    server.set('a', 'one', 2)
    server.set('a', 'two', 2)
    server.delete('a', 'one')
    await clock.advance(0)
    expect(told(changes)).toEqual(['updated one 2', 'added two 2', 'deleted one 2'])
    expect(informer.store.byIndex('value', '2').map((thing) => thing.metadata.name)).toEqual(['two'])
    stop.abort()
    await done
    expect(server.openWatches).toBe(0)
  })

  test('finds objects that were deleted and replaced while the connection was down', async () => {
    const { server, clock, informer, changes, stop } = setUp()
    server.set('a', 'gone', 1)
    server.set('a', 'replaced', 1)
    server.set('a', 'same', 1)
    void informer.run(stop.signal)
    await clock.advance(0)
    told(changes)
    server.endWatches('reset')
    await clock.advance(0)
    server.delete('a', 'gone')
    server.delete('a', 'replaced')
    server.set('a', 'replaced', 2)
    server.compact()
    await clock.advance(60_000)
    expect(told(changes)).toEqual(['deleted replaced 1', 'added replaced 2', 'deleted gone 1'])
  })

  test('leaves managedFields out of the cache and does not touch what the server handed out', async () => {
    const { server, informer, stop } = setUp()
    server.set('a', 'one', 1)
    void informer.run(stop.signal)
    await informer.hasSynced()
    expect(informer.store.get({ namespace: 'a', name: 'one' })?.metadata.managedFields).toBeUndefined()
    expect(server.state().get('a/one')?.metadata.managedFields).toHaveLength(1)
  })

  test('shares one watch among its runners and stops with the last', async () => {
    const { server, clock, informer, stop } = setUp()
    const other = new AbortController()
    const first = informer.run(stop.signal)
    const second = informer.run(other.signal)
    await clock.advance(0)
    expect(server.openWatches).toBe(1)
    stop.abort()
    await first
    expect(server.openWatches).toBe(1)
    other.abort()
    await second
    expect(server.openWatches).toBe(0)
  })

  test('can be run again after it stopped, and catches up', async () => {
    const { server, clock, informer, changes, stop } = setUp()
    server.set('a', 'one', 1)
    const done = informer.run(stop.signal)
    await clock.advance(0)
    stop.abort()
    await done
    server.delete('a', 'one')
    server.set('a', 'two', 2)
    told(changes)
    const again = new AbortController()
    stops.push(again)
    void informer.run(again.signal)
    await clock.advance(0)
    expect(told(changes).sort()).toEqual(['added two 2', 'deleted one 1'])
  })

  test('gives a late handler what is there', async () => {
    const { server, informer, stop } = setUp()
    server.set('a', 'one', 1)
    void informer.run(stop.signal)
    await informer.hasSynced()
    const late: Change<Thing>[] = []
    const end = informer.on((change) => late.push(change))
    expect(told(late)).toEqual(['added one 1'])
    end()
  })

  test('a handler that throws is reported and costs the others nothing', async () => {
    const { server, clock, informer, changes, stop, errors } = setUp()
    informer.on(() => {
      throw new Error('broken handler')
    })
    const after: Change<Thing>[] = []
    informer.on((change) => after.push(change))
    server.set('a', 'one', 1)
    void informer.run(stop.signal)
    await clock.advance(0)
    server.set('a', 'one', 2)
    await clock.advance(0)
    expect(told(changes)).toEqual(told(after))
    expect(errors.map(String)).toEqual(['Error: broken handler', 'Error: broken handler'])
  })

  test('hasSynced rejects when the informer stops before', async () => {
    const { server, informer, stop } = setUp()
    server.failNext(new Error('never'))
    const done = informer.run(stop.signal)
    const synced = informer.hasSynced()
    stop.abort()
    await expect(synced).rejects.toMatchObject({ code: 'aborted' })
    await done
  })

  test('an event reaches the handler within a few microtasks', async () => {
    const { server, clock, informer, changes, stop } = setUp()
    void informer.run(stop.signal)
    await clock.advance(0)
    server.set('a', 'one', 1)
    let microtasks = 0
    while (changes.length === 0 && microtasks < 50) {
      await Promise.resolve()
      microtasks++
    }
    expect(told(changes)).toEqual(['added one 1'])
    expect(microtasks).toBeLessThan(20)
  })
})
