import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { createClient } from '../create-client.ts'
import { ApiError, ConnectionError } from '../error.ts'
import { keyOf, keyText } from '../store/store.ts'
import { fakeClock } from '../testing/fake-clock.ts'
import { expired, failure, memoryServer, type Thing, Things } from '../testing/memory-server.suite.ts'
import { createReflector, type ReflectorSink } from './reflector.ts'

const stops: AbortController[] = []
afterEach(() => {
  for (const stop of stops.splice(0)) stop.abort()
})

function mirror() {
  const objects = new Map<string, Thing>()
  const sink: ReflectorSink<Thing> = {
    replace(all) {
      objects.clear()
      for (const each of all) sink.set(each)
    },
    set: (object) => objects.set(keyText(keyOf(object)), object),
    delete: (object) => objects.delete(keyText(keyOf(object))),
  }
  const values = () => Object.fromEntries([...objects].map(([key, each]) => [key, each.spec?.value]))
  return { sink, values }
}

function setUp(options: { pageSize?: number } = {}) {
  const server = memoryServer(options)
  const clock = fakeClock()
  const errors: unknown[] = []
  const { sink, values } = mirror()
  const reflector = createReflector<Thing>({
    client: createClient(server.transport),
    resource: Things,
    clock,
    sink,
    random: () => 0,
    onError: (error) => errors.push(error),
  })
  const stop = new AbortController()
  stops.push(stop)
  const expected = () => Object.fromEntries([...server.state()].map(([key, each]) => [key, each.spec?.value]))
  return { server, clock, reflector, errors, values, expected, stop }
}

