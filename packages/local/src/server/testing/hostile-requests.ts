import { type Arbitrary, array, constant, constantFrom, oneof, record, string, uint8Array } from 'fast-check'

const words = constantFrom(
  ...[
    'api',
    'apis',
    'v1',
    'namespaces',
    'default',
    'configmaps',
    'pods',
    'a',
    'status',
    'log',
    'exec',
    'token',
    'scale',
  ],
  ...['trainer.kubeflow.org', 'v1alpha1', 'trainjobs', 'batch', 'jobs', 'openapi', 'v3', 'authorization.k8s.io'],
  ...['..', '.', '%2e%2e', '%2f', '%00', '%', '%ff', '%c0%ae', '__proto__', 'constructor', '~', '*', '//', ';x=1', ''],
)
const paths = oneof(
  array(words, { maxLength: 9 }).map((parts) => `/${parts.join('/')}`),
  constantFrom(
    '/api/v1/namespaces/default/configmaps',
    '/api/v1/namespaces/default/configmaps/a',
    '/api/v1/namespaces/default/secrets',
    '/apis/trainer.kubeflow.org/v1alpha1/namespaces/default/trainjobs',
    '/apis/authentication.k8s.io/v1/tokenreviews',
  ),
  string({ maxLength: 40 }).map((text) => `/${encodeURI(text.toWellFormed())}`),
)
const queries = oneof(
  constant(''),
  constantFrom(
    '?limit=-1&continue=e30',
    '?labelSelector=((((&fieldSelector=%5c',
    '?resourceVersion=99999999999999999999',
    '?watch=0&timeoutSeconds=0',
    '?dryRun=Some&fieldManager=%00&force=1',
    '?=&&&%&=%ff',
    '?fieldValidation=__proto__',
  ),
)
const types = constantFrom(
  ...['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf', 'text/plain', '*/*', '', 'a/b;c'],
  ...['application/merge-patch+json', 'application/json-patch+json', 'application/apply-patch+yaml'],
)
const object = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":{"k":"v"}}'
const bodies = oneof(
  { arbitrary: uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)), weight: 4 },
  {
    arbitrary: constantFrom(
      object,
      object.slice(0, 40),
      `${object}${object}`,
      '{"metadata":{"__proto__":{"x":1},"name":"a"}}',
      '{"metadata":{"name":"\\ud800"}}',
      '{"metadata":{"name":1e400}}',
      '[[[[]]]]',
      'null',
      '\ufeff{}',
      'a: &a [*a]\n',
      'a: &a [x,x]\nb: &b [*a,*a]\nc: &c [*b,*b]\nd: [*c,*c]\n',
      'k8s\0',
    ).map((text) => Buffer.from(text)),
    weight: 6,
  },
  { arbitrary: constantFrom(900, 20_000, 400_000).map((depth) => Buffer.from('['.repeat(depth))), weight: 1 },
  {
    arbitrary: constantFrom(900, 20_000).map((depth) => Buffer.from(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`)),
    weight: 1,
  },
  { arbitrary: constantFrom(1, 4).map((megabytes) => Buffer.alloc(megabytes << 20, 'x')), weight: 1 },
)
/** A request that somebody with bad intentions might send. */
export interface HostileRequest {
  readonly method: string
  readonly path: string
  readonly query: string
  /** Content type. */
  readonly type: string
  readonly body: Buffer
  /** Empty: the server's own. */
  readonly host: string
  /** `Authorization`; the right one when left out. */
  readonly token: string | undefined
}

/** Broken paths, bodies, headers and credentials, and now and then a good one. */
export const hostileRequests: Arbitrary<HostileRequest> = record({
  method: constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD', 'TRACE'),
  path: paths,
  query: queries,
  type: types,
  body: bodies,
  host: oneof(
    { arbitrary: constant(''), weight: 8 },
    { arbitrary: constantFrom('evil.example', '127.0.0.1', 'localhost:1'), weight: 1 },
  ),
  token: oneof(
    { arbitrary: constant(undefined), weight: 8 },
    {
      arbitrary: constantFrom(
        '',
        'Bearer',
        'Bearer x',
        'Basic eA==',
        'Bearer a.b.c',
        'Bearer eyJhbGciOiJub25lIn0.e30.',
      ),
      weight: 1,
    },
  ),
})
