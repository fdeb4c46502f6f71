import { structSchema } from '@trainjob/runtime'
import { describe, expect, it } from 'vitest'
import { deepFreeze } from '../../object/deep-freeze.ts'
import { configMap, testServer } from '../testing/test-server.ts'
import { conform } from './conform.ts'

const POD = structSchema('core.Pod')

function pod(spec: object): object {
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec }
}

describe('comparing a value with its struct', () => {
  it('shares what is as it should be', () => {
    const value = pod({
      containers: [
        {
          name: 'c',
          command: ['a'],
          env: [{ name: 'A', value: '1' }],
          resources: { limits: { cpu: 1, memory: '1Gi' } },
        },
      ],
      nodeSelector: { a: 'b' },
      volumes: [{ name: 'v', emptyDir: {} }],
    })
    deepFreeze(value)
    expect(conform(value, POD)).toEqual({ value, unknown: [], faults: [] })
    expect(conform(value, POD).value).toBe(value)
  })

  it('drops nulls and unknown fields, and names the latter', () => {
    const value = pod({
      containers: [{ name: 'c', imag: 'x', env: null, securityContext: null }],
      initContainers: null,
      nodeNam: 'n',
    })
    expect(conform(value, POD)).toEqual({
      value: pod({ containers: [{ name: 'c' }] }),
      unknown: ['spec.containers[0].imag', 'spec.nodeNam'],
      faults: [],
    })
  })

  it.each<[string, object, string, string]>([
    ['a list that is none', { containers: 'x' }, 'spec.containers', 'array'],
    ['an item that is none', { containers: [null] }, 'spec.containers[0]', 'object'],
    ['a struct that is none', { containers: [], affinity: [] }, 'spec.affinity', 'object'],
    ['a map that is none', { containers: [], nodeSelector: [] }, 'spec.nodeSelector', 'object'],
    ['a number in a map of texts', { containers: [], nodeSelector: { a: 1 } }, 'spec.nodeSelector[a]', 'string'],
    ['a number among texts', { containers: [{ name: 'c', args: ['a', 1] }] }, 'spec.containers[0].args[1]', 'string'],
    ['a text for a number', { containers: [], priority: 'high' }, 'spec.priority', 'integer'],
    [
      'a fraction',
      { containers: [], terminationGracePeriodSeconds: 1.5 },
      'spec.terminationGracePeriodSeconds',
      'integer',
    ],
    [
      'a quantity that is none',
      { containers: [{ name: 'c', resources: { limits: { cpu: 'lots' } } }] },
      'spec.containers[0].resources.limits[cpu]',
      'quantity',
    ],
    ['a name that is a number', { containers: [{ name: 1 }] }, 'spec.containers[0].name', 'string'],
  ])('finds %s', (_, spec, path, expected) => {
    expect(conform(pod(spec), POD).faults).toMatchObject([{ path, expected }])
  })

  it('does not look again at what it knows', () => {
    const trusted = { spec: { containers: 'known' }, status: { phase: 'x' } }
    const value = { spec: trusted.spec, status: { conditions: 'wrong' } }
    expect(conform(value, POD, trusted).faults).toMatchObject([{ path: 'status.conditions' }])
  })
})

describe('the server', () => {
  const PODS = '/api/v1/namespaces/default/pods'

  it('refuses wrong types of built-in kinds, all at once', async () => {
    const at = await testServer()
    expect(await at.send('POST', PODS, { body: pod({ containers: {}, nodeName: 3 }) })).toMatchObject({
      status: 400,
      body: {
        message:
          'Pod in version "v1" cannot be handled as a Pod: spec.containers must be an array, found {}; spec.nodeName must be a string, found 3',
      },
    })
  })

  it('says in causes what is wrong in a custom kind', async () => {
    const at = await testServer()
    const body = {
      apiVersion: 'jobset.x-k8s.io/v1alpha2',
      kind: 'JobSet',
      metadata: { name: 'j' },
      spec: { suspend: 'no' },
    }
    expect(await at.send('POST', '/apis/jobset.x-k8s.io/v1alpha2/namespaces/default/jobsets', { body })).toMatchObject({
      status: 422,
      body: {
        details: {
          causes: [
            {
              reason: 'FieldValueTypeInvalid',
              field: 'spec.suspend',
              message: 'Invalid value: "string": spec.suspend in body must be of type boolean: "no"',
            },
          ],
        },
      },
    })
  })

  it('drops unknown fields with a warning, or refuses them', async () => {
    const at = await testServer()
    const body = { ...configMap('a'), dat: { k: 'v' } }
    const path = '/api/v1/namespaces/default/configmaps'
    expect(await at.send('POST', `${path}?fieldValidation=Strict`, { body })).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('strict decoding error: unknown field "dat"') },
    })
    const { headers, body: made } = await at.send('POST', path, { body })
    expect(headers.warning).toBe('299 - "unknown field \\"dat\\""')
    expect(made).not.toHaveProperty('dat')
    const patch = { headers: { 'content-type': 'application/merge-patch+json' }, body: { dat: 1, data: { k: 'v' } } }
    const patched = await at.send('PATCH', `${path}/a`, patch)
    expect(patched.headers.warning).toBe('299 - "unknown field \\"dat\\""')
    expect(patched.body).toMatchObject({ data: { k: 'v' } })
  })

  it.each([
    ['no containers', {}, 'spec.containers: Required value'],
    ['a container without a name', { containers: [{}] }, 'spec.containers[0].name: Required value'],
    [
      'two of one name',
      { containers: [{ name: 'a' }], initContainers: [{ name: 'a' }] },
      'spec.initContainers[0].name: Duplicate value: "a"',
    ],
    [
      'an unknown policy',
      { containers: [{ name: 'a' }], restartPolicy: 'Maybe' },
      'spec.restartPolicy: Unsupported value: "Maybe": supported values: "Always", "Never", "OnFailure"',
    ],
  ])('refuses a pod with %s', async (_, spec, text) => {
    const at = await testServer()
    expect(await at.send('POST', PODS, { body: pod(spec) })).toMatchObject({
      status: 422,
      body: { message: `Pod "p" is invalid: ${text}` },
    })
  })
})
