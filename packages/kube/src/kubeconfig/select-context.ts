import { KubeError } from '../error.ts'
import type { Kubeconfig, NamedCluster, NamedUser } from './kubeconfig.ts'

/** What flags may say instead of the kubeconfig. */
export interface ContextOverrides {
  /** Instead of the current one. */
  readonly context?: string
  /** Instead of the context's. */
  readonly cluster?: string
  readonly user?: string
  readonly namespace?: string
}

/** Where requests go, as whom, and to which namespace. */
export interface SelectedContext {
  readonly cluster: NamedCluster
  /** None: the cluster is reached without credentials. */
  readonly user: NamedUser | undefined
  readonly namespace: string
}

/**
 * What the flags and the kubeconfig together point to. Throws `KubeError` (`config`) that lists the names there are.
 *
 * @example
 * const kubeconfig: Kubeconfig = {
 *   clusters: [{ name: 'prod', cluster: { server: 'https://prod:6443' } }],
 *   contexts: [{ name: 'prod', context: { cluster: 'prod' } }],
 *   users: [],
 * }
 * selectContext(kubeconfig, { context: 'prod', namespace: 'team-a' }).namespace // => 'team-a'
 * selectContext(kubeconfig, { context: 'test' }) // throws expected a context of the kubeconfig ("prod"), found "test"
 */
export function selectContext(config: Kubeconfig, overrides: ContextOverrides = {}): SelectedContext {
  const name = overrides.context ?? config['current-context']
  const context = name === undefined ? undefined : find(config.contexts, 'context', name).context
  const clusterName = overrides.cluster ?? context?.cluster
  if (clusterName === undefined) {
    throw new KubeError(
      'config',
      `the kubeconfig has no current context; choose one of ${names(config.contexts)} with --context or \`kubectl config use-context NAME\``,
    )
  }
  const userName = overrides.user ?? context?.user
  return {
    cluster: find(config.clusters, 'cluster', clusterName),
    user: userName === undefined || userName === '' ? undefined : find(config.users, 'user', userName),
    namespace: overrides.namespace ?? (context?.namespace || 'default'),
  }
}

function find<T extends { readonly name: string }>(entries: readonly T[], kind: string, name: string): T {
  const found = entries.find((entry) => entry.name === name)
  if (found !== undefined) return found
  throw new KubeError('config', `expected a ${kind} of the kubeconfig (${names(entries)}), found "${name}"`)
}

function names(entries: readonly { readonly name: string }[]): string {
  return entries.length === 0 ? 'there is none' : entries.map((entry) => `"${entry.name}"`).join(', ')
}
