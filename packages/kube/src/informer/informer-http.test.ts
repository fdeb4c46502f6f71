import type { IncomingMessage, ServerResponse } from 'node:http'
import { afterEach, describe, expect, test } from 'vitest'
import { createClient } from '../create-client.ts'
import { fakeClock } from '../testing/fake-clock.ts'
import { loopbackServer } from '../testing/loopback-server.suite.ts'
import { expired, failure, memoryServer, type Thing, Things } from '../testing/memory-server.suite.ts'
import { httpTransport } from '../transport/http-transport.ts'
import { createInformer } from './informer.ts'

const cleanups: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean()
})

/** Changes the bytes of the next watch, or ends it in its own way. */
type Fault = (response: ServerResponse, event: string) => void

/** The tests' server, behind a real socket. */
async function setUp() {
  const server = memoryServer({ pageSize: 2 })
  const faults: Fault[] = []

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', 'http://x')
    const query = Object.fromEntries(url.searchParams)
    const gone = new AbortController()
    response.on('close', () => gone.abort())
    const result = await server.transport.request({ method: 'GET', path: url.pathname, query, signal: gone.signal })
    response.writeHead(result.status, { 'content-type': 'application/json' })
    if (query.watch !== 'true' || result.status !== 200) {
      response.end(await result.text())
      return
    }
    response.flushHeaders()
    for await (const event of result.events()) {
      const text = `${JSON.stringify(event)}\n`
      const fault = faults.shift()
      if (fault === undefined) response.write(text)
      else fault(response, text)
      if (response.writableEnded || response.destroyed) return
    }
    response.end()
  }

  const http = await loopbackServer((request, response) => {
    answer(request, response).catch(() => response.destroy())
  })
  const clock = fakeClock()
  const client = createClient(httpTransport({ server: http.url }, { clock }))
  const errors: unknown[] = []
  const informer = createInformer<Thing>({
    client,
    resource: Things,
    clock,
    random: () => 0,
    onError: (error) => errors.push(error),
  })
  const stop = new AbortController()
  const run = informer.run(stop.signal)
  cleanups.push(async () => {
    stop.abort()
    await run
    await client.close()
    await http.close()
  })
  await informer.hasSynced()

  const values = () => Object.fromEntries(informer.store.list().map((each) => [each.metadata.name, each.spec?.value]))
  /** Lets half a second of clock time pass at a time, with real time for the sockets, until the cache is right. */
  async function catchUp(): Promise<void> {
    const expected = Object.fromEntries(
      [...server.state().values()].map((each) => [each.metadata.name, each.spec?.value]),
    )
    await expect
      .poll(
        async () => {
          await clock.advance(500)
          return values()
        },
        { timeout: 5_000, interval: 5 },
      )
      .toEqual(expected)
  }
  await expect.poll(() => server.openWatches).toBe(1)
  return { server, http, clock, informer, errors, faults, catchUp }
}

const half = (text: string) => text.slice(0, text.length / 2)

describe('an informer over a real connection survives', () => {
  const faults: [name: string, fault: Fault][] = [
    ['a connection reset between events', (response) => response.socket?.resetAndDestroy()],
    [
      'a connection reset in the middle of an event',
      (response, event) => {
        response.write(half(event))
        setTimeout(() => response.socket?.resetAndDestroy(), 5)
      },
    ],
    [
      'a half-closed connection',
      (response, event) => {
        response.write(half(event))
        response.socket?.end()
      },
    ],
    ['a stream that ends in the middle of an event', (response, event) => response.end(half(event))],
    ['a watch that ends early', (response, event) => response.end(event)],
    [
      'an event that comes byte by byte',
      (response, event) => {
        for (const byte of Buffer.from(event)) response.write(Buffer.of(byte))
      },
    ],
    ['bytes that are not JSON', (response) => response.end('<html>502 Bad Gateway</html>\n')],
  ]
  for (const [name, fault] of faults) {
    test(name, async () => {
      const { server, faults: next, catchUp } = await setUp()
      for (const value of [1, 2, 3]) {
        next.push(fault)
        server.set('ns', 'a', value)
        server.set('ns', `b${value}`, value)
        if (value === 2) server.delete('ns', 'b1')
        await catchUp()
      }
    })
  }

  test('a server that goes away and forgets', async () => {
    const { server, http, catchUp, errors } = await setUp()
    server.set('ns', 'old', 1)
    await catchUp()
    server.failNext(
      failure(503, 'ServiceUnavailable'),
      failure(429, 'TooManyRequests', 1),
      failure(500, 'InternalError'),
    )
    http.cut()
    server.delete('ns', 'old')
    server.set('ns', 'new', 2)
    server.compact()
    await catchUp()
    expect(errors.length).toBeGreaterThanOrEqual(4)
  })

  test('a version refused by HTTP 410', async () => {
    const { server, catchUp } = await setUp()
    server.set('ns', 'a', 1)
    server.endWatches('end')
    server.failNext(expired())
    server.set('ns', 'b', 1)
    await catchUp()
  })

  test('bookmarks, from which it goes on', async () => {
    const { server, informer, catchUp } = await setUp()
    for (let i = 0; i < 3; i++) {
      server.bookmark()
      server.set('ns', 'a', i)
      await catchUp()
    }
    expect(informer.stats.lists).toBe(1)
    expect(informer.stats.failures).toBe(0)
  })
})
