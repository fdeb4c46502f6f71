import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type BuiltControlPlane, buildControlPlane } from '../control-plane/build.ts'
import { normalAnswer } from '../wire/normal-answer.ts'
import { embeddedServer, realServer, type WireAnswer, type WireRequest, type WireServer } from '../wire/wire-server.ts'
import { type AdmissionQuestion, serveWebhooks, type WebhookAnswer, type WebhookServer } from './webhook-server.ts'

const built = await buildControlPlane()
if ('missing' in built) process.stderr.write(`NOT RUN: webhooks on a real control plane. ${built.missing}\n`)

const MINUTES = 60_000
const CONFIGURATIONS = '/apis/admissionregistration.k8s.io/v1'

function patching(...operations: object[]): WebhookAnswer {
  const patch = Buffer.from(JSON.stringify(operations)).toString('base64')
  return { response: { allowed: true, patchType: 'JSONPatch', patch } }
}

const label = (name: string, value: string): object => ({ op: 'add', path: `/metadata/labels/${name}`, value })
const denial = (status?: object): WebhookAnswer => ({ response: { allowed: false, ...(status && { status }) } })
const allowed: WebhookAnswer = { response: { allowed: true } }

const ANSWERS: Readonly<Record<string, (question: AdmissionQuestion) => WebhookAnswer>> = {
  '/allow': () => allowed,
  '/warn': () => ({ response: { allowed: true, warnings: ['take care', 'of "quotes"'] } }),
  '/label-a': () => patching(label('a', 'yes')),
  '/label-b': () => patching(label('b', 'yes')),
  '/count': ({ object }) => {
    const { labels } = (object as { metadata: { labels: Record<string, string> } }).metadata
    return patching(label('count', String(Number(labels.count ?? '0') + 1)))
  },
  '/data': () => patching({ op: 'add', path: '/data', value: { from: 'webhook' } }),
  '/unknown-field': () => patching({ op: 'add', path: '/spec', value: { x: 1 } }),
  '/wrong-type': () => patching({ op: 'add', path: '/data', value: { x: 1 } }),
  '/no-such-path': () => patching({ op: 'replace', path: '/data/nothing/here', value: 1 }),
  '/finalizer': () => patching({ op: 'add', path: '/metadata/finalizers', value: ['example.com/held'] }),
  '/rename': () => patching({ op: 'replace', path: '/metadata/uid', value: 'mine' }),
  '/deny': () => denial({ message: 'not today' }),
  '/deny-silently': () => denial(),
  '/deny-teapot': () =>
    denial({
      code: 418,
      reason: 'Teapot',
      message: 'short and stout',
      details: { name: 'x', causes: [{ field: 'a' }] },
    }),
  '/deny-success': () => denial({ code: 200, reason: 'Odd' }),
  '/patch-without-type': () => ({ response: { allowed: true, patch: 'W10=' } }),
  '/type-without-patch': () => ({ response: { allowed: true, patchType: 'JSONPatch' } }),
  '/other-uid': () => ({ response: { allowed: true }, uid: 'other' }),
  '/other-version': () => ({ response: { allowed: true }, apiVersion: 'admission.k8s.io/v1beta1' }),
  '/not-found': () => ({ status: 404, text: 'nobody home' }),
  '/broken': () => ({ status: 500, text: 'out of order' }),
  '/late': () => 'never',
}

interface Hook {
  readonly path: string
  readonly kind?: 'Mutating' | 'Validating'
  readonly more?: object
  /** Of the configuration; those of one name are one configuration. */
  readonly name?: string
}

