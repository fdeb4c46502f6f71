import { ConfigMaps, Namespaces, Pods, Secrets, TrainJobs } from '@trainjob/api'
import { isAlreadyExists, isConflict, isNotFound, type KubeObject } from '@trainjob/kube'
import { beforeEach, describe, expect, it } from 'vitest'
import { configMap, type TestServer, testServer } from '../testing/test-server.ts'

const MAPS = '/api/v1/namespaces/default/configmaps'
const JOBS = '/apis/trainer.kubeflow.org/v1alpha1/namespaces/default/trainjobs'

let at: TestServer
beforeEach(async () => {
  at = await testServer()
})

describe('create', () => {
  it('stamps what it stores', async () => {
    const { status, body } = await at.send('POST', `${MAPS}?fieldManager=me`, {
      body: { metadata: { name: 'a', labels: { x: 'y' } }, data: { k: 'v' } },
    })
    expect(status).toBe(201)
    expect(body).toEqual({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: {
        name: 'a',
        namespace: 'default',
        labels: { x: 'y' },
        uid: 'uid-2',
        resourceVersion: '2',
        creationTimestamp: '2026-12-01T09:30:00Z',
        managedFields: [
          {
            manager: 'me',
            operation: 'Update',
            apiVersion: 'v1',
            time: '2026-12-01T09:30:00Z',
            fieldsType: 'FieldsV1',
            fieldsV1: {
              'f:data': { '.': {}, 'f:k': {} },
              'f:metadata': { 'f:labels': { '.': {}, 'f:x': {} } },
            },
          },
        ],
      },
      data: { k: 'v' },
    })
  })

  it('finds a free name for generateName', async () => {
    await at.client.create(ConfigMaps, configMap('run-00001'))
    const made = await at.client.create(ConfigMaps, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { generateName: 'run-', namespace: 'default' },
    })
    expect(made.metadata.name).toBe('run-00002')
  })

  it('takes nothing from the request that the server decides', async () => {
    const job = await at.client.create(TrainJobs, {
      apiVersion: 'trainer.kubeflow.org/v1alpha1',
      kind: 'TrainJob',
      metadata: {
        name: 'j',
        namespace: 'default',
        uid: 'mine',
        generation: 7,
        creationTimestamp: '2000-01-01T00:00:00Z',
        deletionTimestamp: '2000-01-01T00:00:00Z',
      },
      spec: { runtimeRef: { name: 'plain' } },
      status: { conditions: [] },
    })
    expect(job.metadata).toMatchObject({ uid: 'uid-2', generation: 1, creationTimestamp: '2026-12-01T09:30:00Z' })
    expect(job.metadata.deletionTimestamp).toBeUndefined()
    expect(job.status).toBeUndefined()
  })

  it('stores nothing in a dry run', async () => {
    const made = await at.client.create(ConfigMaps, configMap('a'), { dryRun: true })
    expect(made.metadata.uid).toBeDefined()
    expect(made.metadata.resourceVersion).toBeUndefined()
    await expect(at.client.get(ConfigMaps, { namespace: 'default', name: 'a' })).rejects.toSatisfy(isNotFound)
  })

  it('keeps secrets as base64', async () => {
    const secret = await at.client.create(Secrets, {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 's', namespace: 'default' },
      stringData: { token: 'café' },
    })
    expect(secret).toMatchObject({ type: 'Opaque', data: { token: 'Y2Fmw6k=' } })
    expect(secret.stringData).toBeUndefined()
  })

  it('leaves the object of its caller alone, and does not follow it', async () => {
    const mine = configMap('a', { k: 'v' }) as KubeObject & { data: Record<string, string> }
    const before = structuredClone(mine)
    await at.client.create(ConfigMaps, mine)
    expect(mine).toEqual(before)
    mine.data.k = 'changed'
    expect(await at.client.get(ConfigMaps, { namespace: 'default', name: 'a' })).toMatchObject({ data: { k: 'v' } })
  })

  it.each([
    ['a name that is taken', MAPS, { metadata: { name: 'taken' } }, 409, 'configmaps "taken" already exists'],
    [
      'a missing namespace',
      '/api/v1/namespaces/nons/configmaps',
      { metadata: { name: 'a' } },
      404,
      'namespaces "nons" not found',
    ],
    [
      'no name',
      MAPS,
      { metadata: {} },
      422,
      'ConfigMap "" is invalid: metadata.name: Required value: name or generateName is required',
    ],
    ['a bad name', MAPS, { metadata: { name: 'A_b' } }, 422, /^ConfigMap "A_b" is invalid: metadata.name: Invalid/],
    [
      'another namespace',
      MAPS,
      { metadata: { name: 'a', namespace: 'other' } },
      400,
      'the namespace of the provided object does not match the namespace sent on the request',
    ],
    [
      'another kind',
      MAPS,
      { kind: 'Secret', apiVersion: 'v1', metadata: { name: 'a' } },
      400,
      /^Secret in version "v1" cannot be handled as a ConfigMap/,
    ],
    [
      'another version',
      JOBS,
      { kind: 'TrainJob', apiVersion: 'trainer.kubeflow.org/v1', metadata: { name: 'a' } },
      400,
      'the API version in the data (trainer.kubeflow.org/v1) does not match the expected API version (trainer.kubeflow.org/v1alpha1)',
    ],
    ['a custom object without kind', JOBS, { metadata: { name: 'a' } }, 400, /Object 'Kind' is missing/],
    ['a body that is no object', MAPS, [1], 400, /expected a JSON object, found \[1\]/],
    ['metadata that is none', MAPS, { metadata: 'x' }, 400, /metadata must be an object, found "x"/],
    [
      'a label that is no text',
      MAPS,
      { metadata: { name: 'a', labels: { a: 1 } } },
      400,
      /labels\["a"\] must be a str/,
    ],
    ['a version', MAPS, { metadata: { name: 'a', resourceVersion: '1' } }, 500, /resourceVersion should not be set/],
  ])('refuses %s', async (_, path, body, code, message) => {
    await at.client.create(ConfigMaps, configMap('taken'))
    const answer = await at.send('POST', path, { body })
    expect(answer.status).toBe(code)
    expect(answer.body).toMatchObject({ kind: 'Status', status: 'Failure', code })
    expect((answer.body as { message: string }).message).toMatch(message)
  })

  it('refuses content for a namespace on its way out', async () => {
    await at.client.create(Namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'n1' } })
    const going = await at.client.delete(Namespaces, { name: 'n1' })
    expect(going).toMatchObject({ status: { phase: 'Terminating' } })
    const answer = await at.send('POST', '/api/v1/namespaces/n1/configmaps', { body: { metadata: { name: 'a' } } })
    expect(answer).toMatchObject({
      status: 403,
      body: { message: expect.stringContaining('namespace n1 because it is being terminated') },
    })
  })
})

