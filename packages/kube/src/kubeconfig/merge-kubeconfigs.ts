import type { Kubeconfig } from './kubeconfig.ts'

/** Merges as kubectl does: the first file that defines a name, or the current context, wins whole. */
export function mergeKubeconfigs(configs: readonly Kubeconfig[]): Kubeconfig {
  const current = configs.find((config) => config['current-context'] !== undefined)?.['current-context']
  return {
    clusters: firstOfEach(configs.flatMap((config) => config.clusters)),
    contexts: firstOfEach(configs.flatMap((config) => config.contexts)),
    users: firstOfEach(configs.flatMap((config) => config.users)),
    ...(current !== undefined && { 'current-context': current }),
  }
}

function firstOfEach<T extends { readonly name: string }>(entries: readonly T[]): T[] {
  const byName = new Map<string, T>()
  for (const entry of entries) if (!byName.has(entry.name)) byName.set(entry.name, entry)
  return [...byName.values()]
}
