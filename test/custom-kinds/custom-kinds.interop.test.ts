import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ApiError, type Client, type KubeObject } from '@trainjob/kube'
import { startCluster } from '@trainjob/local'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type BuiltControlPlane, buildControlPlane } from '../control-plane/build.ts'
import { CustomResourceDefinitions } from '../control-plane/definitions.ts'
import { startControlPlane } from '../control-plane/start.ts'
import { DEFINITION, Widgets, widget } from './widgets.ts'

const built = await buildControlPlane()
if ('missing' in built) process.stderr.write(`NOT RUN: custom kinds on a real control plane. ${built.missing}\n`)

const MINUTES = 60_000

/** A real server names the schema of all versions as its older API did; ours names the version. */
function named(field: string): string {
  return field.replace('spec.validation.openAPIV3Schema', 'spec.versions[0].schema.openAPIV3Schema')
}

/** A real server's messages about the status path leave its name out. */
function fromRoot(text: string): string {
  return text.replace(': ready in body', ': status.ready in body')
}

/** What a cluster made of a request, without what differs from one to the next. */
async function outcome(request: Promise<KubeObject>): Promise<object> {
  try {
    const { metadata, ...content } = (await request) as KubeObject & Record<string, unknown>
    return { generation: metadata.generation, content }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const { code, reason, message, details } = error.status
    const causes = details?.causes
      ?.map(({ field = '', reason = '', message: text = '' }) => `${named(field)} (${reason}): ${fromRoot(text)}`)
      .toSorted()
    // the order of causes is that of a map
    return causes === undefined || causes.length < 2 ? { code, reason, message, causes } : { code, reason, causes }
  }
}

