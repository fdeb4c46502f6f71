import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { ConfigMaps, Namespaces, type OwnerReference, type ResourceType } from '@trainjob/api'
import { isNotFound, type KubeObject, type ObjectKey } from '@trainjob/kube'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { startCluster } from '../cluster.ts'
import type { LocalCluster } from '../local-cluster.ts'
import { type CustomResourceDefinition, CustomResourceDefinitions, isTrue } from '../server/crd/definition.ts'

const Things: ResourceType<KubeObject> = {
  group: 'example.com',
  version: 'v1',
  plural: 'things',
  kind: 'Thing',
  namespaced: true,
}
const Places: ResourceType<KubeObject> = { ...Things, plural: 'places', kind: 'Place', namespaced: false }

let dir: string
let cluster: LocalCluster

beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'tj-garbage-'))
  cluster = await startCluster({ dir, nodeAgent: false })
  await define(Things)
  await define(Places)
})
afterAll(async () => {
  await cluster?.stop()
  await rm(dir, { recursive: true, force: true })
})

async function define({ plural, kind, namespaced }: ResourceType<KubeObject>): Promise<void> {
  const version = { served: true, schema: { openAPIV3Schema: { type: 'object' } } }
  const definition: CustomResourceDefinition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.example.com` },
    spec: {
      group: 'example.com',
      scope: namespaced ? 'Namespaced' : 'Cluster',
      names: { plural, kind },
      versions: [
        { ...version, name: 'v1', storage: true },
        { ...version, name: 'v2', storage: false },
      ],
    },
  }
  await cluster.client.create(CustomResourceDefinitions, definition)
  await vi.waitFor(async () => {
    const definition = await cluster.client.get(CustomResourceDefinitions, { name: `${plural}.example.com` })
    expect(isTrue(definition, 'Established')).toBe(true)
  })
}

interface Sample {
  readonly owners?: readonly Partial<OwnerReference>[]
  readonly finalizers?: string[]
  readonly namespace?: string
}

async function make(resource: ResourceType<KubeObject>, name: string, sample: Sample = {}): Promise<KubeObject> {
  const { owners = [], finalizers = [], namespace = 'default' } = sample
  const { group, version, kind, namespaced } = resource
  return cluster.client.create(resource, {
    apiVersion: group === '' ? version : `${group}/${version}`,
    kind,
    metadata: {
      name,
      ...(namespaced && { namespace }),
      finalizers,
      ownerReferences: owners.map((owner) => ({
        apiVersion: 'example.com/v1',
        kind: 'Thing',
        name: '',
        uid: '',
        ...owner,
      })),
    },
  })
}

function ownedBy(
  { metadata, kind, apiVersion }: KubeObject,
  more: Partial<OwnerReference> = {},
): Partial<OwnerReference> {
  return { apiVersion, kind, name: metadata.name ?? '', uid: metadata.uid ?? '', ...more }
}

const key = (name: string): ObjectKey => ({ name, namespace: 'default' })

async function isThere(resource: ResourceType<KubeObject>, at: ObjectKey): Promise<boolean> {
  try {
    await cluster.client.get(resource, resource.namespaced ? at : { name: at.name })
    return true
  } catch (error) {
    if (isNotFound(error)) return false
    throw error
  }
}

async function goes(resource: ResourceType<KubeObject>, name: string): Promise<void> {
  await expect.poll(() => isThere(resource, key(name))).toBe(false)
}

describe('objects of custom kinds', () => {
  it('go when their owner has gone', async () => {
    const owner = await make(Things, 'a')
    await make(Things, 'a-thing', { owners: [ownedBy(owner)] })
    await make(ConfigMaps as never, 'a-map', { owners: [ownedBy(owner)] })
    await cluster.client.delete(Things, key('a'))
    await goes(Things, 'a-thing')
    await goes(ConfigMaps as never, 'a-map')
  })

  it('keep an owner that is deleted in the foreground until they are gone', async () => {
    const owner = await make(Things, 'b')
    const blocking = [ownedBy(owner, { blockOwnerDeletion: true })]
    await make(Things, 'b-thing', { owners: blocking, finalizers: ['example.com/held'] })
    await cluster.client.delete(Things, key('b'), { propagationPolicy: 'Foreground' })
    await expect
      .poll(async () => (await cluster.client.get(Things, key('b-thing'))).metadata.deletionTimestamp)
      .toBeDefined()
    expect(await isThere(Things, key('b'))).toBe(true)
    await cluster.client.patch(Things, key('b-thing'), { type: 'merge', body: { metadata: { finalizers: null } } })
    await goes(Things, 'b-thing')
    await goes(Things, 'b')
  })

  it('are let go where they are to be orphans', async () => {
    const owner = await make(Things, 'c')
    await make(Things, 'c-thing', { owners: [ownedBy(owner)] })
    await cluster.client.delete(Things, key('c'), { propagationPolicy: 'Orphan' })
    await goes(Things, 'c')
    expect((await cluster.client.get(Things, key('c-thing'))).metadata.ownerReferences).toBeUndefined()
  })

  it('go with an owner of the cluster, whatever version names it', async () => {
    const owner = await make(Places, 'd')
    await make(Things, 'd-thing', { owners: [ownedBy(owner, { apiVersion: 'example.com/v2' })] })
    await cluster.client.delete(Places, { name: 'd' })
    await goes(Things, 'd-thing')
  })

  it('go when their owner never was, or is in another namespace', async () => {
    await make(Things, 'e-thing', { owners: [{ name: 'never', uid: 'never' }] })
    await cluster.client.create(Namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'other' } })
    const owner = await make(Things, 'e', { namespace: 'other' })
    await make(Things, 'e-other', { owners: [ownedBy(owner)] })
    await goes(Things, 'e-thing')
    await goes(Things, 'e-other')
  })

  it('stay where nobody can tell: of the cluster, with an owner in a namespace; of an owner of no known kind', async () => {
    await make(Places, 'f', { owners: [{ name: 'never', uid: 'never' }] })
    await make(Things, 'f-thing', { owners: [{ kind: 'Nothing', name: 'never', uid: 'never' }] })
    // those are looked at later
    await make(Things, 'f-later', { owners: [{ name: 'never', uid: 'never' }] })
    await goes(Things, 'f-later')
    expect(await isThere(Places, { name: 'f' })).toBe(true)
    expect(await isThere(Things, key('f-thing'))).toBe(true)
  })
})
