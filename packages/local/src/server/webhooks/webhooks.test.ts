import { afterEach, describe, expect, it } from 'vitest'
import { configMap, type TestServer, testServer } from '../testing/test-server.ts'
import { configuration, patching, type Question, serveWebhook, type TestWebhook } from './testing/webhook-server.ts'

const CONFIGURATIONS = '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations'
const VALIDATING = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations'
const MAPS = '/api/v1/namespaces/default/configmaps'

const open: TestWebhook[] = []
afterEach(async () => {
  for (const webhook of open.splice(0)) await webhook.close()
})

async function webhook(answer: (question: Question) => object): Promise<TestWebhook> {
  const served = await serveWebhook(answer)
  open.push(served)
  return served
}

const hello = (): object => patching({ op: 'add', path: '/data', value: { hello: 'world' } })

async function make(at: TestServer, path: string, body: object, status: number = 201): Promise<unknown> {
  const answer = await at.send('POST', path, { body })
  expect(answer.status, JSON.stringify(answer.body)).toBe(status)
  return answer.body
}

describe('webhooks that are registered', () => {
  it('change objects from the moment they are registered until they are not', async () => {
    const at = await testServer()
    const served = await webhook(hello)
    expect(await make(at, MAPS, configMap('before'))).not.toHaveProperty('data.hello')
    await make(at, CONFIGURATIONS, configuration('Mutating', served))
    expect(await make(at, MAPS, configMap('while'))).toHaveProperty('data.hello', 'world')
    await at.send('DELETE', `${CONFIGURATIONS}/mutating`)
    expect(await make(at, MAPS, configMap('after'))).not.toHaveProperty('data.hello')
    expect(served.asked).toHaveLength(1)
  })

  it('never own what they change', async () => {
    const at = await testServer()
    await make(at, CONFIGURATIONS, configuration('Mutating', await webhook(hello)))
    const made = (await make(at, MAPS, configMap('a', {}, { labels: { a: 'b' } }))) as { metadata: object }
    expect(JSON.stringify(made.metadata)).not.toContain('f:hello')
    expect(JSON.stringify(made.metadata)).toContain('f:labels')
  })

  it('are not asked about webhooks', async () => {
    const at = await testServer()
    const served = await webhook(() => ({ allowed: false }))
    await make(at, VALIDATING, configuration('Validating', served))
    await make(at, CONFIGURATIONS, configuration('Mutating', served))
    await make(at, MAPS, configMap('a'), 400)
    expect((await at.send('DELETE', `${VALIDATING}/validating`)).status).toBe(200)
  })

  it('are asked about the status, a scale and a binding', async () => {
    const at = await testServer()
    const job = {
      metadata: { name: 'j' },
      spec: { parallelism: 1, template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } } },
    }
    await make(at, '/apis/batch/v1/namespaces/default/jobs', job)
    await make(at, '/api/v1/namespaces/default/pods', {
      metadata: { name: 'p' },
      spec: { containers: [{ name: 'c', image: 'i' }] },
    })
    const served = await webhook(({ kind }) =>
      kind.kind === 'Scale' ? patching({ op: 'replace', path: '/spec/replicas', value: 7 }) : { allowed: true },
    )
    await make(at, CONFIGURATIONS, configuration('Mutating', served))
    const path = '/apis/batch/v1/namespaces/default/jobs/j'
    const headers = { 'content-type': 'application/merge-patch+json' }
    const scaled = await at.send('PATCH', `${path}/scale`, { headers, body: { spec: { replicas: 3 } } })
    expect(scaled.body).toHaveProperty('spec.replicas', 7)
    await at.send('PATCH', `${path}/status`, { headers, body: { status: { active: 1 } } })
    await make(at, '/api/v1/namespaces/default/pods/p/binding', { target: { name: 'n' } })
    expect(served.asked.map(({ operation, subResource, kind }) => [operation, subResource, kind.kind])).toEqual([
      ['UPDATE', 'scale', 'Scale'],
      ['UPDATE', 'status', 'Job'],
      ['CREATE', 'binding', 'Binding'],
    ])
  })

  it('read a kind in the version they know, unless they want an exact match', async () => {
    const at = await testServer()
    const version = { served: true, schema: { openAPIV3Schema: { type: 'object' } } }
    const spec = {
      group: 'example.com',
      scope: 'Cluster',
      names: { plural: 'things', kind: 'Thing' },
      versions: [
        { ...version, name: 'v1', storage: true },
        { ...version, name: 'v2', storage: false },
      ],
    }
    const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
    const definition = (await make(at, crds, { metadata: { name: 'things.example.com' }, spec })) as object
    const status = { conditions: [{ type: 'Established', status: 'True', reason: 'x', message: '' }] }
    await at.send('PUT', `${crds}/things.example.com/status`, { body: { ...definition, status } })
    const served = await webhook(() => ({ allowed: true }))
    const rules = [{ operations: ['*'], apiGroups: ['example.com'], apiVersions: ['v1'], resources: ['things'] }]
    await make(at, VALIDATING, configuration('Validating', served, { rules }))
    const thing = { apiVersion: 'example.com/v2', kind: 'Thing', metadata: { name: 't' } }
    await make(at, '/apis/example.com/v2/things', thing)
    expect(served.asked).toMatchObject([
      { kind: { version: 'v1' }, requestKind: { version: 'v2' }, object: { apiVersion: 'example.com/v1' } },
    ])
    await at.send('DELETE', `${VALIDATING}/validating`)
    await make(at, VALIDATING, configuration('Validating', served, { rules, matchPolicy: 'Exact' }))
    await make(at, '/apis/example.com/v2/things', { ...thing, metadata: { name: 'u' } })
    expect(served.asked).toHaveLength(1)
  })

  it('are found behind a service', async () => {
    const served = await webhook(hello)
    const at = await testServer({
      streams: {
        exec: async () => ({ code: 0 }),
        attach: async () => ({ code: 0 }),
        async connect(_, port, signal) {
          const { connect } = await import('node:net')
          expect(port).toBe(9443)
          return connect({ port: served.port, host: '127.0.0.1', signal })
        },
      },
    })
    const service = { name: 'hook', namespace: 'default', port: 443 }
    const clientConfig = { service, caBundle: served.caBundle }
    await make(at, CONFIGURATIONS, configuration('Mutating', served, { clientConfig, rules: RULES }))
    const failing = await make(at, MAPS, configMap('a'), 500)
    expect(failing).toHaveProperty('message', expect.stringContaining('service "hook" not found'))
    const ports = [{ port: 443, targetPort: 'https' }]
    await make(at, '/api/v1/namespaces/default/services', {
      metadata: { name: 'hook' },
      spec: { selector: { app: 'hook' }, ports },
    })
    expect(await make(at, MAPS, configMap('a'), 500)).toHaveProperty(
      'message',
      expect.stringContaining('no endpoints available for service "hook"'),
    )
    const container = { name: 'c', image: 'i', ports: [{ name: 'https', containerPort: 9443 }] }
    const pod = { metadata: { name: 'p', labels: { app: 'hook' } }, spec: { containers: [container] } }
    const created = (await make(at, '/api/v1/namespaces/default/pods', pod)) as object
    const status = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] }
    await at.send('PUT', '/api/v1/namespaces/default/pods/p/status', { body: { ...created, status } })
    expect(await make(at, MAPS, configMap('a'))).toHaveProperty('data.hello', 'world')
  })

  it('are found where a service points to another host', async () => {
    const at = await testServer()
    const served = await webhook(hello)
    for (const name of ['hook', 'other']) {
      const spec = { type: 'ExternalName', externalName: '127.0.0.1' }
      await make(at, '/api/v1/namespaces/default/services', { metadata: { name }, spec })
    }
    const service = { name: 'hook', namespace: 'default', port: served.port }
    const clientConfig = { service, caBundle: served.caBundle }
    await make(at, CONFIGURATIONS, configuration('Mutating', served, { clientConfig, rules: RULES }))
    expect(await make(at, MAPS, configMap('a'))).toHaveProperty('data.hello', 'world')
    await at.send('DELETE', `${CONFIGURATIONS}/mutating`)
    const other = { clientConfig: { ...clientConfig, service: { ...service, name: 'other' } }, rules: RULES }
    await make(at, CONFIGURATIONS, configuration('Mutating', served, other))
    expect(await make(at, MAPS, configMap('b'), 500)).toHaveProperty(
      'message',
      expect.stringContaining('x509: certificate is not valid for other.default.svc'),
    )
  })
})

const RULES = [{ operations: ['*'], apiGroups: [''], apiVersions: ['*'], resources: ['configmaps'] }]
