import type { RequestListener } from 'node:http'
import { connect as connectTcp } from 'node:net'
import { generate } from 'selfsigned'
import { afterEach, describe, expect, test } from 'vitest'
import type { Client } from '../client.ts'
import { createClient } from '../create-client.ts'
import { ApiError, ConnectionError } from '../error.ts'
import { lines } from '../lines.ts'
import { fakeClock } from '../testing/fake-clock.ts'
import { bodyOf, type LoopbackServer, loopbackServer } from '../testing/loopback-server.suite.ts'
import { failure, type Thing, Things } from '../testing/memory-server.suite.ts'
import type { ClusterConfig } from './cluster-config.ts'
import { httpTransport } from './http-transport.ts'

const cleanups: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean()
})

const KEY = { namespace: 'ns', name: 'one' }
const thing = (name = 'one'): Thing => ({
  apiVersion: 'example.test/v1',
  kind: 'Thing',
  metadata: { namespace: 'ns', name },
})

async function serve(listener: RequestListener, tls?: Parameters<typeof loopbackServer>[1]): Promise<LoopbackServer> {
  const server = await loopbackServer(listener, tls)
  cleanups.push(() => server.close())
  return server
}

function connect(config: ClusterConfig, clock = fakeClock()): Client {
  const client = createClient(httpTransport(config, { clock }))
  cleanups.push(() => client.close())
  return client
}

const json: (body: unknown, status?: number, headers?: Record<string, string>) => RequestListener =
  (body, status = 200, headers = {}) =>
  (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
  }

describe('requests', () => {
  test('share kept-alive connections, at most 16 at a time', async () => {
    let most = 0
    let now = 0
    const server = await serve((_, response) => {
      most = Math.max(most, ++now)
      setTimeout(() => {
        now--
        response.end(JSON.stringify(thing()))
      }, 2)
    })
    const client = connect({ server: server.url })
    await Promise.all(Array.from({ length: 100 }, () => client.get(Things, KEY)))
    expect(most).toBe(16)
    expect(server.connections).toBe(16)
  })

  test('are not held up by open streams', async () => {
    const server = await serve((request, response) => {
      if (request.url?.includes('watch=true')) response.writeHead(200).flushHeaders()
      else response.end(JSON.stringify(thing()))
    })
    const client = connect({ server: server.url })
    const stop = new AbortController()
    const watches = Array.from({ length: 40 }, async () => {
      for await (const _ of client.watch(Things, { signal: stop.signal })) expect.unreachable()
    })
    await client.get(Things, KEY)
    stop.abort()
    const ends = await Promise.allSettled(watches)
    expect(ends.every((end) => end.status === 'rejected' && end.reason.code === 'aborted')).toBe(true)
  })

  test('carry path prefix, query, headers and body', async () => {
    const seen: { method: string | undefined; url: string | undefined; type: string | undefined; body: string }[] = []
    const server = await serve(async (request, response) => {
      seen.push({
        method: request.method,
        url: request.url,
        type: request.headers['content-type'],
        body: await bodyOf(request),
      })
      response.end(JSON.stringify(thing()))
    })
    const client = connect({ server: `${server.url}/k8s/clusters/c-1/` })
    await client.patch(Things, KEY, { type: 'apply', body: thing(), force: true }, { fieldManager: 'me & you' })
    expect(seen).toEqual([
      {
        method: 'PATCH',
        url: '/k8s/clusters/c-1/apis/example.test/v1/namespaces/ns/things/one?force=true&fieldManager=me+%26+you',
        type: 'application/apply-patch+yaml',
        body: JSON.stringify(thing()),
      },
    ])
  })

  test('a cut kept-alive connection costs a read nothing', async () => {
    let requests = 0
    const server = await serve((request, response) => {
      if (++requests === 2) request.socket.resetAndDestroy()
      else response.end(JSON.stringify(thing()))
    })
    const client = connect({ server: server.url })
    await client.get(Things, KEY)
    await client.get(Things, KEY)
    expect(requests).toBe(3)
  })

  test('a cut connection fails a write, which may have been done', async () => {
    let requests = 0
    const server = await serve((request) => {
      requests++
      request.socket.resetAndDestroy()
    })
    const client = connect({ server: server.url })
    await expect(client.create(Things, thing())).rejects.toThrow(ConnectionError)
    expect(requests).toBe(1)
  })

  test('an answer that breaks off half-way is a connection error', async () => {
    const server = await serve((_, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('{"kind":')
      setTimeout(() => response.socket?.destroy(), 5)
    })
    await expect(connect({ server: server.url }).get(Things, KEY)).rejects.toMatchObject({ code: 'connection' })
  })

  test('nothing listening says so', async () => {
    const server = await serve(json({}))
    await server.close()
    await expect(connect({ server: server.url }).get(Things, KEY)).rejects.toThrow(
      /nothing listens there.*ECONNREFUSED/,
    )
  })

  test('an answer that is not JSON shows its beginning', async () => {
    const server = await serve((_, response) => response.end('<html>Please log in</html>'))
    await expect(connect({ server: server.url }).get(Things, KEY)).rejects.toThrow(
      /expected JSON from http:.*found "<html>Please log in/,
    )
  })

  test('an aborted call ends at once, whatever the server does', async () => {
    const server = await serve(() => {})
    const stop = new AbortController()
    const call = connect({ server: server.url }).get(Things, KEY, { signal: stop.signal })
    setTimeout(() => stop.abort(new Error('enough')), 5)
    await expect(call).rejects.toMatchObject({ code: 'aborted', cause: new Error('enough') })
  })

  test('close ends what is open', async () => {
    const server = await serve((_, response) => response.writeHead(200).flushHeaders())
    const client = connect({ server: server.url })
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
      const server = await serve(listener)
      const error = await connect({ server: server.url })
        .get(Things, KEY)
        .catch((thrown) => thrown)
      expect(error).toBeInstanceOf(ApiError)
      expect(error).toMatchObject(expected)
    })
  }
})

