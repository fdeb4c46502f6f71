import { describe, expect, test } from 'vitest'
import type { Client } from './client.ts'
import { type ClientOptions, createClient } from './create-client.ts'
import { isAborted, isConflict, isNotFound } from './error.ts'
import type { Resource } from './resource.ts'
import { expired, failure, memoryServer, type Thing, Things } from './testing/memory-server.suite.ts'
import type { Transport, TransportRequest } from './transport.ts'

const Nodes: Resource = { group: '', version: 'v1', plural: 'nodes', kind: 'Node', namespaced: false }
const KEY = { namespace: 'ns', name: 'one' }
const thing: Thing = Object.freeze({
  apiVersion: 'example.test/v1',
  kind: 'Thing',
  metadata: Object.freeze({ ...KEY }),
})
const PATH = '/apis/example.test/v1/namespaces/ns/things'

/** Records requests and answers them from a list. */
function recorder(
  answers: { status?: number; headers?: Record<string, string>; body?: unknown }[] = [],
  options: ClientOptions = {},
) {
  const requests: TransportRequest[] = []
  const transport: Transport = {
    async request(request) {
      requests.push(request)
      const { status = 200, headers = {}, body = thing } = answers.shift() ?? {}
      const none = () => {
        throw new Error('not a stream')
      }
      return {
        status,
        headers,
        json: async () => body,
        text: async () => JSON.stringify(body),
        chunks: none,
        events: none,
      }
    },
    close: async () => {},
  }
  return { client: createClient(transport, options), requests }
}

type Call = (client: Client) => Promise<unknown>
const calls: [name: string, call: Call, expected: Partial<TransportRequest>][] = [
  ['get', (c) => c.get(Things, KEY), { method: 'GET', path: `${PATH}/one` }],
  ['get of a subresource', (c) => c.get(Things, KEY, { subresource: 'status' }), { path: `${PATH}/one/status` }],
  ['get of a cluster-wide kind', (c) => c.get(Nodes, { name: 'a/b' }), { path: '/api/v1/nodes/a%2Fb' }],
  [
    'list',
    (c) =>
      c.list(Things, { namespace: 'ns', labelSelector: 'a=b', fieldSelector: 'c=d', limit: 5, resourceVersion: '0' }),
    { path: PATH, query: { labelSelector: 'a=b', fieldSelector: 'c=d', limit: '5', resourceVersion: '0' } },
  ],
  ['list of all namespaces', (c) => c.list(Things), { path: '/apis/example.test/v1/things', query: {} }],
  [
    'create',
    (c) => c.create(Things, thing, { dryRun: true, fieldValidation: 'Strict', fieldManager: 'me' }),
    {
      method: 'POST',
      path: PATH,
      body: thing,
      query: { dryRun: 'All', fieldValidation: 'Strict', fieldManager: 'me' },
    },
  ],
  [
    'create of a subresource',
    (c) => c.create(Things, thing, { subresource: 'binding' }),
    { method: 'POST', path: `${PATH}/one/binding` },
  ],
  ['update', (c) => c.update(Things, thing), { method: 'PUT', path: `${PATH}/one`, body: thing }],
  [
    'update of a subresource',
    (c) => c.update(Things, thing, { subresource: 'status' }),
    { method: 'PUT', path: `${PATH}/one/status` },
  ],
  [
    'JSON patch',
    (c) => c.patch(Things, KEY, { type: 'json', ops: [{ op: 'remove', path: '/spec' }] }),
    {
      method: 'PATCH',
      path: `${PATH}/one`,
      headers: { accept: 'application/json', 'content-type': 'application/json-patch+json' },
      body: [{ op: 'remove', path: '/spec' }],
    },
  ],
  [
    'merge patch of a subresource',
    (c) => c.patch(Things, KEY, { type: 'merge', body: { status: {} } }, { subresource: 'status' }),
    {
      path: `${PATH}/one/status`,
      headers: { accept: 'application/json', 'content-type': 'application/merge-patch+json' },
      body: { status: {} },
    },
  ],
  [
    'strategic patch',
    (c) => c.patch(Things, KEY, { type: 'strategic', body: {} }),
    { headers: { accept: 'application/json', 'content-type': 'application/strategic-merge-patch+json' } },
  ],
  [
    'apply',
    (c) => c.patch(Things, KEY, { type: 'apply', body: thing, force: true }, { fieldManager: 'me' }),
    {
      headers: { accept: 'application/json', 'content-type': 'application/apply-patch+yaml' },
      query: { force: 'true', fieldManager: 'me' },
    },
  ],
  [
    'delete',
    (c) =>
      c.delete(Things, KEY, {
        propagationPolicy: 'Foreground',
        gracePeriodSeconds: 0,
        preconditions: { uid: 'u' },
        dryRun: true,
      }),
    {
      method: 'DELETE',
      path: `${PATH}/one`,
      body: {
        kind: 'DeleteOptions',
        apiVersion: 'v1',
        propagationPolicy: 'Foreground',
        gracePeriodSeconds: 0,
        preconditions: { uid: 'u' },
        dryRun: ['All'],
      },
    },
  ],
]

