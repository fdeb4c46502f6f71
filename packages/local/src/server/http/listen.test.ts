import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { request as httpsRequest, type RequestOptions } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ConfigMaps, type Pod, Pods } from '@trainjob/api'
import { type Client, createClient, httpTransport } from '@trainjob/kube'
import { socketTransport } from '@trainjob/kube/socket'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Listening } from '../../local-cluster.ts'
import { configMap, type TestServer, testServer } from '../testing/test-server.ts'
import { listen } from './listen.ts'

let at: TestServer
let listening: Listening
let client: Client
let credentialsDir: string
beforeAll(async () => {
  credentialsDir = await mkdtemp(join(tmpdir(), 'tj-'))
  at = await testServer({
    logs: {
      async *open(_, __, { signal }) {
        yield new TextEncoder().encode('first\n')
        await new Promise((done) => signal?.addEventListener('abort', done))
      },
    },
  })
  listening = await listen(at.server, { credentialsDir })
  client = createClient(httpTransport({ server: listening.url, ca: listening.caCert, token: listening.token }))
})
afterAll(async () => {
  await client.close()
  await listening.close()
  await rm(credentialsDir, { recursive: true, force: true })
})

/** A request with the headers given and no others. */
function send(
  path: string,
  headers: Record<string, string>,
  more: RequestOptions & { body?: string | Buffer } = {},
): Promise<{ status: number; body: string; headers: Record<string, unknown> }> {
  const { body, ...options } = more
  return new Promise((resolve, reject) => {
    const url = new URL(path, listening.url)
    const request = httpsRequest(
      url,
      { ca: listening.caCert, checkServerIdentity: () => undefined, agent: false, ...options, headers },
      (response) => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (chunk: string) => {
          text += chunk
        })
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body: text, headers: response.headers }))
        response.on('error', reject)
      },
    )
    request.on('error', reject)
    request.end(body)
  })
}

const authorized = () => ({ authorization: `Bearer ${listening.token}` })

describe('who is let in', () => {
  it.each([
    ['nobody without a token', {}],
    ['nobody with another token', { authorization: 'Bearer nonsense' }],
    ['nobody with another scheme', { authorization: 'Basic Zm9vOmJhcg==' }],
  ])('%s', async (_, headers) => {
    for (const path of ['/api/v1/namespaces', '/readyz', '/version', '/']) {
      const { status, body } = await send(path, headers)
      expect(status).toBe(401)
      expect(JSON.parse(body)).toEqual({
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        message: 'Unauthorized',
        reason: 'Unauthorized',
        code: 401,
      })
    }
  })

  it('nobody who calls the server by another name', async () => {
    const port = new URL(listening.url).port
    for (const host of ['evil.example', `evil.example:${port}`, '127.0.0.1', '127.0.0.1:1']) {
      expect((await send('/readyz', { ...authorized(), host })).status).toBe(403)
    }
    for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `LOCALHOST:${port}`, `[::1]:${port}`]) {
      expect(await send('/readyz', { ...authorized(), host })).toMatchObject({ status: 200, body: 'ok' })
    }
  })

  it('nobody from outside this machine', async () => {
    await expect(listen(at.server, { host: '0.0.0.0' })).rejects.toMatchObject({
      code: 'listen-failed',
      message: expect.stringContaining('Expected a loopback address'),
    })
  })
})

