import { readFile } from 'node:fs/promises'
import { type Clock, systemClock } from '../clock.ts'
import { KubeError } from '../error.ts'
import type { ClusterConfig } from '../transport/cluster-config.ts'
import { type CredentialOverrides, credentialsOf, fixedCredentials } from './credentials-of.ts'
import { inClusterConfig } from './in-cluster-config.ts'
import type { Kubeconfig } from './kubeconfig.ts'
import { type LoadKubeconfigOptions, loadKubeconfig } from './load-kubeconfig.ts'
import { proxyOf } from './proxy-of.ts'
import { type ContextOverrides, selectContext } from './select-context.ts'

/** What kubectl would take from its flags. What is left out is as the kubeconfig says. */
export interface LoadClusterConfigOptions extends LoadKubeconfigOptions, ContextOverrides, CredentialOverrides {
  /** Instead of the kubeconfig's. */
  readonly server?: string
  readonly insecureSkipTlsVerify?: boolean
  readonly userAgent?: string
  readonly clock?: Clock
  /** Where a pod finds its service account; for tests. */
  readonly serviceAccountDir?: string
}

/**
 * The cluster that kubectl would talk to: the kubeconfig's context, else the cluster this process runs in.
 * Rejects with `KubeError` (`config`) that says what is missing and what to do.
 *
 * @example
 * const { namespace } = await loadClusterConfig({ context: 'trainjob-local' })
 * namespace // => 'default'
 */
export async function loadClusterConfig(options: LoadClusterConfigOptions = {}): Promise<ClusterConfig> {
  const { env = process.env, clock = systemClock } = options
  const kubeconfig = await loadKubeconfig(options)
  if (kubeconfig !== undefined && kubeconfig.clusters.length > 0) return clusterConfigOf(kubeconfig, options)
  const inCluster = await inClusterConfig(env, clock, options.serviceAccountDir)
  if (inCluster !== undefined) {
    return { ...inCluster, ...overrides(options), namespace: options.namespace ?? inCluster.namespace ?? 'default' }
  }
  if (options.server !== undefined) {
    return clusterConfigOf(
      { clusters: [{ name: '', cluster: {} }], contexts: [], users: [] },
      { ...options, cluster: '' },
    )
  }
  throw new KubeError(
    'config',
    'found no cluster to talk to: there is no kubeconfig with a cluster in it (KUBECONFIG, ~/.kube/config), and this is not a pod; name a file with --kubeconfig, or a server',
  )
}

/**
 * Like `loadClusterConfig`, from a kubeconfig at hand. Reads the certificate files that it names. Rejects with `KubeError` (`config`).
 *
 * @example
 * const config = await clusterConfigOf(
 *   {
 *     clusters: [{ name: 'here', cluster: { server: 'http://127.0.0.1:8001' } }],
 *     contexts: [{ name: 'here', context: { cluster: 'here', namespace: 'team-a' } }],
 *     users: [],
 *     'current-context': 'here',
 *   },
 *   { env: {} },
 * ) // => { server: 'http://127.0.0.1:8001', namespace: 'team-a' }
 */
export async function clusterConfigOf(
  kubeconfig: Kubeconfig,
  options: LoadClusterConfigOptions = {},
): Promise<ClusterConfig> {
  const { env = process.env, clock = systemClock } = options
  const { cluster: named, user, namespace } = selectContext(kubeconfig, options)
  const { cluster } = named
  const server = options.server ?? cluster.server
  if (server === undefined || server === '') {
    throw new KubeError(
      'config',
      `the cluster "${named.name}" of the kubeconfig has no server; set clusters[].cluster.server`,
    )
  }
  const insecure = options.insecureSkipTlsVerify ?? cluster['insecure-skip-tls-verify']
  const proxyUrl = cluster['proxy-url'] || proxyIfUrl(server, env)
  const [ca, cert, key] = await Promise.all([
    pem('certificate-authority', cluster['certificate-authority-data'], cluster['certificate-authority']),
    pem('client-certificate', user?.user['client-certificate-data'], user?.user['client-certificate']),
    pem('client-key', user?.user['client-key-data'], user?.user['client-key']),
  ])
  const credentials = credentialsOf(named, user, options, clock)
  return {
    server,
    namespace,
    ...(ca !== undefined && { ca }),
    ...(cert !== undefined && { cert }),
    ...(key !== undefined && { key }),
    ...(cluster['tls-server-name'] !== undefined && { tlsServerName: cluster['tls-server-name'] }),
    ...(insecure === true && { insecureSkipTlsVerify: true }),
    ...(proxyUrl !== undefined && { proxyUrl }),
    ...(options.userAgent !== undefined && { userAgent: options.userAgent }),
    ...(credentials !== undefined && { credentials }),
  }
}

function overrides(options: LoadClusterConfigOptions): Partial<ClusterConfig> {
  return {
    ...(options.server !== undefined && { server: options.server }),
    ...(options.userAgent !== undefined && { userAgent: options.userAgent }),
    ...(options.token !== undefined && { credentials: fixedCredentials({ authorization: `Bearer ${options.token}` }) }),
  }
}

async function pem(field: string, data: string | undefined, file: string | undefined): Promise<string | undefined> {
  if (data !== undefined && data !== '') return Buffer.from(data, 'base64').toString('utf8')
  if (file === undefined || file === '') return undefined
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    throw new KubeError('config', `expected a PEM file for ${field} at ${file}, found: ${(error as Error).message}`, {
      cause: error,
    })
  }
}

function proxyIfUrl(server: string, env: Parameters<typeof proxyOf>[1]): string | undefined {
  return URL.canParse(server) ? proxyOf(server, env) : undefined
}
