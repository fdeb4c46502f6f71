import { type ContainerStatus, type Pod, Pods } from '@trainjob/api'
import type { LogOptions } from '@trainjob/kube'
import { beforeEach, describe, expect, it } from 'vitest'
import { type TestServer, testServer } from '../testing/test-server.ts'

const POD = '/api/v1/namespaces/default/pods/p'
const key = { namespace: 'default', name: 'p' }

let at: TestServer
let opened: { container: string; options: LogOptions }[]
beforeEach(async () => {
  opened = []
  at = await testServer({
    logs: {
      async *open(pod, container, options) {
        opened.push({ container, options })
        yield new TextEncoder().encode(`${pod.metadata.name}/${container}\n`)
      },
    },
  })
})

function pod(spec: Partial<Pod['spec']> = {}): Pod {
  return { apiVersion: 'v1', kind: 'Pod', metadata: { ...key }, spec: { containers: [{ name: 'a' }], ...spec } }
}

async function createPod(spec: Partial<Pod['spec']>, status: Pod['status'] = {}): Promise<void> {
  const made = await at.client.create(Pods, pod(spec))
  await at.client.update(Pods, { ...made, status }, { subresource: 'status' })
}

describe('pods/binding', () => {
  const binding = (more: object = {}) => ({
    body: { apiVersion: 'v1', kind: 'Binding', metadata: { name: 'p' }, target: { kind: 'Node', name: 'n1' }, ...more },
  })

  it('gives a pod its node and says so in a condition, in one write', async () => {
    await at.client.create(Pods, pod())
    const before = at.store.version
    expect(await at.send('POST', `${POD}/binding`, binding())).toMatchObject({
      status: 201,
      body: { kind: 'Status', status: 'Success' },
    })
    expect(at.store.version).toBe(before + 1)
    expect(await at.client.get(Pods, key)).toMatchObject({
      spec: { nodeName: 'n1' },
      status: {
        phase: 'Pending',
        conditions: [{ type: 'PodScheduled', status: 'True', lastTransitionTime: '2026-12-01T09:30:00Z' }],
      },
    })
  })

  it('refuses what cannot be bound', async () => {
    expect((await at.send('POST', `${POD}/binding`, binding())).status).toBe(404)
    await at.client.create(Pods, pod())
    expect((await at.send('POST', `${POD}/binding`, binding({ target: {} }))).status).toBe(400)
    expect((await at.send('POST', `${POD}/binding`, binding({ metadata: { uid: 'other' } }))).status).toBe(409)
    await at.send('POST', `${POD}/binding`, binding())
    expect(await at.send('POST', `${POD}/binding`, binding())).toMatchObject({
      status: 409,
      body: {
        message: 'Operation cannot be fulfilled on pods/binding "p": pod p is already assigned to node "n1"',
      },
    })
  })
})