describe('a token of a service account', () => {
  const ACCOUNTS = '/api/v1/namespaces/default/serviceaccounts'
  const WHO = '/apis/authentication.k8s.io/v1/selfsubjectreviews'
  const YEARS = { spec: { expirationSeconds: 2 ** 31 } }
  const json = () => ({ ...authorized(), 'content-type': 'application/json' })
  const post = (path: string, headers: Record<string, string>, body: object) =>
    send(path, headers, { method: 'POST', body: JSON.stringify(body) })

  it('lets in until its account is gone', async () => {
    await post(ACCOUNTS, json(), { metadata: { name: 'bob' } })
    const { status, body } = await post(`${ACCOUNTS}/bob/token`, json(), YEARS)
    expect(status).toBe(201)
    const { token } = (JSON.parse(body) as { status: { token: string } }).status
    const bob = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    expect(JSON.parse((await post(WHO, bob, {})).body)).toMatchObject({
      status: { userInfo: { username: 'system:serviceaccount:default:bob', uid: expect.any(String) } },
    })
    expect((await send('/version', { authorization: `Bearer ${token.slice(0, -4)}AAAA` })).status).toBe(401)
    const reviewed = await post('/apis/authentication.k8s.io/v1/tokenreviews', json(), { spec: { token } })
    expect(JSON.parse(reviewed.body)).toMatchObject({ status: { authenticated: true } })
    await send(`${ACCOUNTS}/bob`, authorized(), { method: 'DELETE' })
    expect((await send('/version', bob)).status).toBe(401)
  })

  it('lets in until the pod is gone that it is bound to', async () => {
    const pods = '/api/v1/namespaces/default/pods'
    await post(ACCOUNTS, json(), { metadata: { name: 'pat' } })
    await post(pods, json(), { metadata: { name: 'owner' }, spec: { containers: [{ name: 'c', image: 'i' }] } })
    const bind = (boundObjectRef: object) =>
      post(`${ACCOUNTS}/pat/token`, json(), { spec: { ...YEARS.spec, boundObjectRef } })
    expect((await bind({ kind: 'Pod', name: 'nobody' })).status).toBe(404)
    expect((await bind({ kind: 'Pod', name: 'owner', uid: 'another' })).status).toBe(409)
    expect((await bind({ kind: 'Node', name: 'local' })).status).toBe(400)
    const { body } = await bind({ kind: 'Pod', name: 'owner' })
    const pat = { authorization: `Bearer ${(JSON.parse(body) as { status: { token: string } }).status.token}` }
    expect((await send('/version', pat)).status).toBe(200)
    await send(`${pods}/owner?gracePeriodSeconds=0`, authorized(), { method: 'DELETE' })
    expect((await send('/version', pat)).status).toBe(401)
  })

  it('that is for somebody else is none for this server', async () => {
    await post(ACCOUNTS, json(), { metadata: { name: 'sam' } })
    const { body } = await post(`${ACCOUNTS}/sam/token`, json(), {
      spec: { ...YEARS.spec, audiences: ['status.example'] },
    })
    const { token } = (JSON.parse(body) as { status: { token: string } }).status
    expect((await send('/version', { authorization: `Bearer ${token}` })).status).toBe(401)
  })

  it('is not made for less than ten minutes, nor for nobody', async () => {
    await post(ACCOUNTS, json(), { metadata: { name: 'eve' } })
    const short = await post(`${ACCOUNTS}/eve/token`, json(), { spec: { expirationSeconds: 60 } })
    expect(short.status).toBe(422)
    expect(short.body).toContain('may not specify a duration less than 10 minutes')
    expect((await post(`${ACCOUNTS}/nobody/token`, json(), YEARS)).status).toBe(404)
  })
})

