import { ApiError, type Client } from '@trainjob/kube'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type TestServer, testServer } from '../testing/test-server.ts'
import { createDefinitionController } from './controller.ts'
import { CustomResourceDefinitions } from './definition.ts'
import { WIDGET_SCHEMA, Widgets, widget, widgetDefinition } from './testing/widgets.ts'

let server: TestServer
let client: Client
let stopping: AbortController
let ended: Promise<void>

async function start(store?: TestServer['store']): Promise<void> {
  server = await testServer(store === undefined ? {} : { store })
  client = server.client
  stopping = new AbortController()
  ended = createDefinitionController({ client, clock: server.clock }).start(stopping.signal)
}

beforeEach(() => start())
afterEach(async () => {
  stopping.abort()
  await ended
})

/** The path of a widget, or of all. */
const at = (name = '', version = 'v1') =>
  `/apis/example.com/${version}/namespaces/default/widgets${name === '' ? '' : `/${name}`}`

async function define(definition = widgetDefinition()): Promise<void> {
  await client.create(CustomResourceDefinitions, definition)
  await untilCondition(definition.metadata.name ?? '', 'Established')
}

async function untilCondition(name: string, type: string, status = 'True'): Promise<void> {
  const scope = { fieldSelector: `metadata.name=${name}`, resourceVersion: '0' }
  for await (const event of client.watch(CustomResourceDefinitions, scope)) {
    if (event.type === 'BOOKMARK') continue
    if (event.object.status?.conditions?.some((one) => one.type === type && one.status === status)) return
  }
}

const causesOf = async (request: Promise<unknown>) => {
  const error = await request.then(
    () => new Error('it was accepted'),
    (reason: unknown) => reason,
  )
  if (!(error instanceof ApiError)) throw error
  return error.status.details?.causes?.map(({ field, message }) => `${field}: ${message}`)
}

