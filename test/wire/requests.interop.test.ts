import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type BuiltControlPlane, buildControlPlane } from '../control-plane/build.ts'
import { normalAnswer } from './normal-answer.ts'
import { embeddedServer, realServer, type WireAnswer, type WireRequest, type WireServer } from './wire-server.ts'

const built = await buildControlPlane()
if ('missing' in built) process.stderr.write(`NOT RUN: requests to a real API server. ${built.missing}\n`)

const MINUTES = 60_000
const MAPS = '/api/v1/namespaces/wire/configmaps'
const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const YAML = { 'content-type': 'application/yaml' }
const METADATA = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1'

/** In the refusal of a patch: the object that it led to, whose fields come in an order that nobody relies on. */
const SHOWN_OBJECT = /(?<=patch: Invalid value: |"message":"Invalid value: )\\"\{.*?\}\\"(?=: strict decoding error)/g

/** Without what Go writes of fields that nobody has set, without owners, whose fields have one version's names here, and without texts about columns. */
function withoutNothing(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNothing)
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).map(([name, field]) => [name, withoutNothing(field)] as const)
  const isNothing = (field: unknown) => field === null || field === '' || JSON.stringify(field) === '{}'
  return Object.fromEntries(
    fields.filter(([name, field]) => name !== 'managedFields' && name !== 'description' && !isNothing(field)),
  )
}

const map = (name: string, more: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  ...more,
})

