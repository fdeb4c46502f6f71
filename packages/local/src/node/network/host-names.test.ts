import type { Pod } from '@trainjob/api'
import { describe, expect, it } from 'vitest'
import { createHostResolver } from './host-names.ts'

const pod: Pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p', namespace: 'ml', labels: { 'jobset.sigs.k8s.io/jobset-name': 'mnist' } },
  spec: { hostname: 'mnist-node-0-1', subdomain: 'mnist', containers: [] },
}
const addresses = { of: (host: string) => `<${host}>` }

describe('host resolver', () => {
  const resolve = createHostResolver(pod, addresses)
  it.each([
    ['mnist-node-0-0.mnist', '<ml/mnist/mnist-node-0-0>'],
    ['mnist-node-0-1.mnist:29500', '<ml/mnist/mnist-node-0-1>:29500'],
    ['tcp://mnist-node-0-0.mnist.ml:1/x', 'tcp://<ml/mnist/mnist-node-0-0>:1/x'],
    ['mnist-node-0-0.mnist.ml.svc', '<ml/mnist/mnist-node-0-0>'],
    ['mnist-node-0-0.mnist.ml.svc.cluster.local', '<ml/mnist/mnist-node-0-0>'],
    ['mnist-node-0-0.mnist,mnist-node-0-1.mnist', '<ml/mnist/mnist-node-0-0>,<ml/mnist/mnist-node-0-1>'],
    ['{"worker":["mnist-ps-1-0.mnist:2222"]}', '{"worker":["<ml/mnist/mnist-ps-1-0>:2222"]}'],
  ])('%s', (text, resolved) => {
    expect(resolve(text)).toBe(resolved)
  })

  it.each([
    'python -m mnist.train',
    'train.mnist',
    'mnist-node-0-0.mnistic',
    'mnist-node-0-0.other',
    'mnist-node-0-0.mnist.example.org',
    'mnist-node-0-0.mnist.prod.svc',
    'x.mnist-node-0-0.mnist',
    'mnist-node-0-0.mnist-2',
    'mnist-node-0-0',
  ])('leaves %s alone', (text) => {
    expect(resolve(text)).toBe(text)
  })

  it('knows the pods of a Job without a JobSet by its name', () => {
    const labels = { 'batch.kubernetes.io/job-name': 'sum' }
    const ofJob = { ...pod, metadata: { ...pod.metadata, labels }, spec: { ...pod.spec, subdomain: 'net' } }
    expect(createHostResolver(ofJob, addresses)('sum-3.net sum-x.net')).toBe('<ml/net/sum-3> sum-x.net')
  })

  it('has nothing to say without a subdomain', () => {
    const { subdomain: _, ...spec } = pod.spec
    expect(createHostResolver({ ...pod, spec }, addresses)('mnist-node-0-0.mnist')).toBe('mnist-node-0-0.mnist')
  })
})
