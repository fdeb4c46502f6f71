import type { ServedResource } from './served-resource.ts'

/** The kinds that are served now, by where they are served. */
export interface Registry {
  readonly resources: readonly ServedResource[]
  hasGroupVersion(group: string, version: string): boolean
  find(group: string, version: string, plural: string): ServedResource | undefined
}

/** A registry of these kinds. */
export function createRegistry(resources: readonly ServedResource[]): Registry {
  const byPath = new Map<string, ServedResource>()
  const groupVersions = new Set<string>()
  for (const resource of resources) {
    byPath.set(`${resource.group}/${resource.version}/${resource.plural}`, resource)
    groupVersions.add(`${resource.group}/${resource.version}`)
  }
  return {
    resources,
    hasGroupVersion: (group, version) => groupVersions.has(`${group}/${version}`),
    find: (group, version, plural) => byPath.get(`${group}/${version}/${plural}`),
  }
}
