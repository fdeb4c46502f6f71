import type { Container, PodSpec } from '@trainjob/api'
import { expect, it } from 'vitest'
import { formatAmount } from './amounts.ts'
import { podRequests } from './pod-requests.ts'

function container(
  requests: Record<string, string>,
  limits: Record<string, string> = {},
  more: Partial<Container> = {},
): Container {
  return { name: 'c', resources: { requests, limits }, ...more }
}

const sidecar = (cpu: string) => container({ cpu }, {}, { restartPolicy: 'Always' })

it.each<[string, PodSpec, Record<string, string>]>([
  ['nothing', { containers: [{ name: 'c' }] }, {}],
  [
    'containers together',
    { containers: [container({ cpu: '500m', memory: '1Gi' }), container({ cpu: '1' })] },
    { cpu: '1500m', memory: '1Gi' },
  ],
  [
    'limits where nothing is requested',
    { containers: [container({ cpu: '1' }, { cpu: '2', 'nvidia.com/gpu': '1' })] },
    { cpu: '1', 'nvidia.com/gpu': '1' },
  ],
  [
    'a hungry init container',
    { containers: [container({ cpu: '1' })], initContainers: [container({ cpu: '3' }), container({ cpu: '2' })] },
    { cpu: '3' },
  ],
  [
    'a modest one',
    { containers: [container({ cpu: '1' })], initContainers: [container({ cpu: '200m' })] },
    { cpu: '1' },
  ],
  ['sidecars besides', { containers: [container({ cpu: '1' })], initContainers: [sidecar('500m')] }, { cpu: '1500m' }],
  [
    'an init container after a sidecar',
    { containers: [container({ cpu: '1' })], initContainers: [sidecar('500m'), container({ cpu: '2' })] },
    { cpu: '2500m' },
  ],
  [
    'an init container before it',
    { containers: [container({ cpu: '1' })], initContainers: [container({ cpu: '2' }), sidecar('500m')] },
    { cpu: '2' },
  ],
  ['overhead', { containers: [container({ cpu: '1' })], overhead: { cpu: '250m' } }, { cpu: '1250m' }],
  ['nothing gets lost', { containers: Array.from({ length: 3 }, () => container({ cpu: '0.1' })) }, { cpu: '300m' }],
])('%s', (_, spec, expected) => {
  const requests = Object.fromEntries(
    [...podRequests(spec)].map(([name, amount]) => [name, formatAmount(name, amount)]),
  )
  expect(requests).toEqual({ pods: '1', ...expected })
})
