/** A kubeconfig file, as far as it is used. Field names are those of the file; paths are absolute once parsed. */
export interface Kubeconfig {
  readonly clusters: readonly NamedCluster[]
  readonly contexts: readonly NamedContext[]
  readonly users: readonly NamedUser[]
  readonly 'current-context'?: string
}

/** How a cluster is reached. */
export interface NamedCluster {
  readonly name: string
  readonly cluster: {
    readonly server?: string
    readonly 'certificate-authority'?: string
    /** Base64. */
    readonly 'certificate-authority-data'?: string
    readonly 'insecure-skip-tls-verify'?: boolean
    readonly 'tls-server-name'?: string
    readonly 'proxy-url'?: string
  }
}

/** A cluster, a user and a namespace under one name. */
export interface NamedContext {
  readonly name: string
  readonly context: { readonly cluster?: string; readonly user?: string; readonly namespace?: string }
}

/** How a user proves itself. */
export interface NamedUser {
  readonly name: string
  readonly user: KubeconfigUser
}

/** Ways to prove oneself. The first of token file, token, password and program counts; certificates come on top. */
export interface KubeconfigUser {
  readonly token?: string
  readonly tokenFile?: string
  readonly username?: string
  readonly password?: string
  readonly 'client-certificate'?: string
  readonly 'client-certificate-data'?: string
  readonly 'client-key'?: string
  readonly 'client-key-data'?: string
  readonly exec?: ExecConfig
  readonly 'auth-provider'?: { readonly name: string; readonly config?: Readonly<Record<string, unknown>> }
  readonly as?: string
  readonly 'as-uid'?: string
  readonly 'as-groups'?: readonly string[]
  readonly 'as-user-extra'?: Readonly<Record<string, readonly string[]>>
}

/** A program that prints an `ExecCredential`. */
export interface ExecConfig {
  readonly apiVersion?: string
  readonly command?: string
  readonly args?: readonly string[]
  readonly env?: readonly { readonly name: string; readonly value: string }[] | null
  readonly installHint?: string
  readonly provideClusterInfo?: boolean
}
