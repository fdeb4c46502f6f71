import type { Container, EnvVar } from '@trainjob/api'
import { describe, expect, it } from 'vitest'
import { renderedEnv, upsertEnv } from './env.ts'
import { deepFrozen } from './testing/objects.ts'

describe('renderedEnv', () => {
  it.each<[string, EnvVar, EnvVar]>([
    ['a value', { name: 'A', value: 'x' }, { name: 'A', value: 'x' }],
    ['no value', { name: 'A' }, { name: 'A', value: '' }],
    [
      'a field of the pod, without its API version',
      { name: 'A', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.name' } } },
      { name: 'A', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
    ],
    [
      'a resource, with all that can be said of it',
      { name: 'A', valueFrom: { resourceFieldRef: { resource: 'limits.cpu', divisor: '1000m' } } },
      { name: 'A', valueFrom: { resourceFieldRef: { containerName: '', resource: 'limits.cpu', divisor: '1' } } },
    ],
    [
      'a key of a ConfigMap',
      { name: 'A', valueFrom: { configMapKeyRef: { name: 'c', key: 'k', optional: true } } },
      { name: 'A', valueFrom: { configMapKeyRef: { name: 'c', key: 'k', optional: true } } },
    ],
    [
      'a key of a Secret',
      { name: 'A', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } },
      { name: 'A', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } },
    ],
  ])('writes %s', (_, variable, expected) => {
    expect(renderedEnv([variable], true)).toEqual([expected])
  })
})

describe('upsertEnv', () => {
  it('replaces the list of the container, not its content', () => {
    const container: Container = { name: 'a', env: deepFrozen([{ name: 'A', value: '1' }]) }
    upsertEnv(container, [
      { name: 'B', value: '2' },
      { name: 'A', value: '3' },
    ])
    expect(container.env).toEqual([
      { name: 'A', value: '3' },
      { name: 'B', value: '2' },
    ])
  })

  it('leaves a container without variables alone', () => {
    const container: Container = { name: 'a' }
    upsertEnv(container, [])
    expect(container).toEqual({ name: 'a' })
  })
})