describe('update', () => {
  it('refuses a stale version, and writes nothing when nothing changes', async () => {
    const first = await at.client.create(ConfigMaps, configMap('a', { k: '1' }))
    const second = await at.client.update(ConfigMaps, { ...first, data: { k: '2' } })
    expect(second.metadata.resourceVersion).not.toBe(first.metadata.resourceVersion)
    await expect(at.client.update(ConfigMaps, { ...first, data: { k: '3' } })).rejects.toSatisfy(isConflict)
    const version = at.store.version
    const same = await at.client.update(ConfigMaps, { ...second, data: { k: '2' } })
    expect(same.metadata.resourceVersion).toBe(second.metadata.resourceVersion)
    expect(at.store.version).toBe(version)
  })

  it('overwrites a built-in object without a version, and asks for one on custom ones', async () => {
    await at.client.create(ConfigMaps, configMap('a', { k: '1' }))
    const over = await at.client.update(ConfigMaps, configMap('a', { k: '2' }))
    expect(over).toMatchObject({ data: { k: '2' } })
    await at.client.create(TrainJobs, trainJob('j'))
    const answer = await at.send('PUT', `${JOBS}/j`, { body: trainJob('j') })
    expect(answer).toMatchObject({
      status: 422,
      body: {
        message:
          'trainjobs.trainer.kubeflow.org "j" is invalid: metadata.resourceVersion: Invalid value: 0: must be specified for an update',
        details: { kind: 'trainjobs', group: 'trainer.kubeflow.org' },
      },
    })
  })

  it('keeps spec and status apart and counts changes of the spec', async () => {
    const made = await at.client.create(TrainJobs, trainJob('j'))
    const withStatus = await at.client.update(
      TrainJobs,
      { ...made, spec: { runtimeRef: { name: 'other' } }, status: { jobsStatus: [] } },
      { subresource: 'status' },
    )
    expect(withStatus).toMatchObject({
      spec: { runtimeRef: { name: 'plain' } },
      status: { jobsStatus: [] },
      metadata: { generation: 1 },
    })
    const { status: _, ...rest } = withStatus
    const changed = await at.client.update(TrainJobs, {
      ...rest,
      spec: { runtimeRef: { name: 'plain' }, suspend: true },
    })
    expect(changed).toMatchObject({ status: { jobsStatus: [] }, metadata: { generation: 2 } })
    const labelled = await at.client.update(TrainJobs, {
      ...changed,
      metadata: { ...changed.metadata, labels: { a: 'b' } },
    })
    expect(labelled.metadata.generation).toBe(2)
  })

  it.each([
    ['a missing object', 'b', { metadata: { name: 'b' } }, 404, 'configmaps "b" not found'],
    [
      'another name',
      'a',
      { metadata: { name: 'b' } },
      400,
      'the name of the object (b) does not match the name on the URL (a)',
    ],
    [
      'another uid',
      'a',
      { metadata: { name: 'a', uid: 'u' } },
      409,
      /UID in precondition: u, UID in object meta: uid-2/,
    ],
  ])('refuses %s', async (_, name, body, code, message) => {
    await at.client.create(ConfigMaps, configMap('a'))
    const answer = await at.send('PUT', `${MAPS}/${name}`, { body })
    expect(answer.status).toBe(code)
    expect((answer.body as { message: string }).message).toMatch(message)
  })
})

