import type { RequestListener } from 'node:http'
import { connect as connectTcp } from 'node:net'
import { generate } from 'selfsigned'
import { afterEach, describe, expect, test } from 'vitest'
import type { Client } from '../client.ts'
import type { Clock } from '../clock.ts'
import { createClient } from '../create-client.ts'
import { fakeClock } from '../testing/fake-clock.ts'
import { bodyOf, type LoopbackServer, loopbackServer } from '../testing/loopback-server.suite.ts'
import { failure, type Thing, Things } from '../testing/memory-server.suite.ts'
import type { ClusterConfig } from './cluster-config.ts'
import { httpTransport } from './http-transport.ts'
import { describeTransport } from './transport-contract.suite.ts'

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

function connect(config: ClusterConfig, clock: Clock = fakeClock()): Client {
  const client = createClient(httpTransport(config, { clock }))
  cleanups.push(() => client.close())
  return client
}

const json: (body: unknown, status?: number, headers?: Record<string, string>) => RequestListener =
  (body, status = 200, headers = {}) =>
  (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
  }

describeTransport(async (listener, clock = fakeClock()) => {
  const server = await serve(listener)
  return { server, client: connect({ server: server.url }, clock) }
}, /nothing listens there.*ECONNREFUSED/)

describe('requests', () => {
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
