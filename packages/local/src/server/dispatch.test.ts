import { beforeAll, describe, expect, it } from 'vitest'
import { type TestServer, testServer } from './testing/test-server.ts'

const AGGREGATED =
  'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json'

let at: TestServer
beforeAll(async () => {
  at = await testServer()
})

describe('discovery', () => {
  it('lists versions, groups and resources in the plain form', async () => {
    expect((await at.send('GET', '/api')).body).toMatchObject({ kind: 'APIVersions', versions: ['v1'] })
    const { groups } = (await at.send('GET', '/apis')).body as { groups: { name: string }[] }
    expect(groups.map((group) => group.name)).toEqual([
      'batch',
      'events.k8s.io',
      'coordination.k8s.io',
      'scheduling.k8s.io',
      'authorization.k8s.io',
      'authentication.k8s.io',
      'apiextensions.k8s.io',
      'admissionregistration.k8s.io',
      'scheduling.x-k8s.io',
      'scheduling.volcano.sh',
      'jobset.x-k8s.io',
      'trainer.kubeflow.org',
    ])
    expect((await at.send('GET', '/apis/batch')).body).toMatchObject({
      kind: 'APIGroup',
      preferredVersion: { groupVersion: 'batch/v1', version: 'v1' },
    })
    expect((await at.send('GET', '/apis/trainer.kubeflow.org/v1alpha1')).body).toMatchObject({
      kind: 'APIResourceList',
      apiVersion: 'v1',
      groupVersion: 'trainer.kubeflow.org/v1alpha1',
      resources: expect.arrayContaining([
        {
          name: 'trainjobs',
          singularName: 'trainjob',
          namespaced: true,
          kind: 'TrainJob',
          verbs: ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'],
        },
        {
          name: 'trainjobs/status',
          singularName: '',
          namespaced: true,
          kind: 'TrainJob',
          verbs: ['get', 'patch', 'update'],
        },
      ]),
    })
    expect((await at.send('GET', '/api/v1')).body).not.toHaveProperty('apiVersion')
  })

  it('answers both lists at once to clients that ask for it', async () => {
    const { headers, body } = await at.send('GET', '/apis', { headers: { accept: AGGREGATED } })
    expect(headers['content-type']).toBe('application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList')
    const { items } = body as { items: { metadata: object; versions: { resources: object[] }[] }[] }
    expect(items.at(-1)).toMatchObject({
      metadata: { name: 'trainer.kubeflow.org' },
      versions: [
        {
          version: 'v1alpha1',
          freshness: 'Current',
          resources: expect.arrayContaining([
            expect.objectContaining({
              resource: 'trainjobs',
              responseKind: { group: 'trainer.kubeflow.org', version: 'v1alpha1', kind: 'TrainJob' },
              scope: 'Namespaced',
              singularResource: 'trainjob',
            }),
          ]),
        },
      ],
    })
    const core = (await at.send('GET', '/api', { headers: { accept: AGGREGATED } })).body as typeof body
    expect(core).toMatchObject({
      items: [
        {
          metadata: {},
          versions: [
            {
              resources: expect.arrayContaining([
                expect.objectContaining({ resource: 'pods', shortNames: ['po'], categories: ['all'] }),
              ]),
            },
          ],
        },
      ],
    })
  })

  it('answers health and version', async () => {
    expect(await at.send('GET', '/readyz')).toMatchObject({ status: 200, body: 'ok' })
    expect((await at.send('GET', '/livez?verbose')).body).toContain('[+]ping ok')
    expect((await at.send('GET', '/version/')).body).toMatchObject({
      gitVersion: expect.stringMatching(/^v1\.36\.\d+/),
    })
  })
})

describe('paths that are not served', () => {
  it.each([
    ['GET', '/', 404, '404 page not found\n'],
    ['GET', '/metric', 404, '404 page not found\n'],
    ['GET', '/apis/nope.io/v1/things', 404, '404 page not found\n'],
    ['GET', '/apis/trainer.kubeflow.org/v1alpha1/nope', 404, '404 page not found\n'],
    ['GET', '/apis/batch/v1/nope', 404, 'the server could not find the requested resource'],
    ['GET', '/api/v1/namespaces/default/pods/p/nope', 404, 'the server could not find the requested resource'],
    [
      'GET',
      '/apis/trainer.kubeflow.org/v1alpha1/namespaces/default/trainjobs/x/scale',
      404,
      'the server could not find the requested resource',
    ],
    [
      'POST',
      '/api/v1/namespaces/default/pods/p',
      405,
      'the server does not allow this method on the requested resource',
    ],
    ['PUT', '/api/v1/namespaces/default/pods', 405, 'the server does not allow this method on the requested resource'],
    [
      'PUT',
      '/api/v1/namespaces/default/pods/p/log',
      405,
      'the server does not allow this method on the requested resource',
    ],
    ['GET', '/api/v1/namespaces/%E0%A4%A/pods', 400, /is not percent-encoded UTF-8/],
    ['GET', '/api/v1/../../etc/passwd', 404, 'the server could not find the requested resource'],
    ['GET', '/api/v1/namespaces/default/pods/..%2F..%2Fsecrets', 404, 'pods "../../secrets" not found'],
  ] as const)('%s %s', async (method, path, code, message) => {
    const { status, body } = await at.send(method, path)
    expect(status).toBe(code)
    expect(typeof body === 'string' ? body : (body as { message: string }).message).toMatch(message)
  })
})