describe('a reflector', () => {
  test('lists in pages, then watches from the version of the list with bookmarks and a time-out', async () => {
    const { server, clock, reflector, values, stop } = setUp({ pageSize: 2 })
    for (const name of ['a', 'b', 'c', 'd', 'e']) server.set('ns', name, 1)
    const run = reflector.run(stop.signal)
    await clock.advance(0)
    expect(Object.keys(values())).toHaveLength(5)
    expect(server.requests.map((request) => request.query)).toEqual([
      { resourceVersion: '0', limit: '500' },
      { limit: '500', continue: '6:2' },
      { limit: '500', continue: '6:4' },
      { watch: 'true', resourceVersion: '6', allowWatchBookmarks: 'true', timeoutSeconds: '240' },
    ])
    stop.abort()
    await run
    expect(server.openWatches).toBe(0)
  })

  test('shows nothing of a list before its last page', async () => {
    const { server, clock, reflector, values, errors, stop } = setUp({ pageSize: 1 })
    server.set('ns', 'a', 1)
    server.set('ns', 'b', 1)
    const run = reflector.run(stop.signal)
    await Promise.resolve()
    server.failNext(new ConnectionError('cut between pages'))
    await clock.advance(0)
    expect(values()).toEqual({})
    await clock.advance(800)
    expect(values()).toEqual({ 'ns/a': 1, 'ns/b': 1 })
    expect(errors).toHaveLength(1)
    stop.abort()
    await run
  })

  test('goes on from the version of a bookmark', async () => {
    const { server, clock, reflector, stop } = setUp()
    void reflector.run(stop.signal)
    await clock.advance(0)
    server.set('ns', 'other-kind', 1)
    server.bookmark()
    await clock.advance(0)
    server.compact()
    server.endWatches('end')
    await clock.advance(1_000)
    expect(server.requests.at(-1)?.query?.resourceVersion).toBe(String(server.version))
    expect(reflector.stats.lists).toBe(1)
  })

  for (const answer of ['HTTP 410', 'an ERROR event'] as const) {
    test(`lists the newest state after ${answer}, without counting it as a failure`, async () => {
      const { server, clock, reflector, errors, values, expected, stop } = setUp()
      server.set('ns', 'gone', 1)
      void reflector.run(stop.signal)
      await clock.advance(0)
      server.endWatches('end')
      await clock.advance(0)
      server.delete('ns', 'gone')
      server.set('ns', 'new', 2)
      server.compact()
      if (answer === 'HTTP 410') server.failNext(expired())
      await clock.advance(10_000)
      expect(values()).toEqual(expected())
      expect(reflector.stats.lists).toBe(2)
      const lists = server.requests.filter((request) => request.query?.watch === undefined)
      expect(lists.map((request) => request.query?.resourceVersion)).toEqual(['0', undefined])
      expect(errors).toEqual([])
    })
  }

  test('does not storm a server that ends each watch at once', async () => {
    const { server, clock, reflector, stop } = setUp()
    void reflector.run(stop.signal)
    await clock.advance(0)
    for (let ms = 0; ms < 120_000; ms += 100) {
      server.endWatches('end')
      await clock.advance(100)
    }
    expect(reflector.stats.watches).toBeLessThan(12)
  })

  test('keeps trying through any outage and tells of each failure', async () => {
    const { server, clock, reflector, values, errors, stop } = setUp()
    server.set('ns', 'a', 1)
    server.failNext(
      new ConnectionError('refused'),
      failure(403, 'Forbidden'),
      failure(500, 'InternalError'),
      new TypeError('a fault of ours'),
    )
    void reflector.run(stop.signal)
    await clock.advance(60_000)
    expect(values()).toEqual({ 'ns/a': 1 })
    expect(errors.map((error) => (error instanceof ApiError ? error.httpCode : String(error)))).toEqual([
      'ConnectionError: refused',
      403,
      500,
      'TypeError: a fault of ours',
    ])
    expect(reflector.stats.failures).toBe(4)
  })

  test('a watch that goes silent is given up half a minute after its time', async () => {
    const { server, clock, reflector, errors, stop } = setUp()
    void reflector.run(stop.signal)
    await clock.advance(269_999)
    expect(reflector.stats.watches).toBe(1)
    await clock.advance(1_000)
    expect(reflector.stats.watches).toBe(2)
    expect(errors.map(String)).toEqual([
      'ConnectionError: the watch of things neither ended nor failed within 270000 ms',
    ])
    expect(server.openWatches).toBe(1)
  })

  test('ends with the sink equal to the server, whatever happens in between', async () => {
    const step = fc.oneof(
      { weight: 6, arbitrary: fc.tuple(fc.constant('set' as const), fc.constantFrom('a', 'b', 'c', 'd'), fc.nat(9)) },
      {
        weight: 3,
        arbitrary: fc.tuple(fc.constant('delete' as const), fc.constantFrom('a', 'b', 'c', 'd'), fc.nat(9)),
      },
      {
        weight: 4,
        arbitrary: fc.tuple(
          fc.constantFrom('compact', 'end', 'reset', 'expire', 'bookmark', 'refuse', 'gone', 'cut', 'time'),
          fc.constant('a'),
          fc.nat(9),
        ),
      },
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), fc.integer({ min: 1, max: 3 }), async (steps, pageSize) => {
        const { server, clock, reflector, values, expected, stop } = setUp({ pageSize })
        const run = reflector.run(stop.signal)
        const act: Record<string, (name: string, number: number) => unknown> = {
          set: (name, value) => server.set('ns', name, value),
          delete: (name) => server.delete('ns', name),
          compact: () => server.compact(),
          end: () => server.endWatches('end'),
          reset: () => server.endWatches('reset'),
          expire: () => server.endWatches('expire'),
          bookmark: () => server.bookmark(),
          refuse: () => server.failNext(failure(503, 'ServiceUnavailable')),
          gone: () => server.failNext(expired()),
          cut: () => server.failNext(new ConnectionError('cut')),
          time: (_, seconds) => clock.advance(seconds * 1000),
        }
        for (const [what, name, number] of steps) {
          await act[what]?.(name, number)
          // let the other side run a little, or not at all
          for (let i = 0; i < number * 3; i++) await Promise.resolve()
        }
        await clock.advance(600_000)
        expect(values()).toEqual(expected())
        stop.abort()
        await run
        expect(server.openWatches).toBe(0)
        expect(clock.pending).toBe(0)
      }),
      { numRuns: 150 },
    )
  })
})
