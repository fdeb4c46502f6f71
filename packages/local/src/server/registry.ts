import type { ServedResource } from './served-resource.ts'

/** The kinds that are served now, by where they are served. */
export interface Registry {
  readonly resources: readonly ServedResource[]
  hasGroupVersion(group: string, version: string): boolean
  find(group: string, version: string, plural: string): ServedResource | undefined
  /** Replaces the kinds that a definition adds. Built-in kinds stay what they are, whatever is defined in their place. */
  define(definition: string, resources: readonly ServedResource[]): void
}

/** A registry of these kinds, to which definitions may add others. */
export function createRegistry(builtin: readonly ServedResource[]): Registry {
  const builtinNames = new Set(builtin.map(({ group, plural }) => `${group}/${plural}`))
  const defined = new Map<string, readonly ServedResource[]>()
  let resources = builtin
  let byPath = new Map<string, ServedResource>()
  let groupVersions = new Set<string>()
  index()
  return {
    get resources() {
      return resources
    },
    hasGroupVersion: (group, version) => groupVersions.has(`${group}/${version}`),
    find: (group, version, plural) => byPath.get(`${group}/${version}/${plural}`),
    define(definition, added) {
      const own = added.filter(({ group, plural }) => !builtinNames.has(`${group}/${plural}`))
      if (own.length === 0 && !defined.has(definition)) return
      if (own.length === 0) defined.delete(definition)
      else defined.set(definition, own)
      index()
    },
  }

  function index(): void {
    resources = [...builtin, ...[...defined.values()].flat()]
    byPath = new Map(
      resources.map((resource) => [`${resource.group}/${resource.version}/${resource.plural}`, resource]),
    )
    groupVersions = new Set(resources.map(({ group, version }) => `${group}/${version}`))
  }
}
