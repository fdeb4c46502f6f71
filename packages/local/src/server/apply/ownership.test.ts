import type { KubeObject } from '@trainjob/kube'
import { describe, expect, it } from 'vitest'
import type { ServedResource } from '../served-resource.ts'
import { applyConfiguration } from './apply-configuration.ts'
import { canonicalSet } from './canonical-set.ts'
import { trackScale } from './track-scale.ts'
import { trackUpdate } from './track-update.ts'

const CONFIG_MAPS: ServedResource = {
  group: '',
  version: 'v1',
  plural: 'configmaps',
  kind: 'ConfigMap',
  namespaced: true,
  singular: 'configmap',
}
const NOW = Date.parse('2026-12-01T09:30:00Z')

function writer(manager: string, seconds: number = 0) {
  return { resource: CONFIG_MAPS, subresource: undefined, manager, now: NOW + seconds * 1000 }
}

function configMap(data: Record<string, string>, metadata: object = {}): KubeObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', ...metadata }, data } as KubeObject
}

function owners({ metadata }: KubeObject): string[] {
  const entries = (metadata.managedFields ?? []) as {
    manager: string
    operation: string
    time?: string
    fieldsV1: object
  }[]
  return entries.map(({ manager, operation, time, fieldsV1 }) => {
    const keys = Object.keys((fieldsV1 as { 'f:data'?: object })['f:data'] ?? {})
      .sort()
      .join(' ')
    return `${manager} ${operation}${time === undefined ? ' (no time)' : ''}: ${keys}`
  })
}

describe('owners of fields', () => {
  it('of an object that nobody was recorded for: all of it belongs to before-first-apply', () => {
    const applied = applyConfiguration(writer('a'), configMap({ x: '1', y: '2' }), configMap({ x: '1' }), false)
    expect(owners(applied)).toEqual(['a Apply (no time): f:x', 'before-first-apply Update: . f:x f:y'])
    const other = () => applyConfiguration(writer('a'), configMap({ x: '1' }), configMap({ x: '2' }), false)
    expect(other).toThrow('conflict with "before-first-apply" using v1: .data.x')
  })

  it('are not found by an update once there are none', () => {
    const live = trackUpdate(writer('a'), undefined, configMap({ x: '1' }))
    const cleared = trackUpdate(writer('b'), live, configMap({ x: '1' }, { managedFields: [{}] }))
    expect(owners(cleared)).toEqual([])
    expect(owners(trackUpdate(writer('b'), cleared, configMap({ x: '2' })))).toEqual([])
  })

  it.each<[string, unknown]>([
    ['left out', undefined],
    ['no entries', [{ manager: 'x' }, {}]],
    ['of an unknown operation', [{ manager: 'x', operation: 'Guess', apiVersion: 'v1', fieldsType: 'FieldsV1' }]],
  ])('stay when a write has them %s', (_, managedFields) => {
    const live = trackUpdate(writer('a'), undefined, configMap({ x: '1' }))
    expect(owners(trackUpdate(writer('b'), live, configMap({ x: '1' }, { managedFields })))).toEqual([
      'a Update: . f:x',
    ])
  })

  it('by updates are ten; the oldest become one', () => {
    let live = trackUpdate(writer('m0'), undefined, configMap({ k0: '' }))
    for (let id = 1; id < 13; id++) {
      const data = Object.fromEntries(Array.from({ length: id + 1 }, (_, index) => [`k${index}`, '']))
      live = trackUpdate(writer(`m${id}`, id), live, configMap(data))
    }
    const found = owners(live)
    expect(found).toHaveLength(10)
    expect(found[0]).toBe('ancient-changes Update: . f:k0 f:k1 f:k2 f:k3')
    expect(found[9]).toBe('m12 Update: f:k12')
  })

  it('do not count what others added to a write', () => {
    const written = configMap({ x: '1' })
    const completed = configMap({ x: '1', added: '2' })
    expect(owners(trackUpdate(writer('a'), undefined, completed, written))).toEqual(['a Update: . f:x'])
    expect(owners(trackUpdate(writer('a'), undefined, configMap({}), written))).toEqual(['a Update: '])
  })

  it('are given up to kubectl where it wrote them from the client’s side, and only then', () => {
    const last = JSON.stringify(configMap({ x: '1', y: '1' }))
    const annotations = { 'kubectl.kubernetes.io/last-applied-configuration': `${last}\n` }
    const client = trackUpdate(writer('kubectl-client-side-apply'), undefined, {
      ...configMap({ x: '1', y: '1' }, { annotations }),
    })
    const applied = applyConfiguration(writer('kubectl'), client, configMap({ x: '2', y: '1' }), false)
    expect(applied).toMatchObject({ data: { x: '2' } })
    const note = applied.metadata.annotations?.['kubectl.kubernetes.io/last-applied-configuration']
    expect(note).toBe('{"apiVersion":"v1","data":{"x":"2","y":"1"},"kind":"ConfigMap","metadata":{"name":"a"}}\n')
    const changed = trackUpdate(writer('other'), client, configMap({ x: '1', y: '3' }, { annotations }))
    const again = () => applyConfiguration(writer('kubectl'), changed, configMap({ x: '2', y: '4' }), false)
    expect(again).toThrow('Apply failed with 1 conflict: conflict with "other" using v1: .data.y')
    expect(() => applyConfiguration(writer('x'), client, configMap({ x: '2' }), false)).toThrow('conflict')
  })

  it('of the number of replicas are taken by the scale path', () => {
    const live = trackUpdate(writer('a'), undefined, configMap({ replicas: '1', x: '1' }))
    expect(owners(trackScale(CONFIG_MAPS, live, 's', '.data.replicas'))).toEqual([
      's Update (no time): f:replicas',
      'a Update: . f:x',
    ])
  })

  it('are kept in one form, however they were written', () => {
    const written = { 'f:a': { '.': {} }, 'f:l': { 'k:{"b": 1, "a": "<"}': {}, 'v: "x"': {}, 'what?': {} }, '.': {} }
    const kept = { 'f:a': {}, 'f:l': { 'k:{"a":"\\u003c","b":1}': {}, 'v:"x"': {} } }
    expect(canonicalSet(written)).toEqual(kept)
  })
})
