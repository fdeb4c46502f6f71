import { ConfigMaps, Services, TrainJobs } from '@trainjob/api'
import type { KubeObject, WriteOptions } from '@trainjob/kube'
import { array, assert, asyncProperty, constantFrom, dictionary, record } from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { type TestServer, testServer } from '../testing/test-server.ts'

const key = { namespace: 'default', name: 'a' }
const PATH = '/apis/trainer.kubeflow.org/v1alpha1/namespaces/default/trainjobs/a'
const APPLY = { 'content-type': 'application/apply-patch+yaml' }

let at: TestServer
beforeEach(async () => {
  at = await testServer()
})

function jobConfig(spec: object, metadata: object = {}): object {
  return { apiVersion: 'trainer.kubeflow.org/v1alpha1', kind: 'TrainJob', metadata: { name: 'a', ...metadata }, spec }
}

function apply(manager: string, spec: object, metadata: object = {}, options: WriteOptions & { force?: boolean } = {}) {
  const { force = false, ...rest } = options
  const patch = { type: 'apply', body: jobConfig(spec, metadata), force } as const
  return at.client.patch(TrainJobs, key, patch, { fieldManager: manager, ...rest })
}

function ownersOf(object: KubeObject): Record<string, unknown> {
  const entries = (object.metadata.managedFields ?? []) as {
    manager: string
    operation: string
    subresource?: string
    fieldsV1: unknown
  }[]
  return Object.fromEntries(
    entries.map((entry) => [
      [entry.manager, entry.operation, entry.subresource].filter((part) => part !== undefined).join(' '),
      entry.fieldsV1,
    ]),
  )
}

