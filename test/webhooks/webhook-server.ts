import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { loopbackCertificate } from '../control-plane/loopback-certificate.ts'

/** What a server asks: the `request` of an AdmissionReview. */
export interface AdmissionQuestion {
  readonly uid: string
  readonly name?: string
  readonly operation: string
  readonly object: Record<string, unknown> | null
  readonly oldObject: Record<string, unknown> | null
  readonly [field: string]: unknown
}

/** What a webhook says: the `response`, without `uid`, or an HTTP answer of another kind. */
export type WebhookAnswer =
  | { readonly response: object; readonly apiVersion?: string; readonly uid?: string }
  | { readonly status: number; readonly text: string }
  | 'never'

/** Webhooks by their paths, over TLS on loopback. */
export interface WebhookServer {
  readonly url: string
  /** Base64 of PEM, as configurations have it. */
  readonly caBundle: string
  /** Every question since the last call, in order. */
  taken(): { readonly path: string; readonly review: { readonly request: AdmissionQuestion } }[]
  close(): Promise<void>
}

export async function serveWebhooks(
  answers: Readonly<Record<string, (question: AdmissionQuestion) => WebhookAnswer>>,
): Promise<WebhookServer> {
  const { cert, key } = await loopbackCertificate('webhooks')
  let asked: { path: string; review: { request: AdmissionQuestion } }[] = []
  const server = createServer({ cert, key }, async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
    const review = JSON.parse(Buffer.concat(chunks).toString()) as { request: AdmissionQuestion }
    const path = request.url ?? ''
    asked.push({ path, review })
    const answer = answers[path.split('?', 1)[0] ?? '']?.(review.request) ?? { status: 404, text: 'no such webhook' }
    if (answer === 'never') return
    if ('status' in answer) {
      response.writeHead(answer.status, { 'content-type': 'text/plain' }).end(answer.text)
      return
    }
    const { apiVersion = 'admission.k8s.io/v1', uid = review.request.uid } = answer
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ apiVersion, kind: 'AdmissionReview', response: { uid, ...answer.response } }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `https://127.0.0.1:${port}`,
    caBundle: Buffer.from(cert).toString('base64'),
    taken() {
      const taken = asked
      asked = []
      return taken
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
