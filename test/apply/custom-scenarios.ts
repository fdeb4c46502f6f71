import { Gadgets } from './gadget.ts'
import { apply, create, DELETE, DRY_RUN, GET, merge, patch, put, type Scenario, scenarios, set } from './request.ts'

const spec = (fields: object): object => ({ spec: fields })
const status = (fields: object): object => ({ status: fields })
const metadata = (fields: object): object => ({ metadata: fields })

const LAST = 'kubectl.kubernetes.io/last-applied-configuration'
const APPLIED_BY_CLIENT = {
  apiVersion: 'example.com/v1',
  kind: 'Gadget',
  metadata: { name: 'object', namespace: 'default' },
  spec: { color: 'red', replicas: 2 },
}
const createdByClient = create('kubectl-client-side-apply', {
  metadata: { annotations: { [LAST]: `${JSON.stringify(APPLIED_BY_CLIENT)}\n` } },
  spec: APPLIED_BY_CLIENT.spec,
})

const bare = { apiVersion: 'example.com/v1', kind: 'Gadget' }

/** Requests about a custom kind. */
export const CUSTOM_SCENARIOS: readonly Scenario[] = scenarios(Gadgets, {
  'apply creates, and defaults belong to nobody': [apply('a', spec({ color: 'red', parts: [{ name: 'x' }] })), GET],
  'create owns defaults': [create('a', spec({ color: 'red', parts: [{ name: 'x', size: 1 }] })), GET],
  'the same apply again writes nothing': [
    apply('a', spec({ color: 'red', tags: ['x', 'y'] })),
    apply('a', spec({ color: 'red', tags: ['x', 'y'] })),
    apply('a', spec({ tags: ['x', 'y'], color: 'red' })),
  ],
  'two appliers share a field, and one takes it': [
    apply('a', spec({ color: 'red', replicas: 2 })),
    apply('b', spec({ color: 'red' })),
    apply('b', spec({ color: 'blue' })),
    apply('b', spec({ color: 'blue' }), { force: true }),
    apply('a', spec({ color: 'red', replicas: 2 })),
    apply('a', spec({ replicas: 2 })),
    apply('b', spec({})),
  ],
  'conflicts with several managers': [
    apply('a', spec({ color: 'red' })),
    apply('b', spec({ group: { a: '1' }, parts: [{ name: 'x', size: 1 }] })),
    merge('c', spec({ group: { b: '2' }, replicas: 3 })),
    apply('d', spec({ color: 'blue', group: { a: '2', b: '3' }, replicas: 4, parts: [{ name: 'x', size: 2 }] })),
    apply('d', spec({ replicas: 4 })),
    apply('d', spec({ color: 'blue', replicas: 4, parts: [{ name: 'x', size: 2 }] }), { force: true }),
  ],
  'a field that is applied no more goes, unless it is owned': [
    apply('a', spec({ color: 'red', group: { a: '1', b: '2' }, tags: ['x', 'y'], limits: { cpu: 1, memory: '2' } })),
    apply('b', spec({ group: { b: '2' }, tags: ['y', 'z'] })),
    apply('a', spec({ limits: { cpu: 1 } })),
    apply('a', {}),
    apply('b', {}),
    GET,
  ],
  'a manager without fields is gone': [apply('a', spec({ color: 'red' })), apply('a', {}), apply('a', {}), GET],
  'a map that removal leaves empty': [
    create('u', spec({ group: { a: '1' }, limits: { cpu: 1 }, tags: ['x'] })),
    apply('a', spec({ group: { b: '2' }, limits: { memory: 1 }, tags: ['y'] })),
    merge('u', spec({ group: { a: null }, limits: { cpu: null }, tags: ['y'] })),
    apply('a', spec({})),
    GET,
  ],
  'null where none is allowed': [
    apply('a', spec({ color: null, group: { a: '1' } })),
    apply('a', spec({ color: 'red', group: null })),
    apply('a', spec({ color: 'red', replicas: null })),
    apply('a', spec({ color: 'red', tags: null })),
  ],
  'null where it is allowed': [
    apply('a', spec({ note: null })),
    apply('a', spec({ note: 'x' })),
    apply('b', spec({ note: null })),
    merge('c', spec({ note: null })),
    apply('a', spec({})),
  ],
  'empty maps and lists': [
    apply('a', spec({ group: {}, tags: [], steps: [], parts: [], limits: {}, whole: {}, free: {} })),
    apply('a', spec({ group: {}, steps: [] })),
    merge('b', spec({ group: { a: '1' }, steps: ['x'] })),
    apply('a', spec({ group: {}, steps: [] })),
  ],
  'keys with defaults': [
    apply('a', spec({ parts: [{ name: 'x' }, { name: 'x', side: 'right', size: 1 }] })),
    apply('b', spec({ parts: [{ name: 'x', side: 'left', size: 3 }] })),
    apply('a', spec({ parts: [{ name: 'x', side: 'right' }] })),
    apply('b', spec({ parts: [{ name: 'y' }, { name: 'x' }] })),
    apply('c', spec({ parts: [{ name: 'x' }, { name: 'x' }] })),
    apply('c', spec({ parts: [{ side: 'left' }] })),
    apply('c', spec({ parts: [{}] })),
  ],
  'what cannot be applied': [
    apply('a', spec({ color: 1 })),
    apply('a', spec({ bogus: 1 })),
    apply('a', spec({ tags: ['x', 'x'] })),
    apply('a', spec({ replicas: 'x' })),
    apply('a', spec({ group: 'x' })),
    apply('a', spec({ steps: { a: 1 } })),
    apply('a', { bogus: 1 }),
    apply('a', metadata({ bogus: 1 })),
    apply('a', metadata({ labels: { a: 1 } })),
    apply('a', metadata({ managedFields: [] })),
    apply('a', metadata({ managedFields: [{}] })),
    apply('a', metadata({ name: 'other' })),
    apply('a', metadata({ namespace: 'other' })),
    apply('a', { kind: 'Other' }),
    apply('a', { apiVersion: 'example.com/v2' }),
    apply('a', spec({ color: 'red' }), { query: { fieldValidation: 'Strict' } }),
  ],
  'what is no object': [apply('a', 'text'), apply('a', []), apply('a', null)],
  'an apply without a name': [apply('a', { ...bare, metadata: {}, spec: {} }), apply('a', { ...bare, spec: {} })],
  'field managers': [
    { ...apply('a', spec({ color: 'red' })), query: {} },
    apply('', spec({ color: 'red' })),
    apply('x'.repeat(129), spec({ color: 'red' })),
    apply('a\u0007b', spec({ color: 'red' })),
    apply('a b/ü"', spec({ color: 'red' })),
    create('x'.repeat(129), spec({})),
    apply('b', spec({ color: 'blue' })),
    merge('x'.repeat(129), spec({})),
    merge('m', spec({ color: 'red' }), { query: { force: 'true' } }),
    apply('b', spec({ color: 'blue' }), { query: { force: 'maybe' } }),
  ],
  'the manager is the user agent': [
    { method: 'POST', agent: 'tool/1.0 (linux) more', body: spec({ color: 'red' }) },
    { ...merge('', spec({ color: 'blue' })), agent: 'bare' },
    { ...merge('', spec({ color: 'green' })), agent: '/odd' },
    { ...merge('', spec({ color: 'pink' })), agent: `${'y'.repeat(140)}/1` },
  ],
  'versions and ids': [
    apply('a', { ...metadata({ resourceVersion: '1' }), ...spec({ color: 'red' }) }),
    apply('a', { ...metadata({ resourceVersion: '1' }), ...spec({ color: 'blue' }) }),
    apply('a', { ...metadata({ resourceVersion: '$version' }), ...spec({ color: 'blue' }) }),
    apply('a', { ...metadata({ uid: '$uid' }), ...spec({ color: 'red' }) }),
    apply('a', { ...metadata({ uid: 'other' }), ...spec({ color: 'blue' }) }),
    DELETE,
    apply('a', { ...metadata({ uid: '$uid' }), ...spec({ color: 'blue' }) }),
  ],
  'dry runs leave nothing behind': [
    apply('a', spec({ color: 'red' }), DRY_RUN),
    GET,
    apply('a', spec({ color: 'red' })),
    apply('b', spec({ color: 'blue' }), DRY_RUN),
    apply('b', spec({ color: 'blue' }), { force: true, ...DRY_RUN }),
    GET,
  ],
  'the status path': [
    apply('a', { ...spec({ color: 'red' }), ...status({ phase: 'x' }) }),
    apply(
      's',
      { ...spec({ color: 'blue' }), ...metadata({ labels: { a: '1' } }), ...status({ phase: 'y' }) },
      {
        sub: 'status',
      },
    ),
    apply('t', status({ phase: 'z' }), { sub: 'status' }),
    apply('t', status({ phase: 'z' }), { sub: 'status', force: true }),
    apply('t', status({ phase: 'z' }), { sub: 'status' }),
    merge('u', { ...status({ ready: 1 }), ...spec({ color: 'green' }) }, { sub: 'status' }),
    put('v', (live) => set(set(live, 'status.ready', 2), 'spec.color', 'pink'), { sub: 'status' }),
    apply('t', {}, { sub: 'status' }),
    apply('a', { ...spec({ color: 'red' }), ...status({ phase: 'q' }) }),
    GET,
  ],
  'the status of nothing': [apply('s', status({ phase: 'y' }), { sub: 'status' })],
  'the scale path': [
    create('a', spec({ replicas: 2 })),
    merge('scaler', { spec: { replicas: 3 } }, { sub: 'scale' }),
    GET,
    apply('b', spec({ replicas: 4 })),
    apply('b', spec({ replicas: 3 })),
    merge('scaler', { spec: { replicas: 5 } }, { sub: 'scale' }),
    GET,
  ],
  'managed fields that are cleared': [
    apply('a', spec({ color: 'red' })),
    merge('m', metadata({ managedFields: [{}] })),
    merge('m', spec({ color: 'blue' })),
    apply('b', spec({ group: { a: '1' } })),
    apply('b', spec({ color: 'green' })),
    GET,
  ],
  'managed fields that are left out or wrong': [
    apply('a', spec({ color: 'red' })),
    merge('m', metadata({ managedFields: null })),
    put('m', (live) => set(live, 'metadata.managedFields', undefined)),
    put('m', (live) => set(live, 'metadata.managedFields', [{ manager: 'x', operation: 'Guess' }])),
    put('m', (live) => set(live, 'metadata.managedFields', [{ manager: 'x' }, {}])),
    patch('json', 'm', [{ op: 'remove', path: '/metadata/managedFields' }]),
    GET,
  ],
  'managed fields that are an empty list': [
    apply('a', spec({ color: 'red' })),
    merge('m', metadata({ managedFields: [] })),
    put('m', (live) => set(live, 'metadata.managedFields', [])),
    GET,
  ],
  'managed fields that are written': [
    apply('a', spec({ color: 'red' })),
    put('m', (live) =>
      set(live, 'metadata.managedFields', [
        {
          manager: 'other',
          operation: 'Apply',
          apiVersion: 'example.com/v1',
          time: '2026-01-01T00:00:00Z',
          fieldsType: 'FieldsV1',
          fieldsV1: { 'f:spec': { 'f:color': {}, 'f:parts': { 'k:{"side":"left","name":"x"}': { '.': {} } } } },
        },
      ]),
    ),
    apply('b', spec({ color: 'blue' })),
    apply('other', spec({ color: 'blue' })),
    GET,
  ],
  'kubectl goes over from the client to the server': [
    createdByClient,
    apply('kubectl', spec({ color: 'blue', replicas: 3 })),
    apply('kubectl', spec({ color: 'blue' })),
    apply('x', spec({ color: 'green' })),
    GET,
  ],
  'kubectl does not take what others changed': [
    createdByClient,
    merge('m', spec({ color: 'pink' })),
    apply('kubectl', spec({ color: 'blue', replicas: 3 })),
    apply('kubectl', spec({ color: 'blue', replicas: 3 }), { force: true }),
  ],
  // whatever the second, they come in the order of their names
  'more updaters than are kept': [
    create('m00', spec({ limits: { l0: 0 } })),
    ...Array.from({ length: 13 }, (_, index) =>
      merge(`m${String(index + 1).padStart(2, '0')}`, spec({ limits: { [`l${index + 1}`]: 1 } })),
    ),
    GET,
  ],
  'updates take fields': [
    apply('a', spec({ color: 'red', group: { a: '1' }, whole: { a: '1' }, free: { x: { y: 1 } } })),
    merge('m', spec({ color: 'blue', whole: { b: '2' }, free: { x: { z: 1 }, w: [1] } })),
    put('n', (live) => set(live, 'spec.group', { b: '2' })),
    put('n', (live) => live),
    patch('json', 'o', [{ op: 'remove', path: '/spec/color' }]),
    patch('json', 'o', [{ op: 'test', path: '/spec/group/b', value: '2' }]),
    GET,
  ],
  'metadata has owners': [
    apply('a', {
      ...metadata({ labels: { x: '1' }, annotations: { y: '2' }, finalizers: ['f.example.com/a'] }),
      ...spec({}),
    }),
    merge('m', metadata({ labels: { x: '2', z: '3' }, finalizers: ['f.example.com/a', 'f.example.com/b'] })),
    apply('a', metadata({ labels: { x: '1' } })),
    apply('a', metadata({ labels: {} })),
    merge('m', metadata({ finalizers: null, labels: null })),
    GET,
  ],
  'owner references have owners': [
    apply('a', {
      ...metadata({ ownerReferences: [{ apiVersion: 'v1', kind: 'Thing', name: 'n', uid: 'u1' }] }),
      ...spec({}),
    }),
    merge(
      'm',
      metadata({
        ownerReferences: [
          { apiVersion: 'v1', kind: 'Thing', name: 'n', uid: 'u1' },
          { apiVersion: 'v1', kind: 'Thing', name: 'o', uid: 'u2' },
        ],
      }),
      DRY_RUN,
    ),
    apply('a', spec({})),
  ],
  'an object that is being deleted': [
    apply('a', { ...metadata({ finalizers: ['f.example.com/a'] }), ...spec({ color: 'red' }) }),
    DELETE,
    apply('a', { ...metadata({ finalizers: ['f.example.com/a'] }), ...spec({ color: 'blue' }) }),
    apply('b', metadata({ finalizers: ['f.example.com/b'] })),
    apply('a', spec({ color: 'blue' })),
    GET,
  ],
  'what has no effect is a change nonetheless': [
    apply('a', { ...metadata({ creationTimestamp: null }), ...spec({ color: 'red' }) }),
    apply('a', { ...metadata({ creationTimestamp: null }), ...spec({ color: 'red' }) }),
    apply('a', { ...spec({ color: 'red' }), ...status({ phase: 'x' }) }),
    apply('a', { ...spec({ color: 'red' }), ...status({ phase: 'x' }) }),
  ],
})
