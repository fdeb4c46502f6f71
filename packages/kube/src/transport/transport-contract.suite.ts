import type { RequestListener } from 'node:http'
import { describe, expect, test } from 'vitest'
import type { Client } from '../client.ts'
import type { Clock } from '../clock.ts'
import { ApiError, ConnectionError } from '../error.ts'
import { lines } from '../lines.ts'
import { fakeClock } from '../testing/fake-clock.ts'
import { bodyOf, cutSocket, type LoopbackServer } from '../testing/loopback-server.suite.ts'
import { failure, type Thing, Things } from '../testing/memory-server.suite.ts'

const KEY = { namespace: 'ns', name: 'one' }
const thing = (name = 'one'): Thing => ({
  apiVersion: 'example.test/v1',
  kind: 'Thing',
  metadata: { namespace: 'ns', name },
})

const json: (body: unknown, status?: number, headers?: Record<string, string>) => RequestListener =
  (body, status = 200, headers = {}) =>
  (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
  }

/** Starts a server and a client of it; both are closed after the test. */
export type Open = (
  listener: RequestListener,
  clock?: Clock,
) => Promise<{ readonly server: LoopbackServer; readonly client: Client }>

/**
 * What every transport over a network must do.
 *
 * @param gone what is said when nobody listens
 */
