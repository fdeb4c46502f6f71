import type { Clock } from '../clock.ts'
import type { Credential, Credentials } from '../transport/cluster-config.ts'
import { fileToken } from './file-token.ts'
import type { KubeconfigUser, NamedCluster, NamedUser } from './kubeconfig.ts'
import { pluginCredentials } from './plugin-credentials.ts'

/** Who to be, instead of whom the kubeconfig names. */
export interface CredentialOverrides {
  /** Bearer token, instead of the kubeconfig's. */
  readonly token?: string
  /** Acts as that user. */
  readonly as?: string
  readonly asGroups?: readonly string[]
}

/**
 * How a user of the kubeconfig proves itself besides its client certificate; `undefined` when it does not.
 * Order as in kubectl: a given token, a token file, a token, a password, a program.
 */
export function credentialsOf(
  cluster: NamedCluster,
  named: NamedUser | undefined,
  options: CredentialOverrides,
  clock: Clock,
): Credentials | undefined {
  const user: KubeconfigUser = named?.user ?? {}
  const along: Credential = { headers: impersonation(user, options) }
  if (options.token !== undefined)
    return fixedCredentials({ ...along.headers, authorization: `Bearer ${options.token}` })
  if (user.tokenFile !== undefined && user.tokenFile !== '') return fileToken(user.tokenFile, clock, along)
  if (user.token !== undefined) return fixedCredentials({ ...along.headers, authorization: `Bearer ${user.token}` })
  if (user.username !== undefined) {
    const basic = Buffer.from(`${user.username}:${user.password ?? ''}`).toString('base64')
    return fixedCredentials({ ...along.headers, authorization: `Basic ${basic}` })
  }
  if (named !== undefined && (user.exec !== undefined || user['auth-provider'] !== undefined)) {
    return pluginCredentials(cluster, named, clock, along)
  }
  return Object.keys(along.headers ?? {}).length > 0 ? fixedCredentials(along.headers ?? {}) : undefined
}

/** Credentials that stay the same. */
export function fixedCredentials(headers: NonNullable<Credential['headers']>): Credentials {
  const credential: Credential = { headers }
  return { get: () => Promise.resolve(credential), refresh: () => false }
}

function impersonation(user: KubeconfigUser, options: CredentialOverrides): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = {}
  const as = options.as ?? user.as
  const groups = options.asGroups ?? user['as-groups']
  if (as !== undefined && as !== '') headers['impersonate-user'] = as
  if (user['as-uid'] !== undefined && user['as-uid'] !== '') headers['impersonate-uid'] = user['as-uid']
  if (groups !== undefined && groups.length > 0) headers['impersonate-group'] = [...groups]
  for (const [name, values] of Object.entries(user['as-user-extra'] ?? {})) {
    headers[`impersonate-extra-${encodeURIComponent(name.toLowerCase())}`] = [...values]
  }
  return headers
}
