/** How to reach an API server. Certificates and keys are PEM text. */
export interface ClusterConfig {
  /** `https://host:port`, with or without a path below which the API is served. */
  readonly server: string
  /** Authorities to trust instead of the system's. */
  readonly ca?: string
  /** The name that the server's certificate is for, where it differs from the address. */
  readonly tlsServerName?: string
  /** Accepts any certificate. */
  readonly insecureSkipTlsVerify?: boolean
  /** Client certificate. */
  readonly cert?: string
  readonly key?: string
  /** Bearer token. */
  readonly token?: string
  /** Asked before each request; what it answers wins over `cert`, `key` and `token`. */
  readonly credentials?: Credentials
  /** `http://`, `https://` or `socks5://` proxy in front of the server. */
  readonly proxyUrl?: string
  /** Where namespaced objects go when nothing else is said; `default` when left out. The transport does not use it. */
  readonly namespace?: string
  /** `kube` by default. Servers name the field manager after its first word where a write names none. */
  readonly userAgent?: string
}

/** What one request proves itself with. */
export interface Credential {
  readonly headers?: Readonly<Record<string, string | readonly string[]>>
  readonly cert?: string
  readonly key?: string
}

/** A source of credentials that change with time. Rejects with `KubeError` (`config`) when none can be had. */
export interface Credentials {
  /** Answers from a cache whenever it can. */
  get(signal?: AbortSignal): Promise<Credential>
  /** The server refused the last ones: the next `get` looks again. False when it could only answer the same. */
  refresh(): boolean
}