describe.skipIf('missing' in built)('requests to the embedded API server and to a real one', () => {
  const servers: WireServer[] = []

  beforeAll(async () => {
    servers.push(await embeddedServer(), await realServer(built as BuiltControlPlane))
    for (const server of servers) {
      await server.ask({ method: 'POST', path: '/api/v1/namespaces', body: { metadata: { name: 'wire' } } })
      for (const name of ['a', 'b', 'c']) {
        const labels = { n: name }
        await server.ask({ method: 'POST', path: MAPS, body: map(name, { metadata: { name, labels } }) })
      }
    }
  }, 2 * MINUTES)
  afterAll(async () => {
    for (const server of servers) await server.close()
  }, MINUTES)

  function told({ status, headers, body, text }: WireAnswer): object {
    return {
      status,
      type: headers['content-type'],
      warning: headers.warning,
      body:
        typeof body === 'string'
          ? text.replaceAll(/(uid|resourceVersion|creationTimestamp|time): .*/g, '$1: …')
          : normalAnswer(JSON.parse(text.replaceAll(SHOWN_OBJECT, '…'))),
    }
  }

  async function agree(...requests: readonly WireRequest[]): Promise<object> {
    const [ours, real] = await Promise.all(
      servers.map(async (server) => {
        const answers: object[] = []
        for (const request of requests) answers.push(told(await server.ask(request)))
        return answers
      }),
    )
    expect(ours).toEqual(real)
    return real ?? []
  }

  describe('say first what is wrong first', () => {
    it.each<[string, WireRequest]>([
      [
        'an object that is there and is wrong',
        { method: 'POST', path: MAPS, body: map('a', { data: { 'not ok': 'x' } }) },
      ],
      ['an object that is there', { method: 'POST', path: MAPS, body: map('a') }],
      ['one that is there, in a dry run', { method: 'POST', path: `${MAPS}?dryRun=All`, body: map('a') }],
      ['a bad name', { method: 'POST', path: MAPS, body: map('A_B') }],
      ['no name', { method: 'POST', path: MAPS, body: { metadata: {} } }],
      [
        'another namespace',
        { method: 'POST', path: MAPS, body: map('x', { metadata: { name: 'x', namespace: 'y' } }) },
      ],
      ['no such namespace', { method: 'POST', path: MAPS.replace('wire', 'nope'), body: map('x') }],
      ['a version', { method: 'POST', path: MAPS, body: map('x', { metadata: { name: 'x', resourceVersion: '1' } }) }],
      [
        'an unknown field, strictly',
        { method: 'POST', path: `${MAPS}?fieldValidation=Strict`, body: map('x', { spec: 1 }) },
      ],
      ['an unknown dry run', { method: 'POST', path: `${MAPS}?dryRun=Some`, body: map('x') }],
      ['an unknown validation', { method: 'POST', path: `${MAPS}?fieldValidation=Some`, body: map('x') }],
      ['another kind', { method: 'POST', path: MAPS, body: { ...map('x'), kind: 'Secret' } }],
      [
        'an owner without a uid',
        {
          method: 'POST',
          path: MAPS,
          body: map('x', { metadata: { name: 'x', ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'p' }] } }),
        },
      ],
      [
        'a finalizer that is none',
        { method: 'POST', path: MAPS, body: map('x', { metadata: { name: 'x', finalizers: ['held'] } }) },
      ],
      ['another name', { method: 'PUT', path: `${MAPS}/a`, body: map('b') }],
      ['no object', { method: 'PUT', path: `${MAPS}/none`, body: map('none') }],
      [
        'an old version',
        { method: 'PUT', path: `${MAPS}/a`, body: map('a', { metadata: { name: 'a', resourceVersion: '1' } }) },
      ],
    ])('%s', async (_, request) => {
      await agree(request)
    })
  })

  describe('say in words of their own', () => {
    it.each<[string, WireRequest]>([
      ['another version', { method: 'POST', path: MAPS, body: { ...map('x'), apiVersion: 'v2' } }],
      [
        'a label that is none',
        { method: 'POST', path: MAPS, body: map('x', { metadata: { name: 'x', labels: { 'a b': 'c', d: 'e f' } } }) },
      ],
      ['another uid', { method: 'PUT', path: `${MAPS}/a`, body: map('a', { metadata: { name: 'a', uid: 'other' } }) }],
      ['by labels that are none', { path: `${MAPS}?labelSelector=a%20b` }],
      ['from nowhere', { path: `${MAPS}?continue=x` }],
      ['from a version and a page', { path: `${MAPS}?continue=x&resourceVersion=1` }],
      ['as what nobody writes', { path: MAPS, headers: { accept: 'text/csv' } }],
    ])('%s', async (_, request) => {
      const [ours, real] = await Promise.all(
        servers.map(async (server) => {
          const { code, reason } = (await server.ask(request)).body as { code: number; reason: string }
          return { code, reason }
        }),
      )
      expect(ours).toEqual(real)
    })
  })

  describe('read what is written twice', () => {
    const twice =
      '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"twice","name":"twice"},"data":{"a":"1","a":"2"}}'
    const yaml = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: twice\ndata:\n  a: "1"\n  a: "2"\n'
    it.each<[string, WireRequest]>([
      ['strictly', { method: 'POST', path: `${MAPS}?dryRun=All&fieldValidation=Strict`, body: twice }],
      ['with a warning', { method: 'POST', path: `${MAPS}?dryRun=All&fieldValidation=Warn`, body: twice }],
      ['by default', { method: 'POST', path: `${MAPS}?dryRun=All`, body: twice }],
      ['without a word', { method: 'POST', path: `${MAPS}?dryRun=All&fieldValidation=Ignore`, body: twice }],
      [
        'in YAML, strictly',
        { method: 'POST', path: `${MAPS}?dryRun=All&fieldValidation=Strict`, body: yaml, headers: YAML },
      ],
      ['in YAML, with a warning', { method: 'POST', path: `${MAPS}?dryRun=All`, body: yaml, headers: YAML }],
      [
        'in YAML, without a word',
        { method: 'POST', path: `${MAPS}?dryRun=All&fieldValidation=Ignore`, body: yaml, headers: YAML },
      ],
    ])('%s', async (_, request) => {
      await agree(request)
    })
  })

  describe('read a patch that says something twice, or what nobody knows', () => {
    const json = `[{"op":"add","path":"/data","path":"/data","value":{"x":"1"},"extra":1}]`
    const merge = '{"data":{"x":"1","x":"2"},"bogus":1}'
    const applied = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},\n"data":{"x":"1","x":"2"}}'
    const patches = [
      ['JSON patch', 'application/json-patch+json', json],
      [
        'JSON patch that changes nothing',
        'application/json-patch+json',
        '[{"op":"test","op":"test","path":"/kind","value":"ConfigMap"}]',
      ],
      ['merge patch', 'application/merge-patch+json', merge],
      ['strategic patch', 'application/strategic-merge-patch+json', merge],
      ['applied JSON', 'application/apply-patch+yaml', applied],
      [
        'applied YAML',
        'application/apply-patch+yaml',
        'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  x: "1"\n  x: "2"\n',
      ],
    ] as const
    it.each(
      patches.flatMap(([name, type, body]) =>
        ['Strict', 'Warn', 'Ignore'].map((validation) => [`${name}, ${validation}`, type, body, validation] as const),
      ),
    )('%s', async (_, type, body, validation) => {
      const path = `${MAPS}/a?dryRun=All&fieldManager=me&fieldValidation=${validation}`
      await agree({ method: 'PATCH', path, body, headers: { 'content-type': type } })
    })
  })

  it.each([
    ['some', Array.from({ length: 90 }, (_, index) => [`field-${index}-${'x'.repeat(60)}`, 1] as const)],
    ['many', Array.from({ length: 500 }, (_, index) => [`field-${index}`, 1] as const)],
    ['long', Array.from({ length: 20 }, (_, index) => [`${'x'.repeat(9000)}${index}`, 1] as const)],
  ])('warn within bounds of what is unknown: %s', async (_, fields) => {
    const body = map('x', Object.fromEntries(fields))
    await agree(
      { method: 'POST', path: `${MAPS}?dryRun=All`, body },
      { method: 'POST', path: `${MAPS}?dryRun=All&fieldValidation=Strict`, body },
    )
  })

  describe('know events by two names', () => {
    const core = '/api/v1/namespaces/wire/events'
    const named = '/apis/events.k8s.io/v1/namespaces/wire/events'
    const about = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'wire', name: 'a' }
    const older = {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: 'older' },
      involvedObject: about,
      reason: 'Read',
      message: 'somebody read it',
      source: { component: 'reader', host: 'n' },
      reportingComponent: 'reader',
      firstTimestamp: '2026-01-01T00:00:00Z',
      lastTimestamp: '2026-01-01T00:01:00Z',
      count: 3,
      type: 'Normal',
    }
    const newer = {
      apiVersion: 'events.k8s.io/v1',
      kind: 'Event',
      metadata: { name: 'newer' },
      regarding: about,
      reason: 'Written',
      note: 'somebody wrote it',
      action: 'Writing',
      reportingController: 'writer',
      reportingInstance: 'writer-0',
      eventTime: '2026-01-01T00:00:00.000000Z',
      type: 'Normal',
    }
    const mine = (path: string): string => `${path}?fieldSelector=reason%21%3DNamed`
    const table = { accept: 'application/json;as=Table;g=meta.k8s.io;v=v1' }
    const patch = (type: string, body: object): WireRequest => ({
      method: 'PATCH',
      path: `${named}/newer?dryRun=All`,
      body,
      headers: { 'content-type': `application/${type}` },
    })
    const series = { count: 2, lastObservedTime: '2026-01-01T00:02:00.000000Z' }
    it.each<[string, WireRequest]>([
      ['written in the one', { method: 'POST', path: core, body: older }],
      ['written in the other', { method: 'POST', path: named, body: newer }],
      ['written twice', { method: 'POST', path: named, body: newer }],
      [
        'in a word of the other',
        { method: 'POST', path: `${named}?dryRun=All`, body: { ...newer, message: 'x', metadata: { name: 'x' } } },
      ],
      ['read', { path: `${core}/older` }],
      ['read as the other', { path: `${named}/older` }],
      ['read the other way round', { path: `${core}/newer` }],
      ['listed', { path: mine(core) }],
      ['listed as the other', { path: mine(named) }],
      ['in a table', { path: mine(named), headers: table }],
      ['by what they are about', { path: `${named}?fieldSelector=regarding.name%3Da,regarding.kind%3DConfigMap` }],
      ['by who writes', { path: `${named}?fieldSelector=reportingController%3Dwriter` }],
      ['by a word of the other', { path: `${named}?fieldSelector=involvedObject.name%3Da` }],
      ['counted', patch('strategic-merge-patch+json', { series })],
      ['counted in another way', patch('merge-patch+json', { series })],
      ['counted by operations', patch('json-patch+json', [{ op: 'add', path: '/series', value: series }])],
      ['not there', { path: `${named}/none` }],
    ])('%s', async (_, request) => {
      const [ours, real] = await Promise.all(
        servers.map(async (server) => withoutNothing(told(await server.ask(request)))),
      )
      expect(ours).toEqual(real)
    })
  })

  describe('list', () => {
    it.each<[string, WireRequest]>([
      ['all, without the kind of each', { path: MAPS }],
      ['none', { path: `${MAPS}?labelSelector=n%3Dnone` }],
      ['metadata of all', { path: MAPS, headers: { accept: METADATA.replace('Metadata;', 'MetadataList;') } }],
      ['metadata of one', { path: `${MAPS}/a`, headers: { accept: METADATA } }],
      ['what no field selects', { path: `${MAPS}?fieldSelector=data.x%3Dy` }],
      ['what a field of pods does not select', { path: '/api/v1/pods?fieldSelector=spec.x%3Dy' }],
      ['by an operator that is none', { path: `${MAPS}?fieldSelector=metadata.name%3E1` }],
      ['a page that is no number', { path: `${MAPS}?limit=x` }],
      ['exactly nothing', { path: `${MAPS}?resourceVersionMatch=Exact` }],
      ['exactly anything', { path: `${MAPS}?resourceVersionMatch=Exact&resourceVersion=0` }],
      ['a match that is none', { path: `${MAPS}?resourceVersionMatch=Some&resourceVersion=1` }],
      ['a page of a match', { path: `${MAPS}?resourceVersionMatch=Exact&resourceVersion=1&continue=x` }],
      ['initial events', { path: `${MAPS}?sendInitialEvents=true` }],
      ['a version that is none', { path: `${MAPS}?resourceVersion=x` }],
      ['a namespace that is not there', { path: '/api/v1/namespaces/nope/configmaps' }],
      ['by the wrong method', { method: 'PUT', path: MAPS, body: {} }],
      ['what nobody serves', { path: '/api/v1/namespaces/wire/widgets' }],
      ['of a group that nobody serves', { path: '/apis/nope.example.com/v1/widgets' }],
      ['of nowhere', { path: '/nope' }],
      [
        'as a table of another group',
        { path: MAPS, headers: { accept: 'application/json;as=Table;g=example.com;v=v1' } },
      ],
    ])('%s', async (_, request) => {
      await agree(request)
    })
  })

  describe('watch', () => {
    it.each<[string, string]>([
      ['from a version that is none', 'watch=true&resourceVersion=x'],
      ['a match', 'watch=true&resourceVersionMatch=NotOlderThan&resourceVersion=1'],
      ['initial events without a match', 'watch=true&sendInitialEvents=true'],
      ['initial events exactly', 'watch=true&sendInitialEvents=true&resourceVersionMatch=Exact&resourceVersion=1'],
      ['for no time', 'watch=true&timeoutSeconds=x'],
      [
        'with initial events',
        'watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&timeoutSeconds=1',
      ],
      [
        'with initial events, without bookmarks',
        'watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&timeoutSeconds=1',
      ],
      [
        'without initial events',
        'watch=true&sendInitialEvents=false&resourceVersionMatch=NotOlderThan&timeoutSeconds=1',
      ],
    ])('%s', async (_, query) => {
      const [ours, real] = await Promise.all(
        servers.map(async (server) => {
          const { status, text } = await server.ask({ path: `${MAPS}?${query}` })
          const events = text
            .split('\n')
            .filter((line) => line !== '')
            .map((line) => normalAnswer(JSON.parse(line)) as { type?: string })
          // bookmarks come when a server sees fit, but for the marked one
          return {
            status,
            events: events.filter(
              (event) => event.type !== 'BOOKMARK' || JSON.stringify(event).includes('initial-events-end'),
            ),
          }
        }),
      )
      expect(ours).toEqual(real)
    })
  })

  describe('speak YAML', () => {
    it.each<[string, WireRequest]>([
      ['of one', { path: `${MAPS}/a`, headers: { accept: 'application/yaml' } }],
      ['of all', { path: MAPS, headers: { accept: 'application/yaml' } }],
      ['of failures', { path: `${MAPS}/none`, headers: { accept: 'application/yaml' } }],
      [
        'when they take it',
        {
          method: 'POST',
          path: `${MAPS}?dryRun=All`,
          headers: { ...YAML, accept: 'application/yaml' },
          body: 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: yaml}\ndata: {a: "1"}\n',
        },
      ],
      ['that is none', { method: 'POST', path: MAPS, headers: YAML, body: 'a: [' }],
    ])('%s', async (_, request) => {
      const [ours, real] = await Promise.all(
        servers.map(async (server) => {
          const { status, headers, text } = await server.ask(request)
          const { parse } = await import('yaml')
          const type = headers['content-type']
          return {
            status,
            type,
            body: status === 400 ? '' : normalAnswer(type === 'application/yaml' ? parse(text) : JSON.parse(text)),
          }
        }),
      )
      expect(ours).toEqual(real)
    })
  })

  it('pack long answers where they may', async () => {
    const data = { text: 'x'.repeat(200_000) }
    for (const server of servers) {
      await server.ask({ method: 'POST', path: MAPS, body: map('long', { data }) })
      const packed = await server.ask({ path: `${MAPS}/long`, headers: { 'accept-encoding': 'gzip' } })
      expect(packed.headers, server.name).toMatchObject({
        'content-encoding': 'gzip',
        vary: expect.stringContaining('Accept-Encoding'),
      })
      const { gunzipSync } = await import('node:zlib')
      expect(JSON.parse(gunzipSync(packed.bytes).toString())).toMatchObject({ data })
      const plain = await server.ask({ path: `${MAPS}/long` })
      expect(plain.headers['content-encoding'], server.name).toBeUndefined()
      const short = await server.ask({ path: `${MAPS}/a`, headers: { 'accept-encoding': 'gzip' } })
      expect(short.headers['content-encoding'], server.name).toBeUndefined()
      await server.ask({ method: 'DELETE', path: `${MAPS}/long` })
    }
  })

  it('write for people where asked to', async () => {
    for (const server of servers) {
      const { text } = await server.ask({ path: `${MAPS}/a?pretty=true` })
      expect(text.split('\n').slice(0, 3).toSorted(), server.name).toEqual([
        '  "apiVersion": "v1",',
        '  "kind": "ConfigMap",',
        '{',
      ])
      expect((await server.ask({ path: `${MAPS}/a` })).text.trimEnd(), server.name).not.toContain('\n')
      const { text: curl } = await server.ask({ path: `${MAPS}/a`, headers: { 'user-agent': 'curl/8.0' } })
      expect(curl.split('\n').length, server.name).toBeGreaterThan(5)
    }
  })

  describe('delete collections', () => {
    it('as far as asked to', async () => {
      const make = ['d1', 'd2', 'd3'].map(
        (name): WireRequest => ({
          method: 'POST',
          path: MAPS,
          body: map(name, { metadata: { name, labels: { del: name === 'd3' ? 'no' : 'yes' } } }),
        }),
      )
      await agree(
        ...make,
        { method: 'DELETE', path: `${MAPS}?labelSelector=del%3Dyes&dryRun=All` },
        { path: `${MAPS}?labelSelector=del` },
        { method: 'DELETE', path: `${MAPS}?labelSelector=del%3Dyes` },
        { path: `${MAPS}?labelSelector=del` },
        {
          method: 'DELETE',
          path: `${MAPS}?fieldSelector=metadata.name%3Dd3`,
          body: { propagationPolicy: 'Background', gracePeriodSeconds: 0 },
        },
        { path: `${MAPS}?labelSelector=del` },
        { method: 'DELETE', path: `${MAPS}?labelSelector=del`, body: { propagationPolicy: 'Sideways' } },
      )
    })
  })

  describe('review', () => {
    it.each<[string, string, object]>([
      [
        'what one may do',
        'authorization.k8s.io/v1/selfsubjectaccessreviews',
        { spec: { resourceAttributes: { verb: 'get', resource: 'pods' } } },
      ],
      [
        'what another may do',
        'authorization.k8s.io/v1/subjectaccessreviews',
        { spec: { user: 'x', groups: ['system:masters'], resourceAttributes: { verb: 'get', resource: 'pods' } } },
      ],
      ['what nobody may do', 'authorization.k8s.io/v1/subjectaccessreviews', { spec: {} }],
      ['nothing', 'authorization.k8s.io/v1/selfsubjectaccessreviews', { spec: {} }],
      ['a token that is none', 'authentication.k8s.io/v1/tokenreviews', { spec: { token: 'x' } }],
      ['no token', 'authentication.k8s.io/v1/tokenreviews', { spec: {} }],
    ])('%s', async (_, where, body) => {
      const [ours, real] = await Promise.all(
        servers.map(async (server) => {
          const { status, body: answer } = await server.ask({ method: 'POST', path: `/apis/${where}`, body })
          const { reason: _, error: __, ...verdict } = (answer as { status?: Record<string, unknown> }).status ?? {}
          return {
            status,
            verdict: status === 201 ? verdict : undefined,
            message: (answer as { message?: string }).message,
          }
        }),
      )
      expect(ours).toEqual(real)
    })
  })

  describe('define kinds', () => {
    it('with versions that come and go', async () => {
      const version = (name: string, storage: boolean, properties: object) => ({
        name,
        served: true,
        storage,
        schema: { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties } } } },
      })
      const definition = (versions: object[]) => ({
        apiVersion: 'apiextensions.k8s.io/v1',
        kind: 'CustomResourceDefinition',
        metadata: { name: 'gauges.example.com' },
        spec: { group: 'example.com', scope: 'Namespaced', names: { plural: 'gauges', kind: 'Gauge' }, versions },
      })
      const size = { size: { type: 'integer' } }
      const gauges = '/apis/example.com/v1/namespaces/wire/gauges'
      const merge = { 'content-type': 'application/merge-patch+json' }
      const both = await Promise.all(
        servers.map(async (server) => {
          const answers: object[] = []
          const ask = async (request: WireRequest): Promise<void> => {
            answers.push(told(await server.ask(request)))
          }
          const until = async (path: string, holds: (answer: WireAnswer) => boolean): Promise<void> => {
            while (!holds(await server.ask({ path }))) await new Promise((resolve) => setTimeout(resolve, 50))
          }
          await server.ask({ method: 'POST', path: CRDS, body: definition([version('v1', true, size)]) })
          await until(gauges, ({ status }) => status === 200)
          await ask({
            method: 'POST',
            path: gauges,
            body: { apiVersion: 'example.com/v1', kind: 'Gauge', metadata: { name: 'old' }, spec: { size: 1 } },
          })
          // a default that comes later is seen in what was written before
          const later = { ...size, color: { type: 'string', default: 'red' } }
          await server.ask({
            method: 'PATCH',
            path: `${CRDS}/gauges.example.com`,
            headers: merge,
            body: { spec: { versions: [version('v1', false, later), version('v2', true, later)] } },
          })
          await until(gauges.replace('v1', 'v2'), ({ status }) => status === 200)
          await until(`${gauges}/old`, ({ text }) => text.includes('red'))
          await ask({ path: `${gauges}/old` })
          await ask({ path: gauges.replace('v1', 'v2') })
          await ask({
            method: 'POST',
            path: gauges.replace('v1', 'v2'),
            body: { apiVersion: 'example.com/v2', kind: 'Gauge', metadata: { name: 'new' }, spec: { size: 2 } },
          })
          await ask({ path: `${gauges}/new` })
          await ask({ method: 'PATCH', path: `${gauges}/old`, headers: merge, body: { spec: { size: 3 } } })
          await ask({
            method: 'POST',
            path: gauges,
            body: { apiVersion: 'example.com/v2', kind: 'Gauge', metadata: { name: 'x' } },
          })
          const { status } = (await server.ask({ path: `${CRDS}/gauges.example.com` })).body as { status: object }
          answers.push(normalAnswer(status) as object)
          // a version that objects are stored in stays
          await ask({
            method: 'PATCH',
            path: `${CRDS}/gauges.example.com`,
            headers: merge,
            body: { spec: { versions: [version('v2', true, later)] } },
          })
          const going = await server.ask({ method: 'DELETE', path: `${CRDS}/gauges.example.com` })
          const { metadata, status: last } = going.body as {
            metadata: { generation: number; managedFields?: unknown }
            status: object
          }
          answers.push({ generation: metadata.generation, last: normalAnswer(last) })
          await until(`${CRDS}/gauges.example.com`, (answer) => answer.status === 404)
          await until(gauges, (answer) => answer.status === 404)
          await ask({ path: `${gauges}/old` })
          return answers
        }),
      )
      expect(both[0]).toEqual(both[1])
    })
  })
})