describe('server-side apply', () => {
  it('refuses a version that is no text', async () => {
    const body = { apiVersion: 3, kind: 'TrainJob', metadata: { name: 'a' } }
    expect(await at.send('PATCH', `${PATH}?fieldManager=kubectl`, { headers: APPLY, body })).toMatchObject({
      status: 400,
      body: { message: 'invalid object type: /3, Kind=TrainJob' },
    })
  })

  it('creates, and owns leaves and list items but not the maps around them', async () => {
    const { status, body } = await at.send('PATCH', `${PATH}?fieldManager=kubectl`, {
      headers: APPLY,
      body: jobConfig(
        { runtimeRef: { name: 'plain' }, trainer: { command: ['x'], env: [{ name: 'A', value: '1' }] } },
        { labels: { l: 'v' }, finalizers: ['x/f'] },
      ),
    })
    expect(status).toBe(201)
    expect(ownersOf(body as KubeObject)).toEqual({
      'kubectl Apply': {
        'f:metadata': { 'f:labels': { 'f:l': {} }, 'f:finalizers': { 'v:"x/f"': {} } },
        'f:spec': {
          'f:runtimeRef': { 'f:name': {} },
          'f:trainer': {
            'f:command': {},
            'f:env': { 'k:{"name":"A"}': { '.': {}, 'f:name': {}, 'f:value': {} } },
          },
        },
      },
    })
  })

  it('writes nothing when nothing changes', async () => {
    const first = await apply('a', { runtimeRef: { name: 'plain' } })
    await at.clock.advance(5_000)
    const second = await apply('a', { runtimeRef: { name: 'plain' } })
    expect(second).toBe(first)
  })

  it('removes what the manager applies no more, unless somebody else owns it', async () => {
    await apply('a', { runtimeRef: { name: 'plain' }, suspend: true, trainer: { image: 'i', env: env('A', 'B') } })
    await apply('b', { runtimeRef: { name: 'plain' }, trainer: { env: env('B') } })
    const left = await apply('a', { runtimeRef: { name: 'plain' } })
    expect(left.spec).toEqual({ runtimeRef: { name: 'plain' }, trainer: { env: env('B') } })
    const nothing = await apply('b', { runtimeRef: { name: 'plain' } })
    expect(nothing.spec).toEqual({ runtimeRef: { name: 'plain' } })
  })

  it('refuses to change what others own, and names it', async () => {
    await at.send('POST', PATH.slice(0, -2), {
      body: jobConfig({ runtimeRef: { name: 'plain' } }, { labels: { app: '1' } }),
      headers: { 'user-agent': 'maker/1.0' },
    })
    const one = apply('kubectl', { runtimeRef: { name: 'other' } })
    await expect(one).rejects.toMatchObject({
      httpCode: 409,
      reason: 'Conflict',
      message:
        'Apply failed with 1 conflict: conflict with "maker" using trainer.kubeflow.org/v1alpha1: .spec.runtimeRef.name',
    })
    await apply('kubectl', { suspend: true })
    const two = apply('third', { suspend: false, runtimeRef: { name: 'other' } }, { labels: { app: '2' } })
    await expect(two).rejects.toMatchObject({
      message: [
        'Apply failed with 3 conflicts: conflicts with "kubectl":',
        '- .spec.suspend',
        'conflicts with "maker" using trainer.kubeflow.org/v1alpha1:',
        '- .metadata.labels.app',
        '- .spec.runtimeRef.name',
      ].join('\n'),
      status: {
        details: {
          causes: expect.arrayContaining([
            { reason: 'FieldManagerConflict', message: 'conflict with "kubectl"', field: '.spec.suspend' },
          ]),
        },
      },
    })
    const forced = await apply('third', { suspend: false, runtimeRef: { name: 'other' } }, {}, { force: true })
    expect(forced.spec).toEqual({ suspend: false, runtimeRef: { name: 'other' } })
    expect(ownersOf(forced)).toEqual({
      'third Apply': { 'f:spec': { 'f:suspend': {}, 'f:runtimeRef': { 'f:name': {} } } },
      'maker Update': {
        'f:metadata': { 'f:labels': { '.': {}, 'f:app': {} } },
        'f:spec': { '.': {}, 'f:runtimeRef': {} },
      },
    })
  })

  it('shares a field that both apply alike', async () => {
    await apply('a', { runtimeRef: { name: 'plain' } })
    const shared = await apply('b', { runtimeRef: { name: 'plain' } })
    expect(ownersOf(shared)).toEqual({
      'a Apply': { 'f:spec': { 'f:runtimeRef': { 'f:name': {} } } },
      'b Apply': { 'f:spec': { 'f:runtimeRef': { 'f:name': {} } } },
    })
  })

  it('loses a field to whoever updates it', async () => {
    await apply('a', { runtimeRef: { name: 'plain' }, suspend: true })
    const patched = await at.client.patch(
      TrainJobs,
      key,
      { type: 'merge', body: { spec: { suspend: false } } },
      { fieldManager: 'u' },
    )
    expect(ownersOf(patched)).toEqual({
      'a Apply': { 'f:spec': { 'f:runtimeRef': { 'f:name': {} } } },
      'u Update': { 'f:spec': { 'f:suspend': {} } },
    })
  })

  it('keeps owners of the status apart', async () => {
    await apply('a', { runtimeRef: { name: 'plain' } })
    const status = { jobsStatus: [{ name: 'node', ready: 1, succeeded: 0, failed: 0, active: 1, suspended: 0 }] }
    const patch = { type: 'merge', body: { status, spec: { suspend: true } } } as const
    const patched = await at.client.patch(TrainJobs, key, patch, { fieldManager: 'c', subresource: 'status' })
    const owned = { '.': {}, 'k:{"name":"node"}': expect.objectContaining({ '.': {}, 'f:ready': {} }) }
    expect(ownersOf(patched)).toEqual({
      'a Apply': { 'f:spec': { 'f:runtimeRef': { 'f:name': {} } } },
      'c Update status': { 'f:status': { '.': {}, 'f:jobsStatus': owned } },
    })
  })

  it('clears owners on demand, and takes them over from a JSON patch', async () => {
    const made = await apply('a', { runtimeRef: { name: 'plain' } })
    const renamed = (made.metadata.managedFields as { manager: string }[]).map((entry) => ({ ...entry, manager: 'z' }))
    const taken = await at.client.patch(TrainJobs, key, {
      type: 'json',
      ops: [
        { op: 'replace', path: '/metadata/managedFields', value: renamed },
        { op: 'replace', path: '/metadata/resourceVersion', value: made.metadata.resourceVersion },
      ],
    })
    expect(Object.keys(ownersOf(taken))).toEqual(['z Apply'])
    const cleared = await at.client.patch(TrainJobs, key, {
      type: 'merge',
      body: { metadata: { managedFields: [{}] } },
    })
    expect(cleared.metadata.managedFields).toBeUndefined()
  })

  it('tells ports apart by number and protocol', async () => {
    const ports = (...list: object[]) => ({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'a' },
      spec: { ports: list },
    })
    const send = (manager: string, body: object) =>
      at.client.patch(Services, key, { type: 'apply', body }, { fieldManager: manager })
    await send('a', ports({ port: 80 }))
    const both = await send('b', ports({ port: 80, protocol: 'UDP' }))
    expect(both.spec.ports).toEqual([{ port: 80 }, { port: 80, protocol: 'UDP' }])
    expect(ownersOf(both)).toMatchObject({
      'a Apply': { 'f:spec': { 'f:ports': { 'k:{"port":80,"protocol":"TCP"}': { 'f:port': {} } } } },
    })
  })

  it.each([
    ['no manager', '', jobConfig({}), 422, /^PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value/],
    [
      'another name',
      '?fieldManager=m',
      jobConfig({}, { name: 'other' }),
      400,
      'the name of the object (other) does not match the name on the URL (a)',
    ],
    ['no apiVersion', '?fieldManager=m', { kind: 'TrainJob' }, 400, 'invalid object type: /, Kind=TrainJob'],
    ['owners', '?fieldManager=m', jobConfig({}, { managedFields: [] }), 400, 'metadata.managedFields must be nil'],
    [
      'a uid',
      '?fieldManager=m',
      jobConfig({}, { uid: '123' }),
      409,
      /uid mismatch: the provided object specified uid 123/,
    ],
    [
      'an item twice',
      '?fieldManager=m',
      jobConfig({ trainer: { env: env('A', 'A') } }),
      500,
      'failed to create typed patch object (/a; trainer.kubeflow.org/v1alpha1, Kind=TrainJob): .spec.trainer.env: duplicate entries for key [name="A"]',
    ],
  ])('refuses %s', async (_, query, body, code, message) => {
    const answer = await at.send('PATCH', `${PATH}${query}`, { headers: APPLY, body })
    expect(answer.status).toBe(code)
    expect((answer.body as { message: string }).message).toMatch(message)
  })

  it('refuses fields that a built-in kind does not have, whatever is said about validation', async () => {
    const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: {}, bogus: 1 }
    for (const fieldValidation of ['Strict', 'Warn', 'Ignore']) {
      const path = `/api/v1/namespaces/default/configmaps/a?fieldManager=m&fieldValidation=${fieldValidation}`
      expect(await at.send('PATCH', path, { headers: APPLY, body })).toMatchObject({
        status: 500,
        body: {
          message:
            'failed to create typed patch object (/a; /v1, Kind=ConfigMap): .bogus: field not declared in schema',
        },
      })
    }
  })

  it('leaves the object as its appliers say, whoever came first', async () => {
    const managers = constantFrom('a', 'b', 'c')
    // an empty map is not kept, so applying one is a change each time
    const data = dictionary(constantFrom('x', 'y', 'z'), constantFrom('1', '2'), { minKeys: 1 })
    await assert(
      asyncProperty(array(record({ manager: managers, data }), { minLength: 1, maxLength: 12 }), async (steps) => {
        const server = await testServer()
        const latest = new Map<string, Record<string, string>>()
        for (const { manager, data: wanted } of steps) {
          const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: wanted }
          const patch = { type: 'apply', body, force: true } as const
          const result = await server.client.patch(ConfigMaps, key, patch, { fieldManager: manager })
          // force takes fields whose values differ away from those who had applied them
          for (const [other, theirs] of latest) {
            if (other === manager) continue
            for (const name of Object.keys(wanted)) if (theirs[name] !== wanted[name]) delete theirs[name]
          }
          latest.set(manager, { ...wanted })
          expect(result.data ?? {}).toEqual(Object.assign({}, ...latest.values()))
          expect(await server.client.patch(ConfigMaps, key, patch, { fieldManager: manager })).toBe(result)
        }
      }),
      { numRuns: 60 },
    )
  })
})

function env(...names: string[]): { name: string; value: string }[] {
  return names.map((name) => ({ name, value: '1' }))
}
