import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { KubeObject } from '@trainjob/kube'
import { generate } from 'selfsigned'
import type { Webhook, WebhookConfiguration } from '../configuration.ts'

/** The `request` of an AdmissionReview. */
export interface Question {
  readonly uid: string
  readonly operation: string
  readonly subResource?: string
  readonly kind: { readonly kind: string; readonly version: string }
  readonly requestKind: { readonly version: string }
  readonly object: Record<string, unknown> | null
  readonly oldObject: Record<string, unknown> | null
}

/** A webhook over TLS on loopback that remembers what it was asked. */
export interface TestWebhook {
  readonly port: number
  readonly caBundle: string
  readonly asked: Question[]
  close(): Promise<void>
}

/** It is known as 127.0.0.1 and as the service `hook` of `default`. `answer` says the `response` of a review, without its uid. */
export async function serveWebhook(answer: (question: Question) => object): Promise<TestWebhook> {
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'webhook' }], {
    keyType: 'ec',
    curve: 'P-256',
    algorithm: 'sha256',
    extensions: [
      {
        name: 'subjectAltName',
        altNames: [
          { type: 7, ip: '127.0.0.1' },
          { type: 2, value: 'hook.default.svc' },
        ],
      },
    ],
  })
  const asked: Question[] = []
  const server = createServer({ cert, key }, async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
    const { request: question } = JSON.parse(Buffer.concat(chunks).toString()) as { request: Question }
    asked.push(question)
    const review = { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview' }
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ ...review, response: { uid: question.uid, ...answer(question) } }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    caBundle: Buffer.from(cert).toString('base64'),
    asked,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** A response that patches. */
export function patching(...operations: object[]): object {
  return {
    allowed: true,
    patchType: 'JSONPatch',
    patch: Buffer.from(JSON.stringify(operations)).toString('base64'),
  }
}

/** A configuration of one webhook that is asked about everything. */
export function configuration(
  kind: 'Mutating' | 'Validating',
  { port, caBundle }: Pick<TestWebhook, 'port' | 'caBundle'>,
  more: Partial<Webhook> = {},
): KubeObject {
  const made: WebhookConfiguration = {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: `${kind}WebhookConfiguration`,
    metadata: { name: kind.toLowerCase() },
    webhooks: [
      {
        name: `${kind.toLowerCase()}.example.com`,
        clientConfig: { url: `https://127.0.0.1:${port}/`, caBundle },
        rules: [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'] }],
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
        ...more,
      },
    ],
  }
  return made
}
