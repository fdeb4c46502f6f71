import type { Resource } from '@trainjob/kube'
import { apply, create, GET, merge, patch, put, type Scenario, scenarios, set } from './request.ts'

function builtin(kind: string, group: string = '', version: string = 'v1'): Resource {
  return { group, version, plural: `${kind.toLowerCase()}s`, kind, namespaced: true }
}

const spec = (fields: object): object => ({ spec: fields })
const data = (fields: object): object => ({ data: fields })

// a node and controllers that do not exist keep everybody else away
const POD = { nodeName: 'nowhere', containers: [{ name: 'c', image: 'i' }] }
const pod = (fields: object = {}): object => ({ spec: { ...POD, ...fields } })
const JOB = {
  managedBy: 'example.com/nobody',
  template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } },
}
const JOB_SET = { managedBy: 'example.com/nobody', replicatedJobs: [{ name: 'a', template: { spec: JOB } }] }
const CONDITION = { type: 'Ready', status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z' }

const RICH_POD = pod({
  containers: [
    {
      name: 'c',
      image: 'i',
      ports: [{ containerPort: 80 }, { containerPort: 80, protocol: 'UDP' }],
      env: [
        { name: 'A', value: '1' },
        { name: 'B', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
      ],
      resources: { limits: { cpu: '1' } },
      volumeMounts: [{ name: 'v', mountPath: '/v' }],
    },
  ],
  volumes: [
    { name: 'v', emptyDir: {} },
    { name: 'w', configMap: { name: 'm', items: [{ key: 'a', path: 'b' }] } },
  ],
})

/** Requests about built-in kinds and JobSets. */
export const BUILTIN_SCENARIOS: readonly Scenario[] = [
  ...scenarios(builtin('ConfigMap'), {
    'data has owners': [
      apply('a', data({ x: '1', y: '2' })),
      apply('b', data({ y: '2', z: '3' })),
      apply('a', data({ x: '1' })),
      apply('b', data({})),
      apply('a', {}),
      GET,
    ],
    'created, updated, patched': [
      create('a', data({ x: '1' })),
      put('b', (live) => set(live, 'data', { x: '2', y: '1' })),
      patch('strategic', 'c', { data: { x: null, z: '1' } }),
      patch('strategic', 'c', { data: { z: '1' } }),
      patch('json', 'd', [{ op: 'replace', path: '/data/y', value: '5' }]),
      put('e', (live) => ({ ...live, data: {} })),
      GET,
    ],
    'what the kind does not have': [
      apply('a', { bogus: 1 }),
      apply('a', data({ x: 1 })),
      apply('a', { data: 'x' }),
      apply('a', { metadata: { bogus: 1 } }),
      apply('a', spec({})),
    ],
    'nulls and empties': [
      apply('a', { data: null }),
      apply('a', { data: {} }),
      apply('a', { data: { x: null } }),
      apply('a', { data: { x: '1' }, binaryData: {}, metadata: { labels: {}, annotations: null } }),
      GET,
    ],
    'an empty map is not kept, so it is new each time': [
      apply('a', data({ x: '1' })),
      apply('b', data({})),
      apply('a', data({}), { force: true }),
      apply('a', data({}), { force: true }),
      apply('b', data({})),
      apply('b', data({})),
      GET,
    ],
    'managed fields cleared by an empty list': [
      create('a', data({ x: '1' })),
      put('m', (live) => set(live, 'metadata.managedFields', [])),
      merge('m', data({ x: '2' })),
      apply('b', data({ x: '3' })),
      apply('b', data({ x: '3' }), { force: true }),
      GET,
    ],
    'data that may not change': [
      apply('a', { immutable: true, data: { x: '1' } }),
      apply('a', { immutable: true, data: { x: '2' } }),
      apply('a', { data: { x: '1' } }),
    ],
  }),
  ...scenarios(builtin('Secret'), {
    'text becomes data': [
      create('a', { stringData: { x: '1' } }),
      apply('b', { stringData: { y: '2' }, data: { z: 'MQ==' } }),
      apply('b', { stringData: { y: '2' }, data: { z: 'MQ==' } }),
      apply('b', { data: { z: 'MQ==' } }),
      merge('m', { stringData: { x: '3' } }),
      GET,
    ],
  }),
  ...scenarios(builtin('Pod'), {
    'created with what Kubernetes adds': [create('a', pod()), GET],
    'applied with what Kubernetes adds': [apply('a', pod()), apply('a', pod()), GET],
    'lists have keys': [
      apply('a', RICH_POD),
      merge('m', spec({ containers: [{ name: 'c', image: 'j' }] })),
      patch('strategic', 'm', spec({ containers: [{ name: 'c', image: 'j' }] })),
      patch('strategic', 'n', { metadata: { labels: { a: '1' } }, spec: { activeDeadlineSeconds: 5 } }),
      apply('b', pod({ containers: [{ name: 'c', image: 'k' }] })),
      apply('b', spec({ containers: [{ name: 'c', image: 'k' }] }), { force: true }),
      GET,
    ],
    'created with lists': [create('a', RICH_POD), GET],
    'the status path': [
      create('a', pod()),
      merge('k', { status: { phase: 'Running', message: 'x' }, metadata: { labels: { a: '1' } } }, { sub: 'status' }),
      patch('strategic', 'k', { status: { conditions: [CONDITION] } }, { sub: 'status' }),
      apply('l', { status: { message: 'y' } }, { sub: 'status' }),
      apply('l', { status: { reason: 'z' } }, { sub: 'status' }),
      merge('k', spec({ activeDeadlineSeconds: 3 }), { sub: 'status' }),
      GET,
    ],
    'what may not change': [
      apply('a', pod()),
      apply('a', pod({ containers: [{ name: 'd', image: 'i' }] })),
      apply('a', pod({ hostname: 'x' })),
    ],
  }),
  ...scenarios(builtin('Service'), {
    'ports have keys': [
      create('a', spec({ clusterIP: 'None', selector: { a: 'b' }, ports: [{ name: 'w', port: 80 }] })),
      apply('b', spec({ ports: [{ name: 'x', port: 81, protocol: 'TCP' }] })),
      apply('b', spec({ selector: { a: 'c' } })),
      apply('b', spec({ selector: { a: 'c' } }), { force: true }),
      GET,
    ],
    applied: [
      apply('a', spec({ clusterIP: 'None', selector: { a: 'b' }, ports: [{ name: 'x', port: 80 }] })),
      apply('a', spec({ clusterIP: 'None', selector: { a: 'b' }, ports: [{ name: 'x', port: 80 }] })),
      GET,
    ],
  }),
  ...scenarios(builtin('Job', 'batch'), {
    created: [create('a', spec(JOB)), GET],
    // not applied twice: something in a real cluster writes a new Job once more, without a change
    applied: [
      apply('a', spec(JOB)),
      merge('m', spec({ suspend: true, parallelism: 2 })),
      apply('a', spec({ ...JOB, parallelism: 3 })),
      merge('s', { status: { active: 1 }, spec: { suspend: false } }, { sub: 'status' }),
      apply('t', { status: { active: 2 } }, { sub: 'status' }),
      GET,
    ],
  }),
  ...scenarios(builtin('JobSet', 'jobset.x-k8s.io', 'v1alpha2'), {
    created: [create('a', spec(JOB_SET)), GET],
    applied: [
      apply('a', spec(JOB_SET)),
      apply('a', spec(JOB_SET)),
      merge('m', spec({ suspend: true })),
      apply('b', spec({ suspend: false })),
      apply(
        's',
        { status: { restarts: 1, conditions: [{ ...CONDITION, reason: 'Y', message: '' }] } },
        {
          sub: 'status',
        },
      ),
      GET,
    ],
  }),
  ...scenarios(builtin('Lease', 'coordination.k8s.io'), {
    renewed: [
      create('a', spec({ holderIdentity: 'x', leaseDurationSeconds: 15, renewTime: '2026-01-01T00:00:00.000000Z' })),
      put('a', (live) => set(live, 'spec.renewTime', '2026-01-01T00:00:02.000000Z')),
      put('b', (live) => set(live, 'spec.holderIdentity', 'y')),
      apply('c', spec({ holderIdentity: 'z' })),
    ],
  }),
]
