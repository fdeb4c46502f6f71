import { readFile } from 'node:fs/promises'
import type { KubeObject } from '@trainjob/kube'
import { parseAllDocuments } from 'yaml'

interface WebhookConfiguration extends KubeObject {
  webhooks: {
    name: string
    clientConfig: { service?: { path: string }; url?: string; caBundle?: string }
    objectSelector?: object
  }[]
}

/**
 * JobSet's webhook configurations as they are installed in a cluster, but called on a port of this machine instead of
 * through a Service.
 *
 * @param ca PEM of the authority to trust
 */
export async function jobSetWebhooks(file: string, port: number, ca: string): Promise<KubeObject[]> {
  const caBundle = Buffer.from(ca).toString('base64')
  const documents = parseAllDocuments(await readFile(file, 'utf8'))
  return documents.map((document): KubeObject => {
    const configuration = document.toJS() as WebhookConfiguration
    const webhooks = configuration.webhooks.map((webhook) => {
      const url = `https://127.0.0.1:${port}${webhook.clientConfig.service?.path}`
      // JobSet's kustomization limits those of pods to its own
      const objectSelector = webhook.name.includes('pod.') && {
        matchExpressions: [{ key: 'jobset.sigs.k8s.io/jobset-name', operator: 'Exists' }],
      }
      return { ...webhook, clientConfig: { url, caBundle }, ...(objectSelector && { objectSelector }) }
    })
    const metadata = { ...configuration.metadata, name: `jobset-${configuration.metadata.name}` }
    return { ...configuration, metadata, webhooks } as KubeObject
  })
}
