import { type ApiResponse, jsonResponse } from './api-response.ts'
import type { Registry } from './registry.ts'
import type { ServedResource } from './served-resource.ts'

const OBJECT_VERBS = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch']
const STATUS_VERBS = ['get', 'patch', 'update']
const SUBRESOURCES: Readonly<
  Record<string, { verbs: readonly string[]; kind?: string; group?: string; version?: string }>
> = {
  status: { verbs: STATUS_VERBS },
  log: { verbs: ['get'] },
  attach: { verbs: ['create', 'get'], kind: 'PodAttachOptions' },
  exec: { verbs: ['create', 'get'], kind: 'PodExecOptions' },
  portforward: { verbs: ['create', 'get'], kind: 'PodPortForwardOptions' },
  binding: { verbs: ['create'], kind: 'Binding' },
  eviction: { verbs: ['create'], kind: 'Eviction', group: 'policy', version: 'v1' },
  finalize: { verbs: ['update'] },
  token: { verbs: ['create'], kind: 'TokenRequest', group: 'authentication.k8s.io', version: 'v1' },
  scale: { verbs: STATUS_VERBS, kind: 'Scale', group: 'autoscaling', version: 'v1' },
}
const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'

/** Answers the discovery paths, in the aggregated form for clients that accept it; `undefined` for other paths. */
export function discover(registry: Registry, path: string, accept: string): ApiResponse | undefined {
  const parts = path.split('/').filter((part) => part !== '')
  const [root, group, version, ...more] = parts
  if (root === 'api') {
    if (group === undefined) return wantsAggregated(accept) ? aggregated(registry, true) : jsonResponse(CORE_VERSIONS)
    return group === 'v1' && version === undefined ? jsonResponse(resourceList(registry, '', 'v1')) : undefined
  }
  if (root !== 'apis' || more.length > 0) return undefined
  if (group === undefined)
    return wantsAggregated(accept) ? aggregated(registry, false) : jsonResponse(groupList(registry))
  const versions = versionsOf(registry, group)
  if (versions.length === 0 || group === '') return undefined
  if (version === undefined) return jsonResponse({ kind: 'APIGroup', apiVersion: 'v1', ...groupOf(registry, group) })
  return versions.includes(version) ? jsonResponse(resourceList(registry, group, version)) : undefined
}

const CORE_VERSIONS = {
  kind: 'APIVersions',
  versions: ['v1'],
  serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: '127.0.0.1:443' }],
}

function wantsAggregated(accept: string): boolean {
  return accept.includes('as=APIGroupDiscoveryList') && accept.includes('v=v2')
}

function groupsOf(registry: Registry): string[] {
  return [...new Set(registry.resources.map((resource) => resource.group))].filter((group) => group !== '')
}

function versionsOf(registry: Registry, group: string): string[] {
  const versions = registry.resources.filter((resource) => resource.group === group).map((resource) => resource.version)
  return [...new Set(versions)]
}

function groupOf(registry: Registry, name: string): object {
  const versions = versionsOf(registry, name).map((version) => ({ groupVersion: `${name}/${version}`, version }))
  return { name, versions, preferredVersion: versions[0] }
}

function groupList(registry: Registry): object {
  return { kind: 'APIGroupList', apiVersion: 'v1', groups: groupsOf(registry).map((name) => groupOf(registry, name)) }
}

function verbsOf(resource: ServedResource): readonly string[] {
  if (resource.verbs !== undefined) return resource.verbs
  return resource.kind === 'Namespace' ? OBJECT_VERBS.filter((verb) => verb !== 'deletecollection') : OBJECT_VERBS
}

function resourceList(registry: Registry, group: string, version: string): object {
  const served = registry.resources.filter((resource) => resource.group === group && resource.version === version)
  return {
    kind: 'APIResourceList',
    ...(group !== '' && { apiVersion: 'v1' }),
    groupVersion: group === '' ? version : `${group}/${version}`,
    resources: served.flatMap((resource) => {
      const { plural, singular, namespaced, kind, shortNames, categories, subresources = [] } = resource
      return [
        {
          name: plural,
          singularName: singular,
          namespaced,
          kind,
          verbs: verbsOf(resource),
          ...(shortNames !== undefined && { shortNames }),
          ...(categories !== undefined && { categories }),
        },
        ...subresources.map((name) => ({
          name: `${plural}/${name}`,
          singularName: '',
          namespaced,
          ...kindOfSubresource(name),
          kind: SUBRESOURCES[name]?.kind ?? kind,
          verbs: SUBRESOURCES[name]?.verbs ?? STATUS_VERBS,
        })),
      ]
    }),
  }
}

function aggregated(registry: Registry, core: boolean): ApiResponse {
  const groups = core ? [''] : groupsOf(registry)
  const items = groups.map((group) => ({
    metadata: group === '' ? {} : { name: group },
    versions: versionsOf(registry, group).map((version) => ({
      version,
      freshness: 'Current',
      resources: registry.resources
        .filter((resource) => resource.group === group && resource.version === version)
        .map(discovered),
    })),
  }))
  const value = { kind: 'APIGroupDiscoveryList', apiVersion: 'apidiscovery.k8s.io/v2', metadata: {}, items }
  return jsonResponse(value, 200, { 'content-type': AGGREGATED, vary: 'Accept' })
}

function discovered(resource: ServedResource): object {
  const { plural, singular, namespaced, shortNames, categories, subresources } = resource
  const { group, version, kind } = resource
  // built-in kinds leave group and version to the list they stand in
  const own = resource.custom === true ? { group, version } : { group: '', version: '' }
  return {
    resource: plural,
    responseKind: { ...own, kind },
    scope: namespaced ? 'Namespaced' : 'Cluster',
    singularResource: singular,
    verbs: verbsOf(resource),
    ...(shortNames !== undefined && { shortNames }),
    ...(categories !== undefined && { categories }),
    ...(subresources !== undefined && {
      subresources: subresources.map((name) => ({
        subresource: name,
        responseKind: { ...own, kind: SUBRESOURCES[name]?.kind ?? kind, ...kindOfSubresource(name) },
        verbs: SUBRESOURCES[name]?.verbs ?? STATUS_VERBS,
      })),
    }),
  }
}

/** Group and version of what a subresource speaks, where they are not those of the resource. */
function kindOfSubresource(name: string): { readonly group?: string; readonly version?: string } {
  const { group, version } = SUBRESOURCES[name] ?? {}
  return group === undefined || version === undefined ? {} : { group, version }
}
