import { ConfigMaps, Jobs, Namespaces, type Pod, Pods, TrainJobs } from '@trainjob/api'
import { isNotFound, type KubeObject } from '@trainjob/kube'
import { beforeEach, describe, expect, it } from 'vitest'
import { configMap, type TestServer, testServer } from '../testing/test-server.ts'

const key = { namespace: 'default', name: 'a' }
const MAP_A = '/api/v1/namespaces/default/configmaps/a'

let at: TestServer
beforeEach(async () => {
  at = await testServer()
})

describe('delete', () => {
  it('answers a Status when the object is gone', async () => {
    await at.client.create(ConfigMaps, configMap('a'))
    const { status, body } = await at.send('DELETE', MAP_A)
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { kind: 'Status', status: 'Success', details: { name: 'a', kind: 'configmaps', uid: 'uid-2' } },
    })
    expect((await at.send('DELETE', MAP_A)).status).toBe(404)
  })

  it('waits for finalizers, and takes the object with the last of them', async () => {
    await at.client.create(TrainJobs, trainJob({ finalizers: ['x/one', 'x/two'] }))
    const going = await at.client.delete(TrainJobs, key)
    expect(going?.metadata).toMatchObject({
      deletionTimestamp: '2026-12-01T09:30:00Z',
      deletionGracePeriodSeconds: 0,
      generation: 2,
    })
    expect(await at.client.delete(TrainJobs, key)).toEqual(going)
    await expect(
      at.client.patch(TrainJobs, key, { type: 'merge', body: { metadata: { finalizers: ['x/one', 'x/three'] } } }),
    ).rejects.toMatchObject({ httpCode: 422, message: expect.stringContaining('no new finalizers can be added') })
    await at.client.patch(TrainJobs, key, { type: 'merge', body: { metadata: { finalizers: ['x/one'] } } })
    await at.client.patch(TrainJobs, key, { type: 'json', ops: [{ op: 'remove', path: '/metadata/finalizers' }] })
    await expect(at.client.get(TrainJobs, key)).rejects.toSatisfy(isNotFound)
  })

  it.each([
    ['Foreground', ['foregroundDeletion']],
    ['Orphan', ['orphan']],
  ] as const)('leaves %s deletion to the garbage collector', async (propagationPolicy, finalizers) => {
    await at.client.create(ConfigMaps, configMap('a'))
    expect(await at.client.delete(ConfigMaps, key, { propagationPolicy })).toMatchObject({ metadata: { finalizers } })
    const gone = await at.client.delete(ConfigMaps, key, { propagationPolicy: 'Background' })
    expect(gone).toBeUndefined()
  })

  it('orphans what a Job owns unless it is told otherwise', async () => {
    await at.client.create(Jobs, { apiVersion: 'batch/v1', kind: 'Job', metadata: { ...key }, spec: { template: {} } })
    expect((await at.client.delete(Jobs, key))?.metadata.finalizers).toEqual(['orphan'])
  })

  it('checks preconditions', async () => {
    await at.client.create(ConfigMaps, configMap('a'))
    await expect(at.client.delete(ConfigMaps, key, { preconditions: { uid: 'x' } })).rejects.toMatchObject({
      httpCode: 409,
      message:
        'Operation cannot be fulfilled on ConfigMap "a": the UID in the precondition (x) does not match the UID in record (uid-2). The object might have been deleted and then recreated',
    })
    await expect(at.client.delete(ConfigMaps, key, { preconditions: { resourceVersion: '1' } })).rejects.toMatchObject({
      httpCode: 409,
    })
    await at.client.delete(ConfigMaps, key, { preconditions: { uid: 'uid-2', resourceVersion: '2' }, dryRun: true })
    expect(await at.client.get(ConfigMaps, key)).toBeDefined()
  })

  it.each([
    ['propagationPolicy', { propagationPolicy: 'Never' }, 422],
    ['gracePeriodSeconds', { gracePeriodSeconds: -1 }, 400],
    ['the body', [1], 400],
  ])('refuses a bad value of %s', async (_, body, status) => {
    expect((await at.send('DELETE', MAP_A, { body })).status).toBe(status)
  })

  it('deletes a collection by selector', async () => {
    await at.client.create(ConfigMaps, configMap('a', {}, { labels: { x: 'y' } }))
    await at.client.create(ConfigMaps, configMap('b'))
    const { body } = await at.send('DELETE', '/api/v1/namespaces/default/configmaps?labelSelector=x')
    expect((body as { items: KubeObject[] }).items).toHaveLength(1)
    expect((await at.client.list(ConfigMaps)).items.map((item) => item.metadata.name)).toEqual(['b'])
    expect((await at.send('DELETE', '/api/v1/configmaps')).status).toBe(405)
  })
})