describe('a client sends', () => {
  for (const [name, call, expected] of calls) {
    test(name, async () => {
      const { client, requests } = recorder([{ body: { ...thing, items: [], metadata: {} } }])
      await call(client)
      expect(requests).toHaveLength(1)
      expect(requests[0]).toMatchObject(expected)
      if (expected.query !== undefined) expect(requests[0]?.query).toEqual(expected.query)
    })
  }

  test('the field manager that it was made with, unless a write names another', async () => {
    const { client, requests } = recorder([], { fieldManager: 'default' })
    await client.update(Things, thing)
    await client.update(Things, thing, { fieldManager: 'other' })
    await client.get(Things, KEY)
    expect(requests.map((request) => request.query?.fieldManager)).toEqual(['default', 'other', undefined])
  })
})

describe('a client answers', () => {
  test('list items of built-in kinds with the apiVersion and kind that the server leaves out', async () => {
    const item = Object.freeze({ metadata: { name: 'n' } })
    const { client } = recorder([{ body: { kind: 'NodeList', apiVersion: 'v1', metadata: {}, items: [item] } }])
    const { items } = await client.list(Nodes)
    expect(items).toEqual([{ apiVersion: 'v1', kind: 'Node', metadata: { name: 'n' } }])
  })

  test('nothing when a deleted object is gone, the object while it lives on', async () => {
    const { client } = recorder([{ body: { kind: 'Status', apiVersion: 'v1', status: 'Success' } }, { body: thing }])
    expect(await client.delete(Things, KEY)).toBeUndefined()
    expect(await client.delete(Things, KEY)).toEqual(thing)
  })

  test('warnings, one call each', async () => {
    const { client } = recorder([{ headers: { warning: '299 - "first", 299 - "second"' } }])
    const seen: string[] = []
    await client.create(Things, thing, { onWarning: (text) => seen.push(text) })
    expect(seen).toEqual(['first', 'second'])
  })

  test('refusals as errors that can be told apart', async () => {
    const { client } = recorder([
      { status: 404, body: failure(404, 'NotFound') },
      { status: 409, body: failure(409, 'Conflict') },
    ])
    const first = await client.get(Things, KEY).catch((error) => error)
    const second = await client.update(Things, thing).catch((error) => error)
    expect([isNotFound(first), isConflict(first), isNotFound(second), isConflict(second)]).toEqual([
      true,
      false,
      false,
      true,
    ])
  })
})

describe('a client refuses', () => {
  const wrong: [name: string, call: Call, message: RegExp][] = [
    ['a key without the namespace it needs', (c) => c.get(Things, { name: 'one' }), /Thing "one" has no namespace/],
    [
      'an object without a namespace',
      (c) => c.create(Things, { ...thing, metadata: { name: 'one' } }),
      /set metadata.namespace/,
    ],
    [
      'an object without a name',
      (c) => c.update(Things, { ...thing, metadata: { namespace: 'ns' } }),
      /without a name cannot be addressed/,
    ],
  ]
  for (const [name, call, message] of wrong) {
    test(`${name}, before it sends anything`, async () => {
      const { client, requests } = recorder()
      await expect(call(client)).rejects.toMatchObject({ code: 'usage', message: expect.stringMatching(message) })
      expect(requests).toEqual([])
    })
  }

  test('a call whose signal has aborted', async () => {
    const { client, requests } = recorder()
    const error = await client.get(Things, KEY, { signal: AbortSignal.abort() }).catch((thrown) => thrown)
    expect(isAborted(error)).toBe(true)
    expect(requests).toEqual([])
  })
})

describe('listAll', () => {
  const collect = async (client: Client, limit: number) => {
    const names: (string | undefined)[] = []
    for await (const { metadata } of client.listAll(Things, { limit, labelSelector: 'a', resourceVersion: '0' })) {
      names.push(metadata.name)
    }
    return names
  }

  test('fetches page after page', async () => {
    const server = memoryServer()
    for (const name of ['a', 'b', 'c', 'd', 'e']) server.set('ns', name, 1)
    expect(await collect(createClient(server.transport), 2)).toEqual(['a', 'b', 'c', 'd', 'e'])
    expect(server.requests.map((request) => request.query)).toEqual([
      { labelSelector: 'a', resourceVersion: '0', limit: '2' },
      { labelSelector: 'a', limit: '2', continue: '6:2' },
      { labelSelector: 'a', limit: '2', continue: '6:4' },
    ])
  })

  test('goes on from where the server offers to when it has forgotten the list', async () => {
    const page = (names: string[], next?: string) => ({
      body: {
        kind: 'ThingList',
        metadata: { continue: next },
        items: names.map((name) => ({ ...thing, metadata: { name } })),
      },
    })
    const { client, requests } = recorder([
      page(['a'], 'old'),
      { status: 410, body: { ...expired(), metadata: { continue: 'offered' } } },
      page(['b']),
    ])
    expect(await collect(client, 1)).toEqual(['a', 'b'])
    expect(requests.map((request) => request.query?.continue)).toEqual([undefined, 'old', 'offered'])
  })

  test('rejects when the server offers nothing', async () => {
    const { client } = recorder([{ status: 410, body: expired() }])
    await expect(collect(client, 1)).rejects.toMatchObject({ httpCode: 410 })
  })
})