describe.skipIf('missing' in built)('custom kinds of the embedded cluster and of a real one', () => {
  const closing: (() => Promise<void>)[] = []
  const clients: Client[] = []

  beforeAll(async () => {
    const dir = await mkdtemp(join(tmpdir(), 'tj-'))
    closing.push(() => rm(dir, { recursive: true, force: true }))
    const embedded = await startCluster({ dir, nodeAgent: false })
    closing.push(() => embedded.stop())
    const real = await startControlPlane(built as BuiltControlPlane)
    closing.push(() => real.stop())
    clients.push(embedded.client, real.client)
    for (const client of clients) {
      await client.create(CustomResourceDefinitions, DEFINITION)
      await established(client, 'widgets.example.com')
    }
  }, 2 * MINUTES)
  afterAll(async () => {
    for (const close of closing.reverse()) await close()
  }, MINUTES)

  async function established(client: Client, name: string): Promise<void> {
    const scope = { fieldSelector: `metadata.name=${name}`, resourceVersion: '0' }
    for await (const event of client.watch(CustomResourceDefinitions, scope)) {
      if (event.type === 'BOOKMARK') continue
      if (event.object.status?.conditions?.some(({ type, status }) => type === 'Established' && status === 'True'))
        break
    }
    // a real server serves a kind a moment after it says so
    for (;;) {
      try {
        await client.list(Widgets, { namespace: 'default' })
        return
      } catch {
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
    }
  }

  async function agree(ask: (client: Client) => Promise<KubeObject>): Promise<object> {
    const [ours, real] = await Promise.all(clients.map((client) => outcome(ask(client))))
    expect(ours).toEqual(real)
    return real ?? {}
  }

  it('have the same conditions and names', async () => {
    await agree(async (client) => {
      const { status, spec } = (await client.get(CustomResourceDefinitions, {
        name: 'widgets.example.com',
      })) as never as {
        status: { conditions: { lastTransitionTime?: string; observedGeneration?: number }[] }
        spec: { names: object; conversion: object }
      }
      const conditions = status.conditions.map(({ lastTransitionTime: _, observedGeneration: __, ...rest }) => rest)
      return {
        metadata: {},
        names: spec.names,
        conversion: spec.conversion,
        status: { ...status, conditions },
      } as never
    })
  })

  const contents: readonly object[] = [
    { size: 1 },
    { size: 2, extra: 1, free: { any: [1] }, labels: { a: 'b' }, deep: { level: 5, odd: 1 } },
    { size: 1, parts: [{ name: 'a' }, { name: 'b', unit: 'kg', odd: 1 }], tags: ['x', 'y'] },
    { size: 1, note: null, color: null },
    { size: 1, code: null },
    {},
    { size: 'big' },
    { size: 0 },
    { size: 11 },
    { size: 1, even: 3 },
    { size: 1, ratio: 0 },
    { size: 1, color: 'blue' },
    { size: 1, code: 'A' },
    { size: 1, code: 'abcdef' },
    { size: 1, at: 'yesterday' },
    { size: 1, at: '2026-12-01T09:30:00Z' },
    { size: 1, wait: '1 hour' },
    { size: 1, wait: '1h30m' },
    { size: 1, port: 'http' },
    { size: 1, port: true },
    { size: 1, labels: { a: 1 } },
    { size: 1, labels: { a: '1', b: '2', c: '3' } },
    { size: 1, tags: ['a', 'a'] },
    { size: 1, tags: ['a', 'b', 'c', 'd'] },
    { size: 1, tags: ['first'], note: 'x' },
    { size: 1, choice: { a: 'x' } },
    { size: 1, choice: { a: 'x', b: 'y' } },
    { size: 1, choice: {} },
    { size: 1, deep: 'no' },
    { size: 1, parts: [{ weight: 1 }] },
    { size: 1, parts: [{ name: 'a' }, { name: 'a' }] },
    { size: 1, parts: [{ name: 'a', unit: 'lb' }] },
    { size: 1, parts: [{ name: 'a', weight: 100 }] },
    { size: 6 },
    { size: 6, color: 'green' },
    { size: 1, memory: 'much' },
    { size: 1, memory: '2Ti' },
    { size: 1, memory: '2Gi' },
    { size: [], color: 3, parts: {} },
  ]

  it.each(contents.map((content, index) => [JSON.stringify(content), content, index] as const))(
    'make the same of %s',
    async (_, content, index) => {
      await agree((client) => client.create(Widgets, widget(`w${index}`, content)))
    },
  )

  it('have rules about the name', async () => {
    await agree((client) => client.create(Widgets, widget('forbidden', { size: 1 })))
  })

  it.each<[string, object, object]>([
    ['a field that may not change', { size: 1, code: 'abc' }, { code: 'xyz' }],
    ['one that may', { size: 1, code: 'abc' }, { size: 2 }],
    [
      'an item that may only grow',
      { size: 1, parts: [{ name: 'a', weight: 5 }] },
      { parts: [{ name: 'a', weight: 4 }] },
    ],
    [
      'its order',
      { size: 1, parts: [{ name: 'a', weight: 5 }, { name: 'b' }] },
      { parts: [{ name: 'b' }, { name: 'a', weight: 6 }] },
    ],
    ['nothing', { size: 1 }, { size: 1 }],
    ['a default', { size: 1 }, { color: null }],
  ])('treat a patch of %s alike', async (name, before, patch) => {
    const key = { name: `patch-${name.replaceAll(' ', '-')}`, namespace: 'default' }
    await agree((client) => client.create(Widgets, widget(key.name, before)))
    await agree((client) => client.patch(Widgets, key, { type: 'merge', body: { spec: patch } }))
  })

  it('check the status path', async () => {
    await agree((client) => client.create(Widgets, widget('status', { size: 1 })))
    for (const status of [{ ready: 1, odd: 2 }, { ready: 'all' }]) {
      await agree((client) =>
        client.patch(
          Widgets,
          { name: 'status', namespace: 'default' },
          { type: 'merge', body: { status } },
          { subresource: 'status' },
        ),
      )
    }
  })

  const other = (names: object, schema: object): KubeObject =>
    ({
      ...DEFINITION,
      metadata: { name: 'gadgets.example.com' },
      spec: {
        ...DEFINITION.spec,
        names: { plural: 'gadgets', kind: 'Gadget', ...names },
        versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
      },
    }) as KubeObject
  const withSpec = (schema: object) => ({ type: 'object', properties: { spec: schema } })

  it.each([
    ['another name', other({ plural: 'others' }, { type: 'object' })],
    ['an untyped value', other({}, withSpec({ description: 'x' }))],
    ['a list of anything', other({}, withSpec({ type: 'array' }))],
    ['types inside of junctors', other({}, withSpec({ type: 'string', anyOf: [{ type: 'string' }] }))],
    [
      'a keyed list without keys',
      other({}, withSpec({ type: 'array', 'x-kubernetes-list-type': 'map', items: { type: 'object' } })),
    ],
    ['a list of unique items', other({}, withSpec({ type: 'array', uniqueItems: true, items: { type: 'string' } }))],
  ])('refuse a definition with %s', async (_, definition) => {
    const [ours, real] = await Promise.all(
      clients.map(async (client) => {
        const { code, causes, message } = (await outcome(
          client.create(CustomResourceDefinitions, definition),
        )) as Record<string, unknown>
        const fields = ((causes as string[] | undefined) ?? []).map((cause) => cause.split(' (', 1)[0])
        return { code, refused: message !== undefined || fields.length > 0, fields: [...new Set(fields)] }
      }),
    )
    expect(ours).toEqual(real)
  })
})