describe('a request', () => {
  it('may be protobuf, where the kind is known; what is not served is not found', async () => {
    const type = { ...authorized(), 'content-type': 'application/vnd.kubernetes.protobuf' }
    const body = Buffer.from('k8s\0\x0a\x0f\x0a\x02v1\x12\x09ConfigMap\x12\x06\x0a\x04\x0a\x02pb', 'latin1')
    const path = '/api/v1/namespaces/default/configmaps'
    expect((await send(path, type, { method: 'POST', body })).status).toBe(201)
    await client.delete(ConfigMaps, { namespace: 'default', name: 'pb' })
    expect((await send(path, type, { method: 'POST', body: 'k8s' })).status).toBe(400)
    const other = Buffer.from('k8s\0\x0a\x0b\x0a\x02v1\x12\x05Quota', 'latin1')
    expect((await send(path, type, { method: 'POST', body: other })).status).toBe(415)
    expect((await send('/apis/apps/v1/namespaces/default/x', type, { method: 'POST', body: other })).status).toBe(404)
  })

  it('reads and writes as in process', async () => {
    const made = await client.create(ConfigMaps, configMap('a', { text: 'häßlich ☂' }))
    expect(await client.get(ConfigMaps, { namespace: 'default', name: 'a' })).toEqual(made)
    expect((await client.list(ConfigMaps)).items).toEqual([made])
    expect(await at.client.get(ConfigMaps, { namespace: 'default', name: 'a' })).toEqual(made)
  })

  it('may be YAML', async () => {
    const { status, body } = await send(
      '/api/v1/namespaces/default/configmaps',
      { ...authorized(), 'content-type': 'application/yaml' },
      { method: 'POST', body: 'metadata:\n  name: from-yaml\ndata: {k: "yes"}\n' },
    )
    expect(status).toBe(201)
    expect(JSON.parse(body)).toMatchObject({ data: { k: 'yes' } })
  })

  const big = Buffer.alloc(3 * 1024 * 1024 + 1, ' ')
  it.each([
    ['broken JSON', 'application/json', '{"metadata":', 400, /json parse error/],
    ['broken YAML', 'application/yaml', 'a: [', 400, /error parsing YAML/],
    ['bytes that are no UTF-8', 'application/json', Buffer.from([0x22, 0xff, 0x22]), 400, /not UTF-8/],
    ['a form', 'application/x-www-form-urlencoded', 'a=b', 415, /accepted media types include: application\/json/],
    ['protobuf', 'application/vnd.kubernetes.protobuf', 'k8s\0', 415, /accepted media types/],
    ['a body that is too long', 'application/json', big, 413, /limit is 3145728/],
  ])('is refused with %s', async (_, type, text, code, message) => {
    const { status, body } = await send(
      '/api/v1/namespaces/default/configmaps',
      { ...authorized(), 'content-type': type },
      { method: 'POST', body: text },
    )
    expect(status).toBe(code)
    expect((JSON.parse(body) as { message: string }).message).toMatch(message)
  })

  it('is refused with a method that is none', async () => {
    expect((await send('/api/v1/pods', authorized(), { method: 'OPTIONS' })).status).toBe(405)
  })

  it('of a long list is answered whole', async () => {
    for (let count = 0; count < 600; count++) await at.client.create(ConfigMaps, configMap(`many-${count}`))
    const { items } = await client.list(ConfigMaps, { labelSelector: '!x' })
    expect(items.length).toBeGreaterThan(600)
    expect(items).toEqual((await at.client.list(ConfigMaps)).items)
  })
})

describe('a stream', () => {
  it('carries events as they happen, and ends with its reader', async () => {
    const seen: string[] = []
    const { resourceVersion = '' } = (await client.list(ConfigMaps)).metadata
    const watching = (async () => {
      for await (const { type, object } of client.watch(ConfigMaps, { namespace: 'default', resourceVersion })) {
        seen.push(`${type} ${(object.metadata as { name?: string }).name}`)
        if (seen.length === 3) break
      }
    })()
    await client.create(ConfigMaps, configMap('s'))
    await client.delete(ConfigMaps, { namespace: 'default', name: 's' })
    await at.client.create(ConfigMaps, configMap('t'))
    await watching
    expect(seen).toEqual(['ADDED s', 'DELETED s', 'ADDED t'])
  })

  it('of a log is flushed line by line and ends when the server closes', async () => {
    const other = await listen(at.server)
    const reader = createClient(httpTransport({ server: other.url, ca: other.caCert, token: other.token }))
    try {
      const pod: Pod = {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'p', namespace: 'default' },
        spec: { nodeName: 'n', containers: [{ name: 'c' }] },
      }
      await at.client.create(Pods, pod)
      const status = { containerStatuses: [{ name: 'c', state: { running: {} } }] }
      const patch = { type: 'merge', body: { status } } as const
      await at.client.patch(Pods, { namespace: 'default', name: 'p' }, patch, { subresource: 'status' })
      const chunks: string[] = []
      for await (const chunk of reader.logs({ namespace: 'default', name: 'p' }, { follow: true })) {
        chunks.push(new TextDecoder().decode(chunk))
        void other.close()
      }
      expect(chunks).toEqual(['first\n'])
    } finally {
      await reader.close()
      await other.close()
    }
  })
})