describe('a definition', () => {
  it('serves its kind once its names are accepted', async () => {
    expect((await server.send('GET', at())).status).toBe(404)
    await define()
    const definition = await client.get(CustomResourceDefinitions, { name: 'widgets.example.com' })
    expect(definition.spec.names).toEqual({
      plural: 'widgets',
      singular: 'widget',
      kind: 'Widget',
      listKind: 'WidgetList',
      shortNames: ['wd'],
    })
    expect(definition.spec.conversion).toEqual({ strategy: 'None' })
    expect(definition.status).toMatchObject({
      acceptedNames: { plural: 'widgets' },
      storedVersions: ['v1'],
      conditions: [
        { type: 'NamesAccepted', status: 'True', reason: 'NoConflicts', message: 'no conflicts found' },
        { type: 'Established', status: 'True', reason: 'InitialNamesAccepted' },
      ],
    })
    const { body } = await server.send('GET', '/apis/example.com/v1')
    expect(body).toMatchObject({
      groupVersion: 'example.com/v1',
      resources: [
        { name: 'widgets', singularName: 'widget', kind: 'Widget', namespaced: true, shortNames: ['wd'] },
        { name: 'widgets/scale', kind: 'Scale', group: 'autoscaling', version: 'v1' },
        { name: 'widgets/status', kind: 'Widget' },
      ],
    })
    expect((await server.send('GET', at())).body).toMatchObject({ kind: 'WidgetList', items: [] })
    const openApi = (await server.send('GET', '/openapi/v3/apis/example.com/v1')).body
    expect(openApi).toMatchObject({
      components: { schemas: { 'com.example.v1.Widget': { properties: { spec: { required: ['size'] } } } } },
    })
  })

  it('takes its objects with it, and waits for those that are held', async () => {
    await define()
    await client.create(Widgets, widget('free'))
    await client.create(Widgets, {
      ...widget('held'),
      metadata: { name: 'held', namespace: 'default', finalizers: ['a/b'] },
    })
    await client.delete(CustomResourceDefinitions, { name: 'widgets.example.com' })
    for await (const event of client.watch(Widgets, { resourceVersion: '0' })) {
      if (event.type === 'DELETED') break
    }
    const going = await client.get(CustomResourceDefinitions, { name: 'widgets.example.com' })
    expect(going.metadata.finalizers).toEqual(['customresourcecleanup.apiextensions.k8s.io'])
    const { resourceVersion = '' } = (await client.list(CustomResourceDefinitions)).metadata
    await client.patch(
      Widgets,
      { name: 'held', namespace: 'default' },
      { type: 'merge', body: { metadata: { finalizers: null } } },
    )
    const gone = (async () => {
      for await (const event of client.watch(CustomResourceDefinitions, { resourceVersion })) {
        if (event.type === 'DELETED') return
      }
    })()
    await server.clock.advance(1000)
    await gone
    expect((await server.send('GET', at())).status).toBe(404)
    // nothing of it is left for another definition of that name
    await define()
    expect((await client.list(Widgets)).items).toEqual([])
  })

  it('whose names another one has is not served until they are free', async () => {
    await define()
    const rival = widgetDefinition({ name: 'gadgets.example.com', names: { plural: 'gadgets', kind: 'Gadget' } })
    await client.create(CustomResourceDefinitions, rival)
    await untilCondition('gadgets.example.com', 'Established', 'False')
    const { status } = await client.get(CustomResourceDefinitions, { name: 'gadgets.example.com' })
    expect(status?.conditions).toMatchObject([
      { type: 'NamesAccepted', status: 'False', reason: 'ShortNamesConflict', message: '"wd" is already in use' },
      { type: 'Established', status: 'False', reason: 'NotAccepted', message: 'not all names are accepted' },
    ])
    expect((await server.send('GET', '/apis/example.com/v1/gadgets')).status).toBe(404)
    await client.delete(CustomResourceDefinitions, { name: 'widgets.example.com' })
    await untilCondition('gadgets.example.com', 'Established')
    expect((await server.send('GET', '/apis/example.com/v1/gadgets')).status).toBe(200)
  })

  it('is served again by a server that starts on the same store', async () => {
    await define()
    await client.create(Widgets, widget('a'))
    stopping.abort()
    await ended
    await start(server.store)
    expect((await client.list(Widgets)).items).toMatchObject([{ metadata: { name: 'a' } }])
  })

  it('of a kind that is built in changes nothing about it', async () => {
    const names = { plural: 'trainjobs', kind: 'TrainJob' }
    const spec = { group: 'trainer.kubeflow.org' }
    await define(widgetDefinition({ name: 'trainjobs.trainer.kubeflow.org', names, spec: { ...spec, names } }))
    const { body } = await server.send('GET', '/apis/trainer.kubeflow.org/v1alpha1')
    expect(body).toMatchObject({ resources: expect.arrayContaining([expect.objectContaining({ name: 'trainjobs' })]) })
    expect((await server.send('GET', '/apis/trainer.kubeflow.org/v1/trainjobs')).status).toBe(404)
  })

  const broken = (schema: object) =>
    ({ schema: { openAPIV3Schema: { type: 'object', properties: { spec: schema } } } }) as never
  const spec0 = 'spec.versions[0].schema.openAPIV3Schema.properties[spec]'
  it.each([
    [
      'a name of its own',
      { name: 'others.example.com' },
      ['metadata.name: Invalid value: "others.example.com": must be spec.names.plural+"."+spec.group'],
    ],
    [
      'no storage version',
      { version: { storage: false } },
      [expect.stringMatching(/^spec.versions: .* must have exactly one version marked as storage version$/)],
    ],
    [
      'no schema',
      { version: { schema: {} } },
      ['spec.versions[0].schema.openAPIV3Schema: Required value: schemas are required'],
    ],
    [
      'an untyped value',
      { version: broken({ description: 'x' }) },
      [`${spec0}.type: Required value: must not be empty for specified object fields`],
    ],
    [
      'a list of anything',
      { version: broken({ type: 'array' }) },
      [`${spec0}.items: Required value: must be specified`],
    ],
    [
      'a broken pattern',
      { version: broken({ type: 'string', pattern: '(' }) },
      [expect.stringContaining('must be a valid regular expression')],
    ],
    [
      'a default of another type',
      { version: broken({ type: 'string', default: 3 }) },
      [expect.stringContaining(`${spec0}.default: Invalid value: "integer"`)],
    ],
    [
      'types inside of junctors',
      { version: broken({ type: 'string', anyOf: [{ type: 'string' }] }) },
      [`${spec0}.anyOf[0].type: Forbidden: must be undefined to be structural`],
    ],
    [
      'a rule that is no expression',
      { version: broken({ type: 'object', 'x-kubernetes-validations': [{ rule: 'self.a ==' }] }) },
      [
        expect.stringContaining(
          `${spec0}.x-kubernetes-validations[0].rule: Invalid value: "self.a ==": compilation failed`,
        ),
      ],
    ],
    [
      'a rule that says neither yes nor no',
      { version: broken({ type: 'object', 'x-kubernetes-validations': [{ rule: '1 + 1' }] }) },
      [expect.stringContaining('must evaluate to a bool, found int')],
    ],
    [
      'a converting webhook',
      { spec: { conversion: { strategy: 'Webhook' } } },
      [expect.stringContaining('this cluster converts by changing apiVersion only')],
    ],
    [
      'a column of a strange type',
      { version: { additionalPrinterColumns: [{ name: 'A', type: 'text', jsonPath: '.a' }] } },
      [expect.stringContaining('spec.versions[0].additionalPrinterColumns[0].type: Unsupported value: "text"')],
    ],
  ])('with %s is refused', async (_, change, causes) => {
    expect(await causesOf(client.create(CustomResourceDefinitions, widgetDefinition(change)))).toEqual(causes)
  })

  it('cannot change what its objects are stored under', async () => {
    await define()
    const body = { spec: { scope: 'Cluster', names: { kind: 'Gizmo' } } }
    const change = client.patch(CustomResourceDefinitions, { name: 'widgets.example.com' }, { type: 'merge', body })
    expect(await causesOf(change)).toEqual([
      'spec.scope: Invalid value: "Cluster": field is immutable',
      'spec.names.kind: Invalid value: "Gizmo": field is immutable',
    ])
  })
})