describe.skipIf('missing' in built)('registered webhooks of the embedded cluster and of a real one', () => {
  const servers: WireServer[] = []
  let webhooks: WebhookServer
  let scenario = 0

  beforeAll(async () => {
    webhooks = await serveWebhooks(ANSWERS)
    servers.push(await embeddedServer(), await realServer(built as BuiltControlPlane))
  }, 2 * MINUTES)
  afterAll(async () => {
    for (const server of servers) await server.close()
    await webhooks?.close()
  }, MINUTES)

  function configurationOf({ path, kind = 'Mutating', more, name = path.slice(1) }: Hook, namespace: string): object {
    return {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: `${kind}WebhookConfiguration`,
      metadata: { name: `${namespace}-${name}` },
      webhooks: [
        {
          name: `${name}.example.com`,
          clientConfig: { url: `${webhooks.url}${path}`, caBundle: webhooks.caBundle },
          rules: [
            {
              operations: ['CREATE', 'UPDATE', 'DELETE'],
              apiGroups: [''],
              apiVersions: ['v1'],
              resources: ['configmaps'],
            },
          ],
          namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } },
          sideEffects: 'None',
          admissionReviewVersions: ['v1'],
          ...more,
        },
      ],
    }
  }

  const collectionOf = (hook: Hook): string =>
    `${CONFIGURATIONS}/${(hook.kind ?? 'Mutating').toLowerCase()}webhookconfigurations`

  /** A request, its answer, and what webhooks were asked meanwhile, without what differs between clusters. */
  async function outcome(server: WireServer, requests: readonly WireRequest[]): Promise<object[]> {
    const outcomes: object[] = []
    for (const request of requests) {
      webhooks.taken()
      const answer = await server.ask(request)
      const asked = webhooks.taken().map(({ path, review }) => ({ path, review: normal(review) }))
      outcomes.push({ ...told(answer), asked: asked.toSorted((a, b) => (a.path < b.path ? -1 : 1)) })
    }
    return outcomes
  }

  function told({ status, headers, body }: WireAnswer): object {
    return { status, warning: headers.warning, body: normal(body) }
  }

  function normal(value: unknown): unknown {
    const text = JSON.stringify(normalAnswer(value))
      .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'UID')
      .replaceAll(webhooks.url, 'URL')
      .replaceAll(/made-[a-z0-9]{5}/g, 'made-NAME')
    return JSON.parse(text) as unknown
  }

  /** Registers webhooks on both servers, sends the same requests to both, and compares. */
  async function agree(
    hooks: readonly Hook[],
    requests: (namespace: string) => readonly WireRequest[],
  ): Promise<unknown[]> {
    const both: object[][] = []
    const namespace = `n${++scenario}`
    for (const server of servers) {
      await server.ask({ method: 'POST', path: '/api/v1/namespaces', body: { metadata: { name: namespace } } })
      for (const hook of hooks) {
        const made = await server.ask({
          method: 'POST',
          path: collectionOf(hook),
          body: configurationOf(hook, namespace),
        })
        expect(made.status, made.text).toBe(201)
      }
      // a real server needs a moment to see them, and sees them in order of their versions for each kind
      for (const kind of server.name === 'real' ? (['Mutating', 'Validating'] as const) : []) {
        await seen(server, kind, namespace)
      }
      both.push(await outcome(server, requests(namespace)))
      for (const hook of hooks) {
        const { metadata } = configurationOf(hook, namespace) as { metadata: { name: string } }
        await server.ask({ method: 'DELETE', path: `${collectionOf(hook)}/${metadata.name}` })
      }
    }
    expect(both[0]).toEqual(both[1])
    return both[1] ?? []
  }

  /** Waits until a webhook is called that was registered after all others. */
  async function seen(server: WireServer, kind: 'Mutating' | 'Validating', namespace: string): Promise<void> {
    const rules = [{ operations: ['*'], apiGroups: [''], apiVersions: ['v1'], resources: ['secrets'] }]
    const last: Hook = { path: '/deny', kind, name: `zz-last-${kind.toLowerCase()}`, more: { rules } }
    await server.ask({ method: 'POST', path: collectionOf(last), body: configurationOf(last, namespace) })
    const probe = {
      method: 'POST',
      path: `/api/v1/namespaces/${namespace}/secrets?dryRun=All`,
      body: { metadata: { name: 'probe', labels: { a: 'b' } } },
    }
    while ((await server.ask(probe)).status < 400) await sleep(50)
    await server.ask({ method: 'DELETE', path: `${collectionOf(last)}/${namespace}-${last.name}` })
    while ((await server.ask(probe)).status >= 400) await sleep(50)
  }

  const path = (namespace: string, name = '') => `/api/v1/namespaces/${namespace}/configmaps${name && `/${name}`}`
  const create = (namespace: string, name: string, more: object = {}, query = ''): WireRequest => ({
    method: 'POST',
    path: `${path(namespace)}${query}`,
    body: { metadata: { name, labels: { own: 'yes' } }, ...more },
  })

  it('are told the same of every kind of write', async () => {
    const answers = await agree([{ path: '/label-a' }, { path: '/warn', kind: 'Validating' }], (namespace) =>
      [
        create(namespace, 'one'),
        create(namespace, 'one'),
        create(namespace, 'tried', {}, '?dryRun=All&fieldManager=me&fieldValidation=Strict'),
        {
          method: 'POST',
          path: path(namespace),
          body: { metadata: { generateName: 'made-', labels: { l: 'm' } }, data: { a: 'b' } },
        },
        {
          method: 'PUT',
          path: path(namespace, 'one'),
          body: { metadata: { name: 'one', labels: { own: 'no' } }, data: { x: 'y' } },
        },
        {
          method: 'PATCH',
          path: `${path(namespace, 'one')}?fieldManager=me`,
          headers: { 'content-type': 'application/merge-patch+json' },
          body: { data: { x: 'z' } },
        },
        {
          method: 'PATCH',
          path: path(namespace, 'one'),
          headers: { 'content-type': 'application/merge-patch+json' },
          body: { data: { x: 'z' } },
        },
        {
          method: 'PATCH',
          path: `${path(namespace, 'applied')}?fieldManager=me&force=true`,
          headers: { 'content-type': 'application/apply-patch+yaml' },
          body: {
            apiVersion: 'v1',
            kind: 'ConfigMap',
            metadata: { name: 'applied', labels: { l: 'm' } },
            data: { x: 'z' },
          },
        },
      ].map((request) => request),
    )
    expect(answers[0]).toMatchObject({ status: 201, body: { metadata: { labels: { own: 'yes', a: 'yes' } } } })
  })

  it('are told of what goes', async () => {
    await agree([{ path: '/allow' }, { path: '/warn', kind: 'Validating' }], (namespace) => [
      create(namespace, 'one'),
      {
        method: 'DELETE',
        path: path(namespace, 'one'),
        body: { propagationPolicy: 'Background', gracePeriodSeconds: 3 },
      },
      { method: 'DELETE', path: path(namespace, 'one') },
    ])
  })

  it.each(['/deny', '/deny-silently', '/deny-teapot', '/deny-success'])('refuse alike: %s', async (hook) => {
    await agree([{ path: hook }], (namespace) => [create(namespace, 'one')])
    await agree([{ path: hook, kind: 'Validating' }], (namespace) => [create(namespace, 'one')])
  })

  it.each([
    '/data',
    '/unknown-field',
    '/finalizer',
    '/patch-without-type',
    '/type-without-patch',
    '/other-uid',
    '/not-found',
    '/broken',
  ])('answer alike, also when they may not be asked: %s', async (hook) => {
    await agree([{ path: hook }], (namespace) => [create(namespace, 'one')])
    await agree([{ path: hook, more: { failurePolicy: 'Ignore' } }], (namespace) => [create(namespace, 'one')])
  })

  it.each(['/no-such-path', '/other-version'])('fail for a reason of their own: %s', async (hook) => {
    const namespace = `n${++scenario}`
    for (const server of servers) {
      await server.ask({ method: 'POST', path: '/api/v1/namespaces', body: { metadata: { name: namespace } } })
      await server.ask({
        method: 'POST',
        path: collectionOf({ path: hook }),
        body: configurationOf({ path: hook }, namespace),
      })
      await seen(server, 'Mutating', namespace)
      const { body } = await server.ask(create(namespace, 'one'))
      expect(body).toMatchObject({ code: 500, reason: 'InternalError' })
      await server.ask({
        method: 'DELETE',
        path: `${collectionOf({ path: hook })}/${namespace}${hook.replace('/', '-')}`,
      })
    }
  })

  it('fail alike where nobody answers in time, nobody listens, and nobody is trusted', async () => {
    await agree([{ path: '/late', more: { timeoutSeconds: 1 } }], (namespace) => [create(namespace, 'one')])
    const gone = { clientConfig: { url: 'https://127.0.0.1:1/none' } }
    await agree([{ path: '/gone', more: gone }], (namespace) => [create(namespace, 'one')])
    await agree([{ path: '/strange', more: { clientConfig: { url: `${webhooks.url}/allow` } } }], (namespace) => [
      create(namespace, 'one'),
    ])
    await agree(
      [{ path: '/strange', more: { clientConfig: { url: `${webhooks.url}/allow` }, failurePolicy: 'Ignore' } }],
      (namespace) => [create(namespace, 'one')],
    )
  })

  it('are asked in the order of names, and again where they want to be', async () => {
    await agree(
      [
        { path: '/count', name: 'a-count', more: { reinvocationPolicy: 'IfNeeded' } },
        { path: '/label-b', name: 'b-label' },
        { path: '/count', name: 'c-count' },
        { path: '/label-a', name: 'd-label', more: { reinvocationPolicy: 'IfNeeded' } },
      ],
      (namespace) => [create(namespace, 'one')],
    )
  })

  it.each<[string, object]>([
    ['objects with a label', { objectSelector: { matchLabels: { own: 'yes' } } }],
    [
      'objects with another',
      { objectSelector: { matchExpressions: [{ key: 'own', operator: 'NotIn', values: ['yes'] }] } },
    ],
    ['another namespace', { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'default' } } }],
    [
      'another operation',
      { rules: [{ operations: ['UPDATE'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*'] }] },
    ],
    [
      'cluster scope',
      { rules: [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*'], scope: 'Cluster' }] },
    ],
    [
      'everything in namespaces',
      { rules: [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'], scope: 'Namespaced' }] },
    ],
    ['subresources', { rules: [{ operations: ['*'], apiGroups: [''], apiVersions: ['*'], resources: ['*/status'] }] }],
    ['a name', { matchConditions: [{ name: 'is-one', expression: "object.metadata.name == 'one'" }] }],
    [
      'a manager',
      {
        matchConditions: [
          { name: 'm', expression: "request.operation == 'CREATE' && !has(request.options.fieldManager)" },
        ],
      },
    ],
    ['what is not there', { matchConditions: [{ name: 'x', expression: 'object.data.x.y == 1' }] }],
    [
      'what is not there, or not',
      { failurePolicy: 'Ignore', matchConditions: [{ name: 'x', expression: 'object.data.x == "1"' }] },
    ],
    [
      'nothing, whatever is wrong',
      {
        matchConditions: [
          { name: 'x', expression: 'object.data.x == "1"' },
          { name: 'no', expression: 'false' },
        ],
      },
    ],
    [
      'whoever may do a thing',
      {
        matchConditions: [
          {
            name: 'a',
            expression: "authorizer.group('').resource('pods').namespace('default').check('create').allowed()",
          },
        ],
      },
    ],
    ['what was', { matchConditions: [{ name: 'old', expression: 'oldObject == null' }] }],
  ])('match alike: %s', async (_, more) => {
    await agree([{ path: '/label-a', more }], (namespace) => [create(namespace, 'one')])
  })

  it.each<[string, object]>([
    ['no side effects', { sideEffects: undefined }],
    ['some side effects', { sideEffects: 'Some' }],
    ['a plain name', { name: 'short' }],
    ['http', { clientConfig: { url: 'http://127.0.0.1/x' } }],
    ['a query', { clientConfig: { url: 'https://127.0.0.1/x?y=z' } }],
    ['a user', { clientConfig: { url: 'https://me@127.0.0.1/x' } }],
    ['two places', { clientConfig: { url: 'https://127.0.0.1/x', service: { name: 'a', namespace: 'b' } } }],
    ['a nameless service', { clientConfig: { service: { name: '', namespace: '', port: 70000 } } }],
    ['a long time', { timeoutSeconds: 31 }],
    ['unknown policies', { failurePolicy: 'Maybe', matchPolicy: 'Near', reinvocationPolicy: 'Always' }],
    ['unknown versions', { admissionReviewVersions: ['v9'] }],
    ['no versions', { admissionReviewVersions: [] }],
    ['empty rules', { rules: [{}] }],
    [
      'rules that say too much',
      {
        rules: [
          {
            operations: ['*', 'CREATE', 'SHOW'],
            apiGroups: ['*', ''],
            apiVersions: ['*', 'v1'],
            resources: ['*', 'pods', 'pods/*', 'pods/log'],
            scope: 'Some',
          },
        ],
      },
    ],
    [
      'a selector of nothing',
      {
        objectSelector: {
          matchExpressions: [
            { key: 'a', operator: 'In' },
            { key: 'b', operator: 'Exists', values: ['c'] },
            { key: 'c', operator: 'Like' },
          ],
        },
      },
    ],
    ['a condition without a name', { matchConditions: [{ name: 'a', expression: '' }] }],
  ])('cannot be registered with %s', async (_, more) => {
    const hook: Hook = { path: '/allow', more }
    const [ours, real] = await Promise.all(
      servers.map(async (server) =>
        told(await server.ask({ method: 'POST', path: collectionOf(hook), body: configurationOf(hook, 'default') })),
      ),
    )
    expect(ours).toEqual(real)
  })

  it('cannot be registered with a condition that is none', async () => {
    for (const expression of ['object.metadata.', '1 + 1', 'nobody.name == "x"']) {
      const hook: Hook = { path: '/allow', more: { matchConditions: [{ name: 'a', expression }] } }
      for (const server of servers) {
        const { status, body } = await server.ask({
          method: 'POST',
          path: collectionOf(hook),
          body: configurationOf(hook, 'default'),
        })
        expect(status, `${server.name}: ${expression}`).toBe(422)
        const causes = (body as { details: { causes: { field: string; reason: string }[] } }).details.causes
        expect(causes.map(({ field, reason }) => [field, reason])).toEqual([
          ['webhooks[0].matchConditions[0].expression', 'FieldValueInvalid'],
        ])
      }
    }
  })

  it('have the same defaults', async () => {
    const hook: Hook = {
      path: '/allow',
      more: { rules: undefined, clientConfig: { service: { name: 'a', namespace: 'b' } } },
    }
    for (const kind of ['Mutating', 'Validating'] as const) {
      const [ours, real] = await Promise.all(
        servers.map(async (server) => {
          const made = await server.ask({
            method: 'POST',
            path: `${collectionOf({ ...hook, kind })}?dryRun=All`,
            body: configurationOf({ ...hook, kind }, 'default'),
          })
          return told(made)
        }),
      )
      expect(ours).toEqual(real)
    }
  })
})