describe('delete of a pod', () => {
  it('is over at once while no node runs it', async () => {
    await at.client.create(Pods, pod({}))
    expect(await at.client.delete(Pods, key)).toBeUndefined()
  })

  it('gives it its grace period on a node, which ends it', async () => {
    await at.client.create(Pods, pod({ nodeName: 'n', terminationGracePeriodSeconds: 10 }))
    const going = await at.client.delete(Pods, key)
    expect(going?.metadata).toMatchObject({
      deletionTimestamp: '2026-12-01T09:30:10Z',
      deletionGracePeriodSeconds: 10,
    })
    const shorter = await at.client.delete(Pods, key, { gracePeriodSeconds: 2 })
    expect(shorter?.metadata).toMatchObject({
      deletionTimestamp: '2026-12-01T09:30:02Z',
      deletionGracePeriodSeconds: 2,
    })
    const longer = await at.client.delete(Pods, key, { gracePeriodSeconds: 60 })
    expect(longer?.metadata.deletionGracePeriodSeconds).toBe(2)
    expect(await at.client.delete(Pods, key, { gracePeriodSeconds: 0 })).toBeUndefined()
  })

  it('waits for finalizers after its processes are gone', async () => {
    await at.client.create(Pods, pod({ nodeName: 'n' }, { finalizers: ['x/count'] }))
    await at.client.delete(Pods, key)
    await at.client.patch(Pods, key, { type: 'merge', body: { metadata: { finalizers: null } } })
    const still = await at.client.get(Pods, key)
    expect(still.metadata.deletionGracePeriodSeconds).toBe(30)
    expect(await at.client.delete(Pods, key, { gracePeriodSeconds: 0 })).toBeUndefined()

    await at.client.create(Pods, pod({ nodeName: 'n' }, { finalizers: ['x/count'] }))
    const finalised = await at.client.delete(Pods, key, { gracePeriodSeconds: 0 })
    expect(finalised?.metadata).toMatchObject({ deletionGracePeriodSeconds: 0, finalizers: ['x/count'] })
    await at.client.patch(Pods, key, { type: 'merge', body: { metadata: { finalizers: null } } })
    await expect(at.client.get(Pods, key)).rejects.toSatisfy(isNotFound)
  })

  it('needs no grace when it has ended', async () => {
    const made = await at.client.create(Pods, pod({ nodeName: 'n' }))
    await at.client.update(Pods, { ...made, status: { phase: 'Succeeded' } }, { subresource: 'status' })
    expect(await at.client.delete(Pods, key)).toBeUndefined()
  })
})

describe('delete of a namespace', () => {
  it('waits until somebody says that it is empty', async () => {
    await at.client.create(Namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'n' } })
    const going = await at.client.delete(Namespaces, { name: 'n' })
    expect(going).toMatchObject({ spec: { finalizers: ['kubernetes'] }, status: { phase: 'Terminating' } })
    const { spec: _, ...rest } = going ?? { apiVersion: '', kind: '', metadata: {} }
    await at.client.update(Namespaces, { ...rest, spec: { finalizers: [] } }, { subresource: 'finalize' })
    await expect(at.client.get(Namespaces, { name: 'n' })).rejects.toSatisfy(isNotFound)
  })
})

function pod(spec: Partial<Pod['spec']>, metadata: object = {}): Pod {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { ...key, ...metadata },
    spec: { containers: [{ name: 'c' }], ...spec },
  }
}

function trainJob(metadata: object) {
  return {
    apiVersion: 'trainer.kubeflow.org/v1alpha1',
    kind: 'TrainJob',
    metadata: { ...key, ...metadata },
    spec: { runtimeRef: { name: 'plain' } },
  }
}