describe.skipIf(process.platform === 'win32')('a unix socket', () => {
  it('is a second door to the same server, for the user alone', async () => {
    const socket = join(credentialsDir, 'api.sock')
    // as a server that was killed leaves it
    await writeFile(socket, '')
    const other = await listen(at.server, { socket })
    const inside = createClient(socketTransport({ socket, token: other.token }))
    try {
      expect(other.socket).toBe(socket)
      expect((await stat(socket)).mode & 0o777).toBe(0o600)
      const made = await inside.create(ConfigMaps, configMap('by-socket', { text: 'häßlich ☂' }))
      expect(await client.get(ConfigMaps, { namespace: 'default', name: 'by-socket' })).toEqual(made)
      for (const token of [undefined, 'nonsense']) {
        const outside = createClient(socketTransport({ socket, ...(token !== undefined && { token }) }))
        await expect(outside.list(ConfigMaps)).rejects.toMatchObject({ httpCode: 401 })
        await outside.close()
      }
    } finally {
      await inside.close()
      await other.close()
    }
    await expect(stat(socket)).rejects.toMatchObject({ code: 'ENOENT' })
  })

  it('ends its streams when the server closes', async () => {
    const socket = join(credentialsDir, 'api.sock')
    const other = await listen(at.server, { socket })
    const inside = createClient(socketTransport({ socket, token: other.token }))
    try {
      const watching = inside.watch(ConfigMaps, { namespace: 'default' })[Symbol.asyncIterator]()
      await at.client.create(ConfigMaps, configMap('seen-by-socket'))
      await watching.next()
      await other.close()
      for (let next = await watching.next(); next.done !== true; next = await watching.next());
    } finally {
      await inside.close()
      await other.close()
    }
  })

  it.each([
    ['the path is too long for one', (dir: string) => join(dir, 'a'.repeat(120))],
    ['there is no such folder', (dir: string) => join(dir, 'none', 'api.sock')],
  ])('is left out where %s', async (_, pathIn) => {
    const other = await listen(at.server, { socket: pathIn(credentialsDir) })
    expect(other.socket).toBeUndefined()
    await other.close()
  })
})

describe('the listener', () => {
  it('keeps certificate and token, for the user alone', async () => {
    const again = await listen(at.server, { credentialsDir })
    try {
      expect(again).toMatchObject({ token: listening.token, caCert: listening.caCert })
      expect((await stat(join(credentialsDir, 'credentials.json'))).mode & 0o777).toBe(0o600)
    } finally {
      await again.close()
    }
  })

  it('says that a port is taken', async () => {
    await expect(listen(at.server, { port: Number(new URL(listening.url).port) })).rejects.toMatchObject({
      code: 'listen-failed',
      message: expect.stringMatching(/is taken by another program: choose another port/),
    })
  })

  it('writes a kubeconfig that a client can use', async () => {
    const { parse } = await import('yaml')
    const config = parse(listening.kubeconfig())
    expect(config).toMatchObject({
      kind: 'Config',
      'current-context': 'trainjob-local',
      clusters: [{ name: 'trainjob-local', cluster: { server: listening.url } }],
      users: [{ name: 'trainjob-local', user: { token: listening.token } }],
      contexts: [{ name: 'trainjob-local', context: { cluster: 'trainjob-local', user: 'trainjob-local' } }],
    })
    expect(parse(listening.kubeconfig({ name: 'other' }))['current-context']).toBe('other')
  })
})
