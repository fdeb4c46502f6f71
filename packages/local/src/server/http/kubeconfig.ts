/** What a kubeconfig says. */
export interface KubeconfigContent {
  /** Of the cluster, the user and the context. */
  readonly name: string
  readonly url: string
  /** PEM. */
  readonly caCert: string
  readonly token: string
}

/** A kubeconfig document of one context. It holds the token: write it where only the user can read it. */
export function kubeconfigText({ name, url, caCert, token }: KubeconfigContent): string {
  const quoted = JSON.stringify(name)
  return `apiVersion: v1
kind: Config
current-context: ${quoted}
clusters:
  - name: ${quoted}
    cluster:
      server: ${url}
      certificate-authority-data: ${Buffer.from(caCert).toString('base64')}
users:
  - name: ${quoted}
    user:
      token: ${token}
contexts:
  - name: ${quoted}
    context:
      cluster: ${quoted}
      user: ${quoted}
      namespace: default
`
}
