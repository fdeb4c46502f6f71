import type { Clock } from '../clock.ts'
import { KubeError } from '../error.ts'
import type { Credential, Credentials } from '../transport/cluster-config.ts'
import type { KubeconfigUser, NamedCluster, NamedUser } from './kubeconfig.ts'
import { shareInFlight } from './share-in-flight.ts'

/** How long an answer of the plugin's own cache is used without asking it again. */
const FRESH_MS = 10_000

/**
 * Credentials that a program (`exec`) or a legacy `auth-provider` of the kubeconfig hands out, through
 * `@kubernetes/client-node`, which is loaded on the first use. Requests at the same time start one program, not many.
 */
export function pluginCredentials(
  cluster: NamedCluster,
  user: NamedUser,
  clock: Clock,
  along: Credential = {},
): Credentials {
  let last: { readonly credential: Credential; readonly until: number } | undefined
  let source: Promise<Source> | undefined
  const ask = shareInFlight(async () => {
    source ??= loadSource(cluster, user)
    const options: Asked = {}
    try {
      await (await source).applyToHTTPSOptions(options)
    } catch (error) {
      source = undefined
      throw pluginError(user, error)
    }
    const authorization = options.headers?.Authorization
    const credential: Credential = {
      ...along,
      headers: { ...along.headers, ...(authorization !== undefined && { authorization }) },
      ...(typeof options.cert === 'string' && { cert: options.cert }),
      ...(typeof options.key === 'string' && { key: options.key }),
    }
    last = { credential, until: clock.now() + FRESH_MS }
    return credential
  })
  return {
    get: async () => (last !== undefined && clock.now() < last.until ? last.credential : ask()),
    refresh() {
      last = undefined
      // the source keeps a cache of its own
      source = undefined
      return true
    },
  }
}

interface Asked {
  headers?: Record<string, string>
  cert?: unknown
  key?: unknown
}

interface Source {
  applyToHTTPSOptions(options: Asked): Promise<void>
}

async function loadSource(cluster: NamedCluster, { name, user }: NamedUser): Promise<Source> {
  const { KubeConfig } = await import('@kubernetes/client-node')
  const config = new KubeConfig()
  const { exec } = user
  config.loadFromOptions({
    clusters: [{ name: cluster.name, server: cluster.cluster.server ?? '', skipTLSVerify: false }],
    users: [
      {
        name,
        ...(exec !== undefined && { exec: { ...exec, env: execEnv(cluster, user) } }),
        ...(user['auth-provider'] !== undefined && { authProvider: user['auth-provider'] }),
      },
    ],
    contexts: [{ name: 'only', cluster: cluster.name, user: name }],
    currentContext: 'only',
  })
  return config as unknown as Source
}

/** Plugins may ask what they are for; client-node does not tell them. */
function execEnv({ cluster }: NamedCluster, { exec }: KubeconfigUser): { name: string; value: string }[] {
  const info = {
    apiVersion: exec?.apiVersion ?? 'client.authentication.k8s.io/v1',
    kind: 'ExecCredential',
    spec: {
      interactive: false,
      ...(exec?.provideClusterInfo === true && {
        cluster: {
          server: cluster.server,
          'certificate-authority-data': cluster['certificate-authority-data'],
          'insecure-skip-tls-verify': cluster['insecure-skip-tls-verify'],
          'tls-server-name': cluster['tls-server-name'],
          'proxy-url': cluster['proxy-url'],
        },
      }),
    },
  }
  return [{ name: 'KUBERNETES_EXEC_INFO', value: JSON.stringify(info) }, ...(exec?.env ?? [])]
}

function pluginError({ name, user }: NamedUser, error: unknown): KubeError {
  const what =
    user.exec !== undefined ? `the program "${user.exec.command ?? ''}"` : `"${user['auth-provider']?.name ?? ''}"`
  const hint = user.exec?.installHint === undefined ? 'run it by hand to see why' : user.exec.installHint.trim()
  const found = (error instanceof Error ? error.message : String(error)).trim() || 'it failed without a message'
  return new KubeError(
    'config',
    `expected credentials for the user "${name}" from ${what} of the kubeconfig, found: ${found}; ${hint}`,
    { cause: error },
  )
}
