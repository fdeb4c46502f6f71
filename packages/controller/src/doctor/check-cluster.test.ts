import type { KubernetesObject } from '@trainjob/api'
import { ApiError, ConnectionError, type Reader, type Resource } from '@trainjob/kube'
import { describe, expect, it } from 'vitest'
import { checkCluster } from './check-cluster.ts'
import { imageVersion, isBefore } from './image-version.ts'

function failure(code: number): ApiError {
  return new ApiError({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    code,
    message: `is ${code}`,
  })
}

function deployment(namespace: string, image: string, ...args: string[]): KubernetesObject {
  const spec = { template: { spec: { containers: [{ image, args }] } } }
  return { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { namespace, name: 'x' }, spec } as KubernetesObject
}

/** Lists these objects by kind; a number is how it fails. */
function cluster(kinds: Readonly<Record<string, readonly KubernetesObject[] | number>>): Reader {
  return {
    async list({ kind }: Resource) {
      const items = kinds[kind] ?? []
      if (typeof items === 'number') throw failure(items)
      return { apiVersion: 'v1', kind: 'List', metadata: {}, items }
    },
  } as unknown as Reader
}

const runtime = { apiVersion: 'x', kind: 'ClusterTrainingRuntime', metadata: { name: 'r' } }
const good = {
  Deployment: [
    deployment('jobset-system', 'registry.k8s.io/jobset/jobset:v0.12.0'),
    deployment('kueue-system', 'registry.k8s.io/kueue/kueue:v0.14.2@sha256:0'),
    deployment(
      'kubeflow-system',
      'ghcr.io/kubeflow/trainer/trainer-controller-manager:v2.3.0',
      '--feature-gates=A=true,TrainJobStatus=true',
    ),
  ],
  ClusterTrainingRuntime: [runtime],
}

async function statesOf(kinds: Parameters<typeof cluster>[0]) {
  const checks = await checkCluster(cluster(kinds))
  return Object.fromEntries(checks.map(({ name, state }) => [name, state]))
}

describe('a cluster', () => {
  it('that has everything is in order', async () => {
    expect(await statesOf(good)).toEqual({ TrainJob: 'ok', JobSet: 'ok', runtimes: 'ok', progress: 'ok', Kueue: 'ok' })
  })

  it.each<[string, Parameters<typeof cluster>[0], string, string, RegExp]>([
    ['without definitions', { ...good, TrainJob: 404 }, 'TrainJob', 'failed', /controller crds/],
    ['without JobSet', { ...good, JobSet: 404 }, 'JobSet', 'failed', /kubectl apply .*jobset/],
    [
      'with an old JobSet',
      { ...good, Deployment: [deployment('j', 'x/jobset:v0.9.3')] },
      'JobSet',
      'failed',
      /v0\.9\.3 .*v0\.10\.1/,
    ],
    [
      'with an old Kueue',
      { ...good, Deployment: [deployment('k', 'x/kueue:v0.11.4')] },
      'Kueue',
      'warning',
      /v0\.12\.0 or newer/,
    ],
    [
      'with the gate off',
      { ...good, Deployment: [deployment('t', 'x/trainer-controller-manager:v2.3.0')] },
      'progress',
      'warning',
      /feature-gates=TrainJobStatus=true/,
    ],
    ['without runtimes', { ...good, ClusterTrainingRuntime: [] }, 'runtimes', 'warning', /TrainingRuntime/],
  ])('%s: it says what to do', async (_, kinds, name, state, text) => {
    const check = (await checkCluster(cluster(kinds))).find((one) => one.name === name)
    expect(check?.state).toBe(state)
    expect(`${check?.message} ${check?.todo}`).toMatch(text)
  })

  it('whose gate is on in the configuration is in order', async () => {
    const data = { 'controller_manager_config.yaml': 'featureGates:\n  TrainJobStatus: true\n' }
    const configMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' }, data } as KubernetesObject
    const kinds = { ...good, Deployment: [deployment('t', 'x/trainer-controller-manager')], ConfigMap: [configMap] }
    expect((await statesOf(kinds)).progress).toBe('ok')
  })

  it('that may not be read is not known', async () => {
    const kinds = { TrainJob: 403, JobSet: 403, ClusterTrainingRuntime: 403, Deployment: 403, Workload: 403 }
    expect(new Set(Object.values(await statesOf(kinds)))).toEqual(new Set(['unknown']))
  })

  it('without Kueue, as the embedded one, is in order', async () => {
    expect(await statesOf({ ...good, Deployment: 404, Workload: 404 })).toMatchObject({ JobSet: 'ok', Kueue: 'ok' })
  })

  it('that does not answer is no cluster', async () => {
    const list = () => Promise.reject(new ConnectionError('no answer'))
    await expect(checkCluster({ list } as unknown as Reader)).rejects.toThrow('no answer')
  })
})

describe('versions', () => {
  it.each([
    ['a/jobset:v0.10.1', [0, 10, 1]],
    ['host:5000/a/jobset:0.10', [0, 10, 0]],
    ['a/jobset:v1.2.3-rc.1@sha256:ab', [1, 2, 3]],
    ['host:5000/a/jobset', undefined],
    ['a/jobset:latest', undefined],
  ])('of %s', (image, version) => {
    expect(imageVersion(image)).toEqual(version)
  })

  it('are compared part by part', () => {
    expect(isBefore([0, 9, 9], [0, 10, 1])).toBe(true)
    expect(isBefore([0, 10, 1], [0, 10, 1])).toBe(false)
    expect(isBefore([1, 0, 0], [0, 10, 1])).toBe(false)
  })
})
