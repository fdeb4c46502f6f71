import type { TransportRequest } from '@trainjob/kube'
import {
  anything,
  array,
  assert,
  asyncProperty,
  constantFrom,
  dictionary,
  jsonValue,
  oneof,
  record,
  string,
} from 'fast-check'
import { expect, it } from 'vitest'
import { testServer } from './testing/test-server.ts'

const word = oneof(
  constantFrom(
    ...['api', 'apis', 'v1', 'namespaces', 'default', 'pods', 'configmaps', 'a', 'status', 'log', 'binding', 'watch'],
    ...[
      'trainer.kubeflow.org',
      'v1alpha1',
      'trainjobs',
      'batch',
      'jobs',
      'finalize',
      '..',
      '%2e%2e',
      '%',
      '',
      '__proto__',
    ],
  ),
  string(),
)
const paths = oneof(
  array(word, { maxLength: 9 }).map((parts) => `/${parts.join('/')}`),
  constantFrom(
    '/api/v1/namespaces/default/configmaps',
    '/api/v1/namespaces/default/configmaps/a',
    '/api/v1/namespaces/default/pods/p',
    '/api/v1/namespaces/default/pods/p/log',
    '/api/v1/namespaces/default/pods/p/binding',
    '/api/v1/namespaces/default/pods/p/status',
    '/apis/trainer.kubeflow.org/v1alpha1/namespaces/default/trainjobs/a',
  ),
)
const parameters = constantFrom(
  ...[
    'limit',
    'continue',
    'labelSelector',
    'fieldSelector',
    'resourceVersion',
    'resourceVersionMatch',
    'dryRun',
    'force',
  ],
  ...[
    'sendInitialEvents',
    'fieldManager',
    'fieldValidation',
    'tailLines',
    'sinceTime',
    'container',
    'propagationPolicy',
  ],
)
const values = oneof(
  string(),
  constantFrom('0', '1', '-1', 'true', 'All', 'Exact', 'NotOlderThan', 'a=b', 'metadata.name=a'),
)
const bodies = oneof(
  jsonValue(),
  anything({ maxDepth: 4, withNullPrototype: false }).map((value) => JSON.parse(JSON.stringify(value) ?? 'null')),
  record(
    {
      apiVersion: constantFrom('v1', 'trainer.kubeflow.org/v1alpha1', 3, null),
      kind: constantFrom('ConfigMap', 'Pod', 'TrainJob', {}, null),
      metadata: oneof(
        jsonValue(),
        record(
          {
            name: constantFrom('a', 'p', 'A', '', 1, null),
            namespace: constantFrom('default', 'x', 1, null),
            labels: oneof(jsonValue(), dictionary(string(), string())),
            finalizers: oneof(jsonValue(), array(jsonValue())),
            ownerReferences: oneof(jsonValue(), array(jsonValue())),
            managedFields: oneof(jsonValue(), array(jsonValue())),
            resourceVersion: constantFrom('1', '2', 2, '', null),
            generateName: constantFrom('g-', 1, null),
          },
          { requiredKeys: [] },
        ),
      ),
      spec: oneof(jsonValue(), record({ containers: oneof(jsonValue(), array(jsonValue())) })),
      data: jsonValue(),
      stringData: jsonValue(),
      status: jsonValue(),
      target: jsonValue(),
    },
    { requiredKeys: [] },
  ),
  array(
    record({
      op: constantFrom('add', 'remove', 'replace', 'move', 'copy', 'test', 'nonsense'),
      path: oneof(
        string(),
        constantFrom('/metadata', '/metadata/labels', '/metadata/name', '/data/k', '/spec', '', '/-'),
      ),
      from: constantFrom('/metadata', '/data', '/nope', ''),
      value: jsonValue(),
    }),
  ),
)
const requests = record({
  method: constantFrom<TransportRequest['method']>('GET', 'POST', 'PUT', 'PATCH', 'DELETE'),
  path: paths,
  query: dictionary(parameters, values, { maxKeys: 4 }),
  headers: record({
    'content-type': constantFrom(
      'application/json',
      'application/json-patch+json',
      'application/merge-patch+json',
      'application/strategic-merge-patch+json',
      'application/apply-patch+yaml',
      'nonsense',
    ),
    'user-agent': string(),
  }),
  body: bodies,
})

it('answers whatever it is sent, blames the sender, and stays in order', async () => {
  const at = await testServer()
  const create = (path: string, body: object) => at.send('POST', path, { body })
  await create('/api/v1/namespaces/default/configmaps', { metadata: { name: 'a' }, data: { k: 'v' } })
  await create('/api/v1/namespaces/default/pods', { metadata: { name: 'p' }, spec: { containers: [{ name: 'c' }] } })
  await assert(
    asyncProperty(requests, async (request) => {
      const response = await at.server.transport.request(request)
      expect(response.status).toBeGreaterThanOrEqual(200)
      if (response.status >= 400) {
        const text = await response.text()
        // 500s that the real server has, too, are known by their words
        if (response.status >= 500) expect(text).toMatch(/typed patch object|ParseUint|should not be set|Too large/)
      }
    }),
    { numRuns: 1500 },
  )
  for (const collection of ['configmaps', 'pods', 'secrets', 'trainjobs.trainer.kubeflow.org', 'jobs.batch']) {
    for (const object of at.store.list(collection).items) {
      expect(object).toMatchObject({ kind: expect.any(String), metadata: { uid: expect.any(String) } })
    }
  }
})