export function describeTransport(open: Open, gone: RegExp): void {
  describe('requests', () => {
    test('share kept-alive connections, at most 16 at a time', async () => {
      let most = 0
      let now = 0
      const all = Promise.withResolvers<void>()
      const { server, client } = await open(async (_, response) => {
        most = Math.max(most, ++now)
        if (now === 16) all.resolve()
        await all.promise
        setTimeout(() => {
          now--
          response.end(JSON.stringify(thing()))
        }, 2)
      })
      await Promise.all(Array.from({ length: 100 }, () => client.get(Things, KEY)))
      expect(most).toBe(16)
      expect(server.connections).toBe(16)
    })

    test('are not held up by open streams', async () => {
      const { client } = await open((request, response) => {
        if (request.url?.includes('watch=true')) response.writeHead(200).flushHeaders()
        else response.end(JSON.stringify(thing()))
      })
      const stop = new AbortController()
      const watches = Array.from({ length: 40 }, async () => {
        for await (const _ of client.watch(Things, { signal: stop.signal })) expect.unreachable()
      })
      await client.get(Things, KEY)
      stop.abort()
      const ends = await Promise.allSettled(watches)
      expect(ends.every((end) => end.status === 'rejected' && end.reason.code === 'aborted')).toBe(true)
    })

    test('carry query, headers and body', async () => {
      const seen: { method: string | undefined; url: string | undefined; type: string | undefined; body: string }[] = []
      const { client } = await open(async (request, response) => {
        seen.push({
          method: request.method,
          url: request.url,
          type: request.headers['content-type'],
          body: await bodyOf(request),
        })
        response.end(JSON.stringify(thing('häßlich')))
      })
      const patch = { type: 'apply', body: thing('häßlich'), force: true } as const
      const answer = await client.patch(Things, KEY, patch, { fieldManager: 'me & you' })
      expect(answer).toEqual(thing('häßlich'))
      expect(seen).toEqual([
        {
          method: 'PATCH',
          url: '/apis/example.test/v1/namespaces/ns/things/one?force=true&fieldManager=me+%26+you',
          type: 'application/apply-patch+yaml',
          body: JSON.stringify(thing('häßlich')),
        },
      ])
    })

    test('a cut kept-alive connection costs a read nothing', async () => {
      let requests = 0
      const { client } = await open((request, response) => {
        if (++requests === 2) cutSocket(request.socket)
        else response.end(JSON.stringify(thing()))
      })
      await client.get(Things, KEY)
      await client.get(Things, KEY)
      expect(requests).toBe(3)
    })

    test('a cut connection fails a write, which may have been done', async () => {
      let requests = 0
      const { client } = await open((request) => {
        requests++
        cutSocket(request.socket)
      })
      await expect(client.create(Things, thing())).rejects.toThrow(ConnectionError)
      expect(requests).toBe(1)
    })

    test('an answer that breaks off half-way is a connection error', async () => {
      const { client } = await open((_, response) => {
        response.writeHead(200, { 'content-length': '100' }).write('{"kind":')
        setTimeout(() => response.socket?.destroy(), 5)
      })
      await expect(client.get(Things, KEY)).rejects.toMatchObject({ code: 'connection' })
    })

    test('nothing listening says so', async () => {
      const { server, client } = await open(json({}))
      await server.close()
      await expect(client.get(Things, KEY)).rejects.toThrow(gone)
    })

    test('an answer that is not JSON shows its beginning', async () => {
      const { client } = await open((_, response) => response.end('<html>Please log in</html>'))
      await expect(client.get(Things, KEY)).rejects.toThrow(/expected JSON from .*found "<html>Please log in/)
    })

    test('an aborted call ends at once, whatever the server does', async () => {
      const { client } = await open(() => {})
      const stop = new AbortController()
      const call = client.get(Things, KEY, { signal: stop.signal })
      setTimeout(() => stop.abort(new Error('enough')), 5)
      await expect(call).rejects.toMatchObject({ code: 'aborted', cause: new Error('enough') })
    })

    test('close ends what is open', async () => {
      const { client } = await open((_, response) => response.writeHead(200).flushHeaders())
      const watch = client.watch(Things)[Symbol.asyncIterator]()
      const next = watch.next()
      setTimeout(() => void client.close(), 20)
      await expect(next).rejects.toMatchObject({ code: 'connection' })
    })
  })

  describe('a refusal', () => {
    const cases: { name: string; listener: RequestListener; expected: object }[] = [
      {
        name: 'with a Status body keeps it',
        listener: json(failure(409, 'AlreadyExists'), 409),
        expected: { httpCode: 409, reason: 'AlreadyExists', message: 'AlreadyExists of the test' },
      },
      {
        name: 'in plain text',
        listener: (_, response) => response.writeHead(404).end('404 page not found\n'),
        expected: { httpCode: 404, reason: 'NotFound', message: '404 page not found' },
      },
      {
        name: 'without a body',
        listener: (_, response) => response.writeHead(502).end(),
        expected: { httpCode: 502, message: 'the server answered 502 without a message' },
      },
      {
        name: 'in JSON of another kind',
        listener: json({ error: 'nope' }, 403),
        expected: { httpCode: 403, reason: 'Forbidden', message: '{"error":"nope"}' },
      },
      {
        name: 'that names its time in a header only',
        listener: json(failure(429, 'TooManyRequests'), 429, { 'retry-after': '3600' }),
        expected: { httpCode: 429, status: { details: { retryAfterSeconds: 3600 } } },
      },
    ]
    for (const { name, listener, expected } of cases) {
      test(name, async () => {
        const { client } = await open(listener)
        const error = await client.get(Things, KEY).catch((thrown) => thrown)
        expect(error).toBeInstanceOf(ApiError)
        expect(error).toMatchObject(expected)
      })
    }
  })

  describe('an overloaded server', () => {
    async function overloaded(times: number) {
      const clock = fakeClock()
      const at: number[] = []
      const { client } = await open((_, response) => {
        at.push(clock.now())
        if (at.length <= times) response.writeHead(429, { 'retry-after': '2' }).end('busy')
        else response.end(JSON.stringify(thing()))
      }, clock)
      return { client, clock, at }
    }
    async function passTime(clock: ReturnType<typeof fakeClock>, until: Promise<unknown>) {
      let over = false
      void until.then(
        () => (over = true),
        () => (over = true),
      )
      while (!over) await clock.next(10_000)
    }

    test('is asked again after the time it names', async () => {
      const { client, clock, at } = await overloaded(2)
      const call = client.get(Things, KEY)
      await passTime(clock, call)
      await expect(call).resolves.toEqual(thing())
      expect(at.map((time) => time - (at[0] ?? 0))).toEqual([0, 2000, 4000])
    })

    test('is believed after five refusals', async () => {
      const { client, clock, at } = await overloaded(100)
      const call = client.get(Things, KEY)
      await passTime(clock, call)
      await expect(call).rejects.toMatchObject({ httpCode: 429 })
      expect(at).toHaveLength(5)
    })

    test('is not asked again for what is not idempotent', async () => {
      const { client, at } = await overloaded(100)
      await expect(client.create(Things, thing())).rejects.toMatchObject({ httpCode: 429, message: 'busy' })
      await expect(
        client.patch(Things, KEY, { type: 'json', ops: [{ op: 'add', path: '/spec/list/-', value: 1 }] }),
      ).rejects.toMatchObject({ httpCode: 429 })
      expect(at).toHaveLength(2)
    })
  })

  describe('streams', () => {
    test('a watch gives events however the bytes are cut', async () => {
      const events = [
        { type: 'ADDED', object: { ...thing('ä€😀'), metadata: { name: 'ä€😀', resourceVersion: '1' } } },
        { type: 'BOOKMARK', object: { metadata: { resourceVersion: '2' } } },
      ]
      const bytes = Buffer.from(`${events.map((event) => JSON.stringify(event)).join('\n')}\n`)
      const { client } = await open(async (_, response) => {
        for (const byte of bytes) {
          response.write(Buffer.of(byte))
          if (byte % 16 === 0) await new Promise((resolve) => setImmediate(resolve))
        }
        response.end()
      })
      const seen: unknown[] = []
      for await (const event of client.watch(Things)) seen.push(event)
      expect(seen).toEqual(events)
    })

    test('a watch that breaks off in the middle of an event rejects', async () => {
      const { client } = await open((_, response) => response.end('{"type":"ADDED","obj'))
      const watch = client.watch(Things)[Symbol.asyncIterator]()
      await expect(watch.next()).rejects.toThrow(ConnectionError)
    })

    test('an ERROR event rejects as the error it tells', async () => {
      const { client } = await open((_, response) =>
        response.end(`${JSON.stringify({ type: 'ERROR', object: failure(410, 'Expired') })}\n`),
      )
      const watch = client.watch(Things)[Symbol.asyncIterator]()
      await expect(watch.next()).rejects.toMatchObject({ httpCode: 410, reason: 'Expired' })
    })

    test('leaving a watch closes its connection', async () => {
      const { server, client } = await open((_, response) => {
        response.write(`${JSON.stringify({ type: 'ADDED', object: thing() })}\n`)
      })
      const closed = expect.poll(() => server.open)
      for await (const _ of client.watch(Things)) break
      await closed.toBe(0)
    })

    test('logs come as bytes and as lines; none while the pod waits for a node', async () => {
      const urls: (string | undefined)[] = []
      const { client } = await open((request, response) => {
        urls.push(request.url)
        if (request.url?.includes('waiting')) response.writeHead(204).end()
        else response.end('first\nsecond')
      })
      const seen: string[] = []
      const options = { container: 'node', follow: true, tailLines: 0, timestamps: false }
      for await (const line of lines(client.logs({ namespace: 'ns', name: 'p' }, options))) seen.push(line)
      for await (const _ of client.logs({ namespace: 'ns', name: 'waiting' })) expect.unreachable()
      expect(seen).toEqual(['first', 'second'])
      expect(urls).toEqual([
        '/api/v1/namespaces/ns/pods/p/log?container=node&follow=true&tailLines=0',
        '/api/v1/namespaces/ns/pods/waiting/log',
      ])
    })
  })
}
