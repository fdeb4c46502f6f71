import { formatQuantity, type PodSpec } from '@trainjob/api'
import { expect, it } from 'vitest'
import { podRequests } from './pod-requests.ts'

const cpu = (amount: string, more = {}) => ({ name: 'c', resources: { requests: { cpu: amount } }, ...more })
const SIDECAR = { restartPolicy: 'Always' }

it.each<[string, PodSpec, string | undefined]>([
  ['nothing', { containers: [{ name: 'c' }] }, undefined],
  ['the sum of its containers', { containers: [cpu('1'), cpu('500m')] }, '1500m'],
  ['an init container that needs more', { containers: [cpu('1')], initContainers: [cpu('3')] }, '3'],
  ['sidecars besides', { containers: [cpu('1')], initContainers: [cpu('2', SIDECAR)] }, '3'],
  [
    'an init container beside the sidecars before it',
    { containers: [cpu('1')], initContainers: [cpu('2', SIDECAR), cpu('4')] },
    '6',
  ],
  [
    'what the pod as a whole asks for',
    { containers: [cpu('1')], resources: { requests: { cpu: '8' } } } as PodSpec,
    '8',
  ],
  ['overhead on top', { containers: [cpu('1')], overhead: { cpu: '250m' } } as PodSpec, '1250m'],
])('a pod asks for %s', (_, spec, expected) => {
  const amount = podRequests(spec).get('cpu')
  expect(amount && formatQuantity(amount)).toBe(expected)
})