describe('an overloaded server', () => {
  async function overloaded(times: number) {
    const clock = fakeClock()
    const at: number[] = []
    const server = await serve((_, response) => {
      at.push(clock.now())
      if (at.length <= times) response.writeHead(429, { 'retry-after': '2' }).end('busy')
      else response.end(JSON.stringify(thing()))
    })
    return { client: connect({ server: server.url }, clock), clock, at }
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
    const server = await serve(async (_, response) => {
      for (const byte of bytes) {
        response.write(Buffer.of(byte))
        if (byte % 16 === 0) await new Promise((resolve) => setImmediate(resolve))
      }
      response.end()
    })
    const seen: unknown[] = []
    for await (const event of connect({ server: server.url }).watch(Things)) seen.push(event)
    expect(seen).toEqual(events)
  })

  test('a watch that breaks off in the middle of an event rejects', async () => {
    const server = await serve((_, response) => response.end('{"type":"ADDED","obj'))
    const watch = connect({ server: server.url }).watch(Things)[Symbol.asyncIterator]()
    await expect(watch.next()).rejects.toThrow(ConnectionError)
  })

  test('an ERROR event rejects as the error it tells', async () => {
    const server = await serve((_, response) =>
      response.end(`${JSON.stringify({ type: 'ERROR', object: failure(410, 'Expired') })}\n`),
    )
    const watch = connect({ server: server.url }).watch(Things)[Symbol.asyncIterator]()
    await expect(watch.next()).rejects.toMatchObject({ httpCode: 410, reason: 'Expired' })
  })

  test('leaving a watch closes its connection', async () => {
    const server = await serve((_, response) => {
      response.write(`${JSON.stringify({ type: 'ADDED', object: thing() })}\n`)
    })
    const closed = expect.poll(() => server.open)
    for await (const _ of connect({ server: server.url }).watch(Things)) break
    await closed.toBe(0)
  })

  test('logs come as bytes and as lines; none while the pod waits for a node', async () => {
    const urls: (string | undefined)[] = []
    const server = await serve((request, response) => {
      urls.push(request.url)
      if (request.url?.includes('waiting')) response.writeHead(204).end()
      else response.end('first\nsecond')
    })
    const client = connect({ server: server.url })
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

describe('TLS and credentials', () => {
  const pems = generate([{ name: 'commonName', value: '127.0.0.1' }], {
    extensions: [
      { name: 'basicConstraints', cA: true },
      { name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] },
    ],
  })
  const secure = async (listener: RequestListener, extra = {}) => {
    const { cert, private: key } = await pems
    return { server: await serve(listener, { cert, key, ...extra }), cert, key }
  }

  test('the given authority is trusted and the token sent', async () => {
    const seen: (string | undefined)[] = []
    const { server, cert } = await secure((request, response) => {
      seen.push(request.headers.authorization)
      response.end(JSON.stringify(thing()))
    })
    await connect({ server: server.url, ca: cert, token: 'secret' }).get(Things, KEY)
    expect(seen).toEqual(['Bearer secret'])
  })

  test('an unknown authority is refused, with what to do', async () => {
    const { server } = await secure(json(thing()))
    await expect(connect({ server: server.url }).get(Things, KEY)).rejects.toThrow(/set certificate-authority/)
    await expect(connect({ server: server.url, insecureSkipTlsVerify: true }).get(Things, KEY)).resolves.toEqual(
      thing(),
    )
  })

  test('a token is not sent over plain http', async () => {
    const seen: (string | undefined)[] = []
    const server = await serve((request, response) => {
      seen.push(request.headers.authorization)
      response.end(JSON.stringify(thing()))
    })
    await connect({ server: server.url, token: 'secret' }).get(Things, KEY)
    expect(seen).toEqual([undefined])
  })

  test('a 401 makes the credentials look again, once', async () => {
    const seen: (string | undefined)[] = []
    const { server, cert } = await secure((request, response) => {
      seen.push(request.headers.authorization)
      if (request.headers.authorization === 'Bearer 2') response.end(JSON.stringify(thing()))
      else json(failure(401, 'Unauthorized'), 401)(request, response)
    })
    let token = 1
    const credentials = {
      get: async () => ({ headers: { authorization: `Bearer ${token}` } }),
      refresh: () => token++ > 0,
    }
    const client = connect({ server: server.url, ca: cert, credentials })
    await client.create(Things, thing())
    expect(seen).toEqual(['Bearer 1', 'Bearer 2'])
    token = 7
    await expect(client.get(Things, KEY)).rejects.toMatchObject({ httpCode: 401 })
    expect(seen.slice(2)).toEqual(['Bearer 7', 'Bearer 8'])
  })

  test('a proxy is asked for a tunnel, through which TLS is spoken with the server', async () => {
    const targets: (string | undefined)[] = []
    const proxy = await loopbackServer(() => {})
    cleanups.push(() => proxy.close())
    proxy.server.on('connect', (request, socket) => {
      targets.push(request.url)
      const [host, port] = (request.url ?? '').split(':')
      const upstream = connectTcp(Number(port), host, () => {
        socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
        upstream.pipe(socket).pipe(upstream)
      })
      for (const end of [upstream, socket]) end.on('error', () => {})
    })
    const { server, cert } = await secure(json(thing()))
    const client = connect({ server: server.url, ca: cert, proxyUrl: proxy.url })
    await expect(client.get(Things, KEY)).resolves.toEqual(thing())
    expect(targets).toEqual([new URL(server.url).host])
  })

  test('credentials that cannot change are not tried twice', async () => {
    let requests = 0
    const { server, cert } = await secure((request, response) => {
      requests++
      json(failure(401, 'Unauthorized'), 401)(request, response)
    })
    const credentials = { get: async () => ({}), refresh: () => false }
    const call = connect({ server: server.url, ca: cert, credentials }).get(Things, KEY)
    await expect(call).rejects.toMatchObject({ httpCode: 401 })
    expect(requests).toBe(1)
  })

  test('a new client certificate takes new connections', async () => {
    const seen: boolean[] = []
    const { server, cert, key } = await secure(
      (request, response) => {
        seen.push((request.socket as import('node:tls').TLSSocket).authorized)
        response.end(JSON.stringify(thing()))
      },
      { requestCert: true, rejectUnauthorized: false, ca: (await pems).cert },
    )
    let credential: { cert?: string; key?: string } = {}
    const client = connect({
      server: server.url,
      ca: cert,
      credentials: { get: async () => credential, refresh: () => true },
    })
    await client.get(Things, KEY)
    credential = { cert, key }
    await client.get(Things, KEY)
    await client.get(Things, KEY)
    expect(seen).toEqual([false, true, true])
  })

  test('an address that is none is refused before anything is sent', () => {
    expect(() => httpTransport({ server: 'localhost:6443' })).toThrow(/expected the server's address like https:/)
  })
})
