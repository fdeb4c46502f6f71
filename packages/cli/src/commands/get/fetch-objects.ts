import type { Client, KubeObject, Resource } from '@trainjob/kube'
import type { Targets } from './kind.ts'
import type { ObjectGroup } from './print-objects.ts'

/** Where to look, and for what. */
export interface Scope {
  readonly kube: Client
  /** All of them when left out. */
  readonly namespace?: string
  readonly labelSelector?: string
  readonly fieldSelector?: string
  readonly signal: AbortSignal
}

/** Everything that is there of the targets, and an error for each thing that is not. */
export async function fetchObjects(
  targets: readonly Targets[],
  scope: Scope,
): Promise<{ groups: readonly ObjectGroup[]; errors: readonly unknown[] }> {
  const errors: unknown[] = []
  const groups = await Promise.all(
    targets.flatMap(({ resources, names }) =>
      names.length === 0
        ? resources.map(async (resource) => ({ resource, objects: await list(resource, scope) }))
        : names.map(async (name) => await named(name, resources, scope, errors)),
    ),
  )
  return { groups: merged(groups), errors }
}

async function list(resource: Resource, scope: Scope): Promise<readonly KubeObject[]> {
  const { kube, namespace, ...query } = scope
  const objects: KubeObject[] = []
  const within = resource.namespaced && namespace !== undefined ? { namespace } : {}
  for await (const object of kube.listAll(resource, { ...query, ...within })) {
    objects.push(whole(object, resource))
  }
  return objects
}

/** By name among kinds: the first that has it. */
async function named(
  name: string,
  resources: readonly Resource[],
  { kube, namespace = 'default', signal }: Scope,
  errors: unknown[],
): Promise<ObjectGroup> {
  let last: unknown
  for (const resource of resources) {
    try {
      const key = resource.namespaced ? { namespace, name } : { name }
      return { resource, objects: [whole(await kube.get(resource, key, { signal }), resource)] }
    } catch (error) {
      last ??= error
      if ((error as { httpCode?: number }).httpCode !== 404) break
    }
  }
  errors.push(last)
  return { resource: resources[0] as Resource, objects: [] }
}

/** Items of a list come without kind and version from some servers. */
export function whole(object: KubeObject, { group, version, kind }: Resource): KubeObject {
  if (object.kind !== undefined && object.apiVersion !== undefined) return object
  return { ...object, apiVersion: group === '' ? version : `${group}/${version}`, kind }
}

function merged(groups: readonly ObjectGroup[]): readonly ObjectGroup[] {
  const byResource = new Map<Resource, KubeObject[]>()
  for (const { resource, objects } of groups) {
    byResource.set(resource, [...(byResource.get(resource) ?? []), ...objects])
  }
  return [...byResource].map(([resource, objects]) => ({ resource, objects }))
}
