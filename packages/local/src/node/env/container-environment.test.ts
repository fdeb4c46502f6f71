import type { Container, Pod } from '@trainjob/api'
import { describe, expect, it } from 'vitest'
import type { ConfigSources } from './config-sources.ts'
import { containerEnvironment } from './container-environment.ts'

const facts = { nodeName: 'here', hostIP: '127.0.0.1', podIP: '127.70.0.9' }
const allocatable = { cpu: '8', memory: '16Gi' }
const base64 = (text: string): string => Buffer.from(text).toString('base64')
const sources: ConfigSources = {
  tokens: new Map([['3600 ', 'of the account']]),
  configMaps: new Map([
    [
      'settings',
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: {}, data: { LR: '0.1', 'with.dot': 'x', 'a=b': 'no' } },
    ],
    ['absent', undefined],
  ]),
  secrets: new Map([
    ['keys', { apiVersion: 'v1', kind: 'Secret', metadata: {}, data: { TOKEN: base64('s3cret·') } }],
    ['absent', undefined],
  ]),
}

function environment(container: Partial<Container>): Record<string, string> | string {
  const pod: Pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: 'mnist-0',
      namespace: 'ml',
      uid: 'u-1',
      labels: { 'batch.kubernetes.io/job-completion-index': '3' },
      annotations: { note: 'hello' },
    },
    spec: { containers: [{ name: 'node' }, { name: 'other', resources: { limits: { cpu: '3' } } }] },
  }
  const volumeFile = (volume: string, path: string) =>
    volume === 'shared' && path === 'out.env' ? "# made by an init container\nLR=0.1\nTEXT='a\nb'\n" : undefined
  const answer = containerEnvironment({
    pod,
    container: { name: 'node', ...container },
    sources,
    facts,
    allocatable,
    volumeFile,
  })
  return answer.ok ? Object.fromEntries(answer.value) : `${answer.fault.reason}: ${answer.fault.message}`
}

const field = (fieldPath: string) => environment({ env: [{ name: 'V', valueFrom: { fieldRef: { fieldPath } } }] })
const resource = (ref: { resource: string; divisor?: string; containerName?: string }) =>
  environment({
    resources: { limits: { cpu: '1500m', memory: '1Gi', 'nvidia.com/gpu': 2 }, requests: { cpu: '250m' } },
    env: [{ name: 'V', valueFrom: { resourceFieldRef: ref } }],
  })

describe('containerEnvironment', () => {
  it('reads files that other containers of the pod have written', () => {
    const ref = (path: string, key: string, optional = false) =>
      environment({
        env: [{ name: 'V', valueFrom: { fileKeyRef: { volumeName: 'shared', path, key, optional } } }],
      })
    expect(ref('out.env', 'LR')).toEqual({ V: '0.1' })
    expect(ref('out.env', 'TEXT')).toEqual({ V: 'a\nb' })
    expect(ref('out.env', 'NONE')).toContain("couldn't find key NONE in file out.env of volume shared")
    expect(ref('late.env', 'LR')).toContain('file late.env of volume shared not found')
    expect(ref('late.env', 'LR', true)).toEqual({})
  })

  it('expands what stands before, in order', () => {
    expect(
      environment({
        env: [
          { name: 'A', value: '1' },
          { name: 'B', value: '$(A)2 $(C)' },
          { name: 'C', value: '$(B)' },
          { name: 'A', value: 'again $(A)' },
          { name: 'N' },
        ],
      }),
    ).toEqual({ A: 'again 1', B: '12 $(C)', C: '12 $(C)', N: '' })
  })

  it('takes envFrom first, with prefix, and lets env win', () => {
    expect(
      environment({
        envFrom: [{ prefix: 'P_', configMapRef: { name: 'settings' } }, { secretRef: { name: 'keys' } }],
        env: [{ name: 'TOKEN', value: 'mine $(P_LR)' }],
      }),
    ).toEqual({ P_LR: '0.1', 'P_with.dot': 'x', TOKEN: 'mine 0.1' })
  })

  it('decodes keys of Secrets as UTF-8', () => {
    const env = [{ name: 'T', valueFrom: { secretKeyRef: { name: 'keys', key: 'TOKEN' } } }]
    expect(environment({ env })).toEqual({ T: 's3cret·' })
  })

  it('leaves optional references without a value out', () => {
    expect(
      environment({
        envFrom: [{ configMapRef: { name: 'absent', optional: true } }],
        env: [
          { name: 'X', valueFrom: { configMapKeyRef: { name: 'settings', key: 'nope', optional: true } } },
          { name: 'Y', valueFrom: { secretKeyRef: { name: 'absent', key: 'k', optional: true } } },
        ],
      }),
    ).toEqual({})
  })

  it.each([
    [{ envFrom: [{ configMapRef: { name: 'absent' } }] }, 'configmap "absent" not found'],
    [{ envFrom: [{ secretRef: { name: 'absent' } }] }, 'secret "absent" not found'],
    [{ env: [{ name: 'V', valueFrom: { secretKeyRef: { name: 'absent', key: 'k' } } }] }, 'secret "absent" not found'],
    [
      { env: [{ name: 'V', valueFrom: { configMapKeyRef: { name: 'settings', key: 'k' } } }] },
      "couldn't find key k in configmap settings",
    ],
  ])('says what is missing: %#', (container, message) => {
    expect(environment(container)).toBe(`CreateContainerConfigError: ${message}`)
  })

  it.each([
    ['metadata.name', 'mnist-0'],
    ['metadata.namespace', 'ml'],
    ['metadata.uid', 'u-1'],
    ["metadata.labels['batch.kubernetes.io/job-completion-index']", '3'],
    ["metadata.annotations['note']", 'hello'],
    ["metadata.labels['none']", ''],
    ['spec.nodeName', 'here'],
    ['spec.serviceAccountName', 'default'],
    ['status.hostIP', '127.0.0.1'],
    ['status.podIP', '127.70.0.9'],
  ])('fieldRef %s', (path, value) => {
    expect(field(path)).toEqual({ V: value })
  })

  it('refuses a fieldRef that Kubernetes does not offer', () => {
    expect(field('spec.hostname')).toContain('fieldRef spec.hostname')
  })

  it.each([
    [{ resource: 'limits.cpu' }, '2'],
    [{ resource: 'limits.cpu', divisor: '1m' }, '1500'],
    [{ resource: 'limits.memory' }, '1073741824'],
    [{ resource: 'limits.memory', divisor: '1Mi' }, '1024'],
    [{ resource: 'limits.memory', divisor: '1G' }, '2'],
    [{ resource: 'limits.nvidia.com/gpu' }, '2'],
    [{ resource: 'requests.cpu', divisor: '1m' }, '250'],
    [{ resource: 'requests.memory', divisor: '1Mi' }, '1024'],
    [{ resource: 'limits.cpu', containerName: 'other' }, '3'],
    [{ resource: 'limits.memory', containerName: 'other', divisor: '1Gi' }, '16'],
    [{ resource: 'requests.memory', containerName: 'other' }, '0'],
    [{ resource: 'limits.cpu', divisor: '0' }, '2'],
  ])('resourceFieldRef %j', (ref, value) => {
    expect(resource(ref)).toEqual({ V: value })
  })

  it('refuses a resourceFieldRef to no container', () => {
    expect(resource({ resource: 'limits.cpu', containerName: 'ghost' })).toContain('ghost')
  })
})