describe('an object of a defined kind', () => {
  beforeEach(() => define())

  it('gets defaults and loses what is not declared, with a warning', async () => {
    const { status, headers, body } = await server.send('POST', at(), {
      body: widget('a', {
        size: 2,
        extra: 1,
        free: { any: [1] },
        parts: [{ name: 'x', odd: true }],
        labels: { a: 'b' },
      }),
    })
    expect(status).toBe(201)
    expect(headers.warning).toBe(
      '299 - "unknown field \\"spec.extra\\"", 299 - "unknown field \\"spec.parts[0].odd\\""',
    )
    expect(body).toMatchObject({ metadata: { generation: 1 } })
    expect((body as { spec: object }).spec).toEqual({
      size: 2,
      color: 'red',
      replicas: 1,
      free: { any: [1] },
      parts: [{ name: 'x', weight: 1 }],
      labels: { a: 'b' },
    })
    const strict = await server.send('POST', `${at()}?fieldValidation=Strict`, {
      body: widget('b', { size: 2, extra: 1 }),
    })
    expect(strict.status).toBe(400)
    expect(strict.body).toMatchObject({ message: expect.stringContaining('unknown field "spec.extra"') })
  })

  it('keeps nulls where they are allowed and takes them for nothing elsewhere', async () => {
    const created = await client.create(Widgets, widget('a', { size: 1, note: null, color: null }))
    expect(created.spec).toMatchObject({ note: null, color: 'red' })
    expect((await client.create(Widgets, widget('b', { size: 1, code: null }))).spec).not.toHaveProperty('code')
  })

  it.each([
    [{}, ['spec.size: Required value']],
    [{ size: 'big' }, ['spec.size: Invalid value: "string": spec.size in body must be of type integer: "string"']],
    [{ size: 0 }, ['spec.size: Invalid value: 0: spec.size in body should be greater than or equal to 1']],
    [{ size: 1, color: 'blue' }, ['spec.color: Unsupported value: "blue": supported values: "red", "green"']],
    [{ size: 1, code: 'A' }, ['spec.code: Invalid value: "A": spec.code in body should match \'^[a-z]+$\'']],
    [{ size: 1, code: 'abcdef' }, ['spec.code: Too long: may not be more than 5 bytes']],
    [
      { size: 1, port: true },
      ['spec.port: Invalid value: "boolean": spec.port in body must be of type integer,string: "boolean"'],
    ],
    [
      { size: 1, labels: { a: 1 } },
      ['spec.labels.a: Invalid value: "integer": spec.labels.a in body must be of type string: "integer"'],
    ],
    [{ size: 1, parts: [{ name: 'a' }, { name: 'a' }] }, ['spec.parts[1]: Duplicate value: {"name":"a"}']],
  ])('%j is refused', async (spec, causes) => {
    const found = await causesOf(client.create(Widgets, widget('a', spec)))
    // with wrong types, sizes and choices nobody asks the rules
    expect(found?.filter((cause) => !cause.startsWith('<nil>: Invalid value: null: some validation rules'))).toEqual(
      causes,
    )
  })

  it.each([
    [{ size: 6 }, ['spec.size: Invalid value: only green ones may be large']],
    [
      { size: 1, parts: [{ name: 'a', unit: 'lb' }] },
      ["spec.parts[0].unit: Forbidden: failed rule: self in ['g', 'kg']"],
    ],
  ])('%j breaks a rule', async (spec, causes) => {
    expect(await causesOf(client.create(Widgets, widget('a', spec)))).toEqual(causes)
  })

  it('is held against its former self by rules about changes only', async () => {
    await client.create(Widgets, widget('a', { size: 6, color: 'green', code: 'abc' }))
    const key = { name: 'a', namespace: 'default' }
    const patch = (spec: object) => client.patch(Widgets, key, { type: 'merge', body: { spec } })
    expect(await causesOf(patch({ code: 'xyz' }))).toEqual(['spec: Invalid value: code is immutable'])
    expect((await patch({ size: 7 })).metadata.generation).toBe(2)
  })

  it('may keep a fault that a newer schema finds, but not get another one', async () => {
    await client.create(Widgets, widget('a', { size: 9, color: 'green' }))
    const stricter = structuredClone(WIDGET_SCHEMA) as { properties: { spec: { properties: { size: object } } } }
    stricter.properties.spec.properties.size = { type: 'integer', maximum: 3 }
    const current = await client.get(CustomResourceDefinitions, { name: 'widgets.example.com' })
    const versions = [{ ...current.spec.versions[0], schema: { openAPIV3Schema: stricter } }]
    await client.update(CustomResourceDefinitions, {
      ...current,
      spec: { ...current.spec, versions: versions as never },
    })
    const key = { name: 'a', namespace: 'default' }
    const patch = (spec: object) => client.patch(Widgets, key, { type: 'merge', body: { spec } })
    await patch({ replicas: 2 })
    expect(await causesOf(patch({ size: 8 }))).toContainEqual(expect.stringContaining('spec.size: Invalid value: 8'))
  })

  it('has a status and a scale of its own', async () => {
    const created = await client.create(Widgets, { ...widget('a'), status: { ready: 1 } } as never)
    expect(created.status).toBeUndefined()
    const withStatus = { ...created, spec: { size: 9 }, status: { ready: 3, phase: 'Up', odd: 1 } }
    const written = await client.update(Widgets, withStatus as never, { subresource: 'status' })
    expect(written).toMatchObject({ spec: { size: 1 }, status: { ready: 3, phase: 'Up' }, metadata: { generation: 1 } })
    expect(written.status).not.toHaveProperty('odd')
    const wrong = client.update(Widgets, { ...written, status: { ready: 'all' } } as never, { subresource: 'status' })
    expect(await causesOf(wrong)).toContainEqual(
      expect.stringContaining('status.ready in body must be of type integer'),
    )

    const scale = await server.send('GET', `${at('a')}/scale`)
    expect(scale.body).toMatchObject({ kind: 'Scale', spec: { replicas: 1 }, status: { replicas: 3 } })
    await server.send('PATCH', `${at('a')}/scale`, {
      headers: { 'content-type': 'application/merge-patch+json' },
      body: { spec: { replicas: 4 } },
    })
    expect((await client.get(Widgets, { name: 'a', namespace: 'default' })).spec.replicas).toBe(4)
  })

  it('is shown in the columns of its definition', async () => {
    await client.create(Widgets, widget('a', { size: 3 }))
    const { body } = await server.send('GET', at(), {
      headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' },
    })
    const { columnDefinitions, rows } = body as { columnDefinitions: { name: string }[]; rows: { cells: unknown[] }[] }
    expect(columnDefinitions.map(({ name }) => name)).toEqual(['Name', 'Size', 'Phase'])
    expect(rows.map(({ cells }) => cells)).toEqual([['a', 3, null]])
    const definitions = await server.send('GET', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
      headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' },
    })
    expect(definitions.body).toMatchObject({
      columnDefinitions: [{ name: 'Name' }, { name: 'Created At' }],
      rows: [{ cells: ['widgets.example.com', '2026-12-01T09:30:00Z'] }],
    })
  })

  it('has owners for the items of its lists, and for no default', async () => {
    const apply = (manager: string, spec: object) =>
      server.send('PATCH', `${at('a')}?fieldManager=${manager}`, {
        headers: { 'content-type': 'application/apply-patch+yaml' },
        body: widget('a', spec),
      })
    expect((await apply('one', { size: 1, parts: [{ name: 'x', weight: 2 }] })).status).toBe(201)
    const both = await apply('two', { size: 1, parts: [{ name: 'y' }] })
    expect((both.body as { spec: { parts: unknown } }).spec.parts).toEqual([
      { name: 'x', weight: 2 },
      { name: 'y', weight: 1 },
    ])
    const conflict = await apply('two', { size: 1, parts: [{ name: 'x', weight: 3 }] })
    expect(conflict.status).toBe(409)
    expect(conflict.body).toMatchObject({ message: expect.stringContaining('.spec.parts[name="x"].weight') })
    // what nobody applied belongs to nobody
    expect((await apply('three', { size: 1, color: 'green' })).status).toBe(200)
  })
})

describe('versions of a kind', () => {
  it('show the same objects, each under its own name', async () => {
    const [v1] = widgetDefinition().spec.versions
    const versions = [{ ...v1, name: 'v1beta1', storage: false }, v1] as never
    await define(widgetDefinition({ spec: { versions } }))
    const { body: group } = await server.send('GET', '/apis/example.com')
    expect(group).toMatchObject({ preferredVersion: { version: 'v1' } })
    await client.create(Widgets, widget('a'))
    const beta = { apiVersion: 'example.com/v1beta1' }
    const created = await server.send('POST', at('', 'v1beta1'), { body: { ...widget('b'), ...beta } })
    expect(created.body).toMatchObject(beta)
    expect((await server.send('GET', at('a', 'v1beta1'))).body).toMatchObject(beta)
    expect((await server.send('GET', at())).body).toMatchObject({
      items: [{ apiVersion: 'example.com/v1' }, { apiVersion: 'example.com/v1' }],
    })
    for await (const event of client.watch({ ...Widgets, version: 'v1beta1' }, { resourceVersion: '0' })) {
      expect(event.object).toMatchObject(beta)
      break
    }
  })
})
