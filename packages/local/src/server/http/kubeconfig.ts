/** What a kubeconfig says. */
export interface KubeconfigContent {
  /** Of the cluster, the user and the context. */
  readonly name: string
  readonly url: string
  /** PEM. */
  readonly caCert: string
  readonly token: string
}

/**
 * A kubeconfig document of one context. It holds the token: write it where only the user can read it. In JSON, which
 * every reader of YAML reads too, so that a command that uses it need not load a YAML parser.
 */
export function kubeconfigText({ name, url, caCert, token }: KubeconfigContent): string {
  const document = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': name,
    clusters: [
      { name, cluster: { server: url, 'certificate-authority-data': Buffer.from(caCert).toString('base64') } },
    ],
    users: [{ name, user: { token } }],
    contexts: [{ name, context: { cluster: name, user: name, namespace: 'default' } }],
  }
  return `${JSON.stringify(document, null, 2)}\n`
}