describe('pods/log', () => {
  it('is empty while the pod has no node', async () => {
    await at.client.create(Pods, pod())
    expect(await at.send('GET', `${POD}/log?follow=true`)).toMatchObject({ status: 204, body: '' })
  })

  it('opens the only container, or the one named', async () => {
    await createPod(
      { nodeName: 'n', initContainers: [{ name: 'init' }] },
      {
        containerStatuses: [container('a', { running: {} })],
        initContainerStatuses: [container('init', { terminated: { exitCode: 0 } })],
      },
    )
    const read = async (query: Record<string, string>) => {
      const response = await at.server.transport.request({ method: 'GET', path: `${POD}/log`, query })
      expect(response.headers['content-type']).toBe('text/plain')
      let text = ''
      for await (const chunk of response.chunks()) text += new TextDecoder().decode(chunk)
      return text
    }
    expect(await read({ follow: 'True', tailLines: '0', timestamps: '1' })).toBe('p/a\n')
    expect(await read({ container: 'init', sinceSeconds: '5', limitBytes: '9' })).toBe('p/init\n')
    expect(opened).toMatchObject([
      { container: 'a', options: { follow: true, tailLines: 0, timestamps: true, previous: false } },
      { container: 'init', options: { follow: false, sinceSeconds: 5, limitBytes: 9 } },
    ])
  })

  it.each<[string, string, Pod['status'], number, string | RegExp]>([
    ['an unknown container', 'container=zz', {}, 400, 'container zz is not valid for pod p'],
    [
      'a container that has not started',
      '',
      { containerStatuses: [container('a', { waiting: { reason: 'PodInitializing' } })] },
      400,
      'container "a" in pod "p" is waiting to start: PodInitializing',
    ],
    ['a pod without statuses', '', {}, 400, 'container "a" in pod "p" is waiting to start: ContainerCreating'],
    [
      'an earlier attempt that there was not',
      'previous=true',
      { containerStatuses: [container('a', { running: {} })] },
      400,
      'previous terminated container "a" in pod "p" not found',
    ],
    [
      'a negative tail',
      'tailLines=-1',
      {},
      422,
      'PodLogOptions "p" is invalid: tailLines: Invalid value: -1: must be greater than or equal to 0',
    ],
    ['no seconds', 'sinceSeconds=0', {}, 422, /sinceSeconds: Invalid value: 0: must be greater than 0/],
    ['two starts', 'sinceSeconds=1&sinceTime=2026-01-01T00:00:00Z', {}, 422, /\[\]: Forbidden: at most one of/],
    ['a bad time', 'sinceTime=yesterday', {}, 422, /sinceTime: Invalid value: "yesterday"/],
    ['a bad number', 'tailLines=x', {}, 400, 'strconv.ParseInt: parsing "x": invalid syntax'],
  ])('refuses %s', async (_, query, status, code, message) => {
    await createPod({ nodeName: 'n' }, status)
    const answer = await at.send('GET', `${POD}/log?${query}`)
    expect(answer.status).toBe(code)
    expect((answer.body as { message: string }).message).toMatch(message)
  })

  it('asks which of several containers', async () => {
    await createPod({ nodeName: 'n', containers: [{ name: 'a' }, { name: 'b' }] })
    expect(await at.send('GET', `${POD}/log`)).toMatchObject({
      status: 400,
      body: { message: 'a container name must be specified for pod p, choose one of: [a b]' },
    })
    expect((await at.send('GET', '/api/v1/namespaces/default/pods/nope/log')).status).toBe(404)
  })

  it('shows the last attempt of a container that waits to be started again', async () => {
    const ended = { terminated: { exitCode: 1 } }
    await createPod(
      { nodeName: 'n' },
      { containerStatuses: [{ ...container('a', { waiting: { reason: 'CrashLoopBackOff' } }), lastState: ended }] },
    )
    expect((await at.server.transport.request({ method: 'GET', path: `${POD}/log` })).status).toBe(200)
  })
})

function container(name: string, state: object): ContainerStatus {
  return { name, state, ready: false, restartCount: 0, image: '', imageID: '' }
}

describe('jobs/scale', () => {
  const JOB = '/apis/batch/v1/namespaces/default/jobs/j'
  const merge = { headers: { 'content-type': 'application/merge-patch+json' } }
  beforeEach(async () => {
    const spec = { parallelism: 2, template: { spec: { containers: [{ name: 'c' }], restartPolicy: 'Never' } } }
    await at.send('POST', '/apis/batch/v1/namespaces/default/jobs', { body: { metadata: { name: 'j' }, spec } })
  })

  it('shows and changes how many pods run side by side', async () => {
    expect(await at.send('GET', `${JOB}/scale`)).toMatchObject({
      status: 200,
      body: { kind: 'Scale', apiVersion: 'autoscaling/v1', metadata: { name: 'j' }, spec: { replicas: 2 } },
    })
    const patched = await at.send('PATCH', `${JOB}/scale`, { ...merge, body: { spec: { replicas: 5 } } })
    expect(patched).toMatchObject({ status: 200, body: { spec: { replicas: 5 } } })
    expect((await at.send('GET', JOB)).body).toMatchObject({ metadata: { generation: 2 }, spec: { parallelism: 5 } })
    const put = await at.send('PUT', `${JOB}/scale`, { body: { ...(patched.body as object), spec: { replicas: 1 } } })
    expect(put).toMatchObject({ status: 200, body: { spec: { replicas: 1 } } })
  })

  it('refuses numbers that are none, stale versions and kinds without it', async () => {
    for (const replicas of [-1, 'x', 1.5, null]) {
      expect((await at.send('PATCH', `${JOB}/scale`, { ...merge, body: { spec: { replicas } } })).status).toBe(422)
    }
    const stale = { metadata: { resourceVersion: '1' }, spec: { replicas: 3 } }
    expect((await at.send('PUT', `${JOB}/scale`, { body: stale })).status).toBe(409)
    const other = await at.send('GET', '/apis/trainer.kubeflow.org/v1alpha1/namespaces/default/trainjobs/t/scale')
    expect(other.status).toBe(404)
  })
})