describe('patch', () => {
  const key = { namespace: 'default', name: 'a' }

  it('merges, and removes what is null', async () => {
    await at.client.create(ConfigMaps, configMap('a', { keep: '1', drop: '2' }))
    const patched = await at.client.patch(ConfigMaps, key, {
      type: 'merge',
      body: { data: { drop: null, add: '3' }, metadata: { labels: { x: 'y' } } },
    })
    expect(patched).toMatchObject({ data: { keep: '1', add: '3' }, metadata: { labels: { x: 'y' } } })
    expect(patched.data).not.toHaveProperty('drop')
  })

  it('leaves no empty map behind with the last label', async () => {
    const made = await at.client.create(ConfigMaps, configMap('a', {}, { labels: { x: 'y' } }))
    const bare = await at.client.patch(ConfigMaps, key, { type: 'merge', body: { metadata: { labels: { x: null } } } })
    expect(made.metadata.labels).toEqual({ x: 'y' })
    expect(bare.metadata).not.toHaveProperty('labels')
    const same = await at.client.patch(ConfigMaps, key, { type: 'merge', body: { metadata: { labels: { x: null } } } })
    expect(same).toBe(bare)
  })

  it('applies JSON patches as a whole or not at all', async () => {
    const made = await at.client.create(ConfigMaps, configMap('a', { k: '1' }))
    const patched = await at.client.patch(ConfigMaps, key, {
      type: 'json',
      ops: [
        { op: 'test', path: '/data/k', value: '1' },
        { op: 'replace', path: '/data/k', value: '2' },
        { op: 'add', path: '/metadata/labels', value: { 'a/b': 'c' } },
        { op: 'copy', from: '/metadata/labels/a~1b', path: '/data/copied' },
      ],
    })
    expect(patched).toMatchObject({ data: { k: '2', copied: 'c' }, metadata: { labels: { 'a/b': 'c' } } })
    const failed = at.client.patch(ConfigMaps, key, {
      type: 'json',
      ops: [
        { op: 'replace', path: '/data/k', value: '3' },
        { op: 'test', path: '/data/k', value: 'no' },
      ],
    })
    await expect(failed).rejects.toMatchObject({
      httpCode: 422,
      message: 'the server rejected our request due to an error in our request',
    })
    expect(await at.client.get(ConfigMaps, key)).toMatchObject({ data: { k: '2' } })
    expect(made).toMatchObject({ data: { k: '1' } })
  })

  it('merges lists of built-in kinds by their keys', async () => {
    await at.client.create(Pods, pod('a', { containers: [{ name: 'x', image: '1' }, { name: 'y' }] }))
    const patched = await at.client.patch(Pods, key, {
      type: 'strategic',
      body: { spec: { containers: [{ name: 'x', image: '2' }] } },
    })
    expect(patched.spec.containers).toEqual([{ name: 'x', image: '2' }, { name: 'y' }])
  })

  it('refuses strategic patches of custom kinds with the types that it takes', async () => {
    await at.client.create(TrainJobs, trainJob('a'))
    await expect(at.client.patch(TrainJobs, key, { type: 'strategic', body: {} })).rejects.toMatchObject({
      httpCode: 415,
      message:
        'the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml',
    })
  })

  it('refuses a patch for another version', async () => {
    const made = await at.client.create(ConfigMaps, configMap('a'))
    await at.client.patch(ConfigMaps, key, { type: 'merge', body: { data: { k: 'v' } } })
    const { resourceVersion } = made.metadata
    await expect(
      at.client.patch(ConfigMaps, key, { type: 'merge', body: { metadata: { resourceVersion }, data: { k: 'w' } } }),
    ).rejects.toSatisfy(isConflict)
  })

  it('makes patches again that another write got ahead of', async () => {
    await at.client.create(ConfigMaps, configMap('a'))
    await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        at.client.patch(ConfigMaps, key, { type: 'merge', body: { data: { [`k${index}`]: 'v' } } }),
      ),
    )
    expect(Object.keys((await at.client.get(ConfigMaps, key)).data ?? {})).toHaveLength(8)
  })

  it('touches nothing but the status through the status path', async () => {
    await at.client.create(TrainJobs, trainJob('a'))
    const patched = await at.client.patch(
      TrainJobs,
      key,
      {
        type: 'merge',
        body: { metadata: { labels: { a: 'b' } }, spec: { suspend: true }, status: { jobsStatus: [] } },
      },
      { subresource: 'status' },
    )
    expect(patched).toMatchObject({ status: { jobsStatus: [] } })
    expect(patched.spec.suspend).toBeUndefined()
    expect(patched.metadata.labels).toBeUndefined()
  })
})

describe('conflicts of names', () => {
  it('answers as clients expect', async () => {
    await at.client.create(ConfigMaps, configMap('a'))
    await expect(at.client.create(ConfigMaps, configMap('a'))).rejects.toSatisfy(isAlreadyExists)
  })
})

function trainJob(name: string) {
  return {
    apiVersion: 'trainer.kubeflow.org/v1alpha1',
    kind: 'TrainJob',
    metadata: { name, namespace: 'default' },
    spec: { runtimeRef: { name: 'plain' } },
  }
}

function pod(name: string, spec: { containers: { name: string; image?: string }[] }) {
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace: 'default' }, spec }
}
