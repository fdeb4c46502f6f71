/** Whoever sends a request. */
export interface Caller {
  readonly username: string
  readonly groups: readonly string[]
  readonly uid?: string
  /** The account whose token was shown: its token is worth nothing once the account is gone. */
  readonly serviceAccount?: Pick<TokenClaims, 'namespace' | 'name' | 'uid' | 'pod'>
  /** Where tokens of service accounts are made and read. */
  readonly tokens?: TokenAuthority
}

/** Whom a token is for that names nobody else. */
export const API_AUDIENCE = 'https://kubernetes.default.svc.cluster.local'

/** What a token says. */
export interface TokenClaims {
  readonly namespace: string
  readonly name: string
  readonly uid: string
  /** The pod that it was made for: it is worth nothing once the pod is gone. */
  readonly pod?: { readonly name: string; readonly uid: string } | undefined
  readonly audiences: readonly string[]
  /** Epoch in seconds. */
  readonly issuedAt: number
  readonly expiresAt: number
}

/** Makes and reads tokens of service accounts. */
export interface TokenAuthority {
  sign(claims: TokenClaims): string
  /** What a token of this authority says; `undefined` for all others and for one that has expired. */
  verify(token: string, now: number): TokenClaims | undefined
}

/** Whoever shows the cluster's own token, and everyone in this process. */
export const ADMIN: Caller = { username: 'trainjob-admin', groups: ['system:masters', 'system:authenticated'] }

/** The caller behind a token of a service account. */
export function serviceAccountCaller({ namespace, name, uid, pod }: TokenClaims, tokens: TokenAuthority): Caller {
  return {
    username: `system:serviceaccount:${namespace}:${name}`,
    uid,
    groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'],
    serviceAccount: { namespace, name, uid, pod },
    tokens,
  }
}
