import type { Pod } from '@trainjob/api'
import { describe, expect, it } from 'vitest'
import { validatePodUpdate } from './pod-update.ts'

const spec = {
  nodeName: 'n',
  containers: [{ name: 'c', image: 'one', command: ['x'] }],
  initContainers: [{ name: 'i', image: 'one' }],
  tolerations: [{ key: 'a' }],
}
const verdict = (next: object, old: object = spec) => validatePodUpdate(next as Pod['spec'], old as Pod['spec'])

describe('a pod that exists', () => {
  it.each([
    ['nothing', spec],
    ['images', { ...spec, containers: [{ ...spec.containers[0], image: 'two' }] }],
    ['images of init containers', { ...spec, initContainers: [{ name: 'i', image: 'two' }] }],
    ['its deadline', { ...spec, activeDeadlineSeconds: 5 }],
    ['more tolerations', { ...spec, tolerations: [{ key: 'a' }, { key: 'b' }] }],
  ])('may change %s', (_, next) => {
    expect(verdict(next)).toEqual([])
  })

  it.each([
    ['its node', { ...spec, nodeName: 'm' }, 'spec'],
    ['commands', { ...spec, containers: [{ name: 'c', image: 'one', command: ['y'] }] }, 'spec'],
    ['its containers', { ...spec, containers: [...spec.containers, { name: 'd' }] }, 'spec.containers'],
    ['its init containers', { ...spec, initContainers: undefined }, 'spec.initContainers'],
    ['fewer tolerations', { ...spec, tolerations: [] }, 'spec.tolerations'],
    ['where it may go', { ...spec, nodeSelector: { a: 'b' } }, 'spec'],
  ])('may not change %s', (_, next, field) => {
    expect(verdict(next)).toMatchObject([{ reason: 'FieldValueForbidden', field }])
  })

  it('may change where it may go while it is held back', () => {
    const gated = { ...spec, schedulingGates: [{ name: 'g' }] }
    expect(verdict({ ...gated, nodeSelector: { a: 'b' } }, gated)).toEqual([])
  })
})
