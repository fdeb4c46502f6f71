import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { deepFrozen } from '../testing/objects.ts'
import { canonical, canonicalPatch, canonicalWithDefaults } from './canonical.ts'
import { structSchema } from './schema.ts'

describe('canonical', () => {
  const container = structSchema('core.Container')

  it.each([
    ['an optional empty text', { name: 'a', image: '' }, { name: 'a' }],
    ['an optional false', { name: 'a', tty: false }, { name: 'a' }],
    ['an empty list', { name: 'a', args: [] }, { name: 'a' }],
    ['a null', { name: 'a', command: null, livenessProbe: null }, { name: 'a' }],
    ['an empty map', { name: 'a', resources: { limits: {} } }, { name: 'a', resources: {} }],
  ])('leaves out %s', (_, written, expected) => {
    expect(canonical(written, container)).toEqual({ resources: {}, ...expected })
  })

  it.each([
    ['a false behind a pointer', { name: 'a', securityContext: { privileged: false } }],
    ['an empty struct behind a pointer', { name: 'a', livenessProbe: {} }],
    ['a zero behind a pointer', { name: 'a', securityContext: { runAsUser: 0 } }],
    ['a field that the schema does not know', { name: 'a', newField: { x: [] } }],
    ['a value of a wrong type', { name: 'a', args: 'x', env: [1] }],
    ['a quantity that cannot be read', { name: 'a', resources: { limits: { cpu: 'lots' } } }],
  ])('keeps %s', (_, written) => {
    expect(canonical(written, container)).toEqual({ resources: {}, ...written })
  })

  it('writes what Go always writes', () => {
    expect(canonical({}, structSchema('batch.JobTemplateSpec'))).toEqual({
      metadata: {},
      spec: { template: { metadata: {}, spec: {} } },
    })
    expect(canonical({ resource: 'limits.cpu' }, structSchema('core.ResourceFieldSelector'))).toEqual({
      resource: 'limits.cpu',
      divisor: '0',
    })
  })

  it.each([
    ['0.5', '500m'],
    ['1024Mi', '1Gi'],
    ['1000', '1k'],
    [4, '4'],
    ['8Gi', '8Gi'],
    ['1.50', '1500m'],
  ])('writes the quantity %s as %s', (written, expected) => {
    expect(canonical({ limits: { cpu: written } }, structSchema('core.ResourceRequirements'))).toEqual({
      limits: { cpu: expected },
    })
  })

  it('gives absent fields the defaults of the CRDs only when asked', () => {
    const job = structSchema('jobset.ReplicatedJob')
    const template = { metadata: {}, spec: { template: { metadata: {}, spec: {} } } }
    expect(canonical({ name: 'a', template }, job)).toEqual({ name: 'a', template })
    expect(canonicalWithDefaults({ name: 'a', replicas: null, template }, job)).toEqual({
      name: 'a',
      template,
      replicas: 1,
      groupName: 'default',
    })
    expect(canonicalWithDefaults({ name: 'a', ports: [{ containerPort: 1 }] }, container)).toEqual({
      name: 'a',
      resources: {},
      ports: [{ containerPort: 1, protocol: 'TCP' }],
    })
  })

  it('says in a patch what Go cannot leave out, and nothing else', () => {
    const volume = structSchema('core.Volume')
    expect(canonicalPatch({ name: 'a', projected: {} }, volume)).toEqual({ name: 'a', projected: { sources: null } })
    expect(canonicalPatch({ name: 'a', projected: { sources: [] } }, volume)).toEqual({
      name: 'a',
      projected: { sources: [] },
    })
    expect(canonicalPatch({ tolerations: [], nodeSelector: {} }, structSchema('trainer.PodSpecPatch'))).toEqual({})
  })

  it('shares what is canonical already', () => {
    const spec = { containers: [{ name: 'a', resources: {} }], nodeSelector: { pool: 'x' } }
    expect(canonical(spec, structSchema('core.PodSpec'))).toBe(spec)
    const changed = canonical({ ...spec, hostNetwork: false }, structSchema('core.PodSpec'))
    expect(changed.containers).toBe(spec.containers)
  })

  it('is its own fixed point, whatever comes in, and changes nothing that came in', () => {
    const value: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom('', 'a', 0, 1, true, false, null, '1024Mi', '0.5'),
        fc.array(tie('value'), { maxLength: 2 }),
        tie('fields'),
      ),
      fields: fc.dictionary(
        fc.constantFrom('name', 'resources', 'limits', 'env', 'value', 'ports', 'containers', 'cpu', 'volumes', 'tty'),
        tie('value'),
        { maxKeys: 4 },
      ),
    })).fields
    fc.assert(
      fc.property(
        value,
        fc.constantFrom('core.PodSpec', 'core.Container', 'core.ResourceRequirements'),
        (fields, type) => {
          const once = canonical(deepFrozen(fields) as object, structSchema(type))
          expect(canonical(deepFrozen(once), structSchema(type))).toBe(once)
        },
      ),
    )
  })
})
