import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { AdmissionHook } from '../admission/hook.ts'
import { ControllerError } from '../controller-error.ts'
import { type AdmissionPhase, type AdmissionReview, answerReview } from './admission-review.ts'
import { webhookPath } from './webhook-path.ts'

/** Which hooks are served, and where. */
export interface WebhookServerOptions {
  readonly hooks: readonly AdmissionHook[]
  /** PEM of a certificate for the name that the API server calls, and of its key. */
  readonly tls: { readonly cert: string; readonly key: string }
  /** Default: every address of this machine. */
  readonly host?: string
  /** Default 9443, as upstream; 0 for a free one. */
  readonly port?: number
}

/** Webhooks that answer. */
export interface WebhookServer {
  readonly port: number
  /** Resolves when what is being answered has been answered. */
  close(): Promise<void>
}

/** Two objects of the largest size that a server stores, and their envelope. */
const MAX_BODY_BYTES = 8 * 1024 * 1024

/**
 * Serves hooks to a Kubernetes API server: AdmissionReview of `admission.k8s.io/v1` over HTTPS, at the paths of
 * `webhookConfigurations`. Rejects with `ControllerError` `listen-failed`.
 *
 * @example
 * import { generate } from 'selfsigned'
 *
 * const made = await generate([{ name: 'commonName', value: 'localhost' }])
 * const tls = { cert: made.cert, key: made.private }
 * const webhooks = await serveWebhooks({ hooks: runtimeAdmission(), tls, host: '127.0.0.1', port: 0 })
 * webhookConfigurations(runtimeAdmission(), { server: `https://127.0.0.1:${webhooks.port}`, ca: tls.cert }).length // => 2
 * await webhooks.close()
 */
export async function serveWebhooks(options: WebhookServerOptions): Promise<WebhookServer> {
  const { hooks, tls, host, port = 9443 } = options
  const routes = new Map<string, { hook: AdmissionHook; phase: AdmissionPhase }>()
  for (const hook of hooks) {
    for (const phase of ['mutate', 'validate'] as const) {
      if (hook[phase] !== undefined) routes.set(webhookPath(phase, hook.resource), { hook, phase })
    }
  }
  // with it a client is loaded that nobody needs who only runs the controller
  const { createServer } = await import('node:https')
  const server = createServer(tls, (request, response) => {
    const route = routes.get(new URL(request.url ?? '/', 'https://webhook').pathname)
    void serve(route, request, response)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) => {
      const at = `${host ?? '*'}:${port}`
      reject(new ControllerError('listen-failed', `Cannot serve webhooks on ${at}: ${cause.message}`, { cause }))
    })
    server.listen(port, host, resolve)
  })
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeIdleConnections()
      }),
  }
}

async function serve(
  route: { hook: AdmissionHook; phase: AdmissionPhase } | undefined,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const end = (code: number, body: object): void => {
    response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }
  try {
    if (route === undefined) return end(404, { message: `there is no webhook at ${request.url}` })
    if (request.method !== 'POST') return end(405, { message: `expected POST, found ${request.method}` })
    const text = await readBody(request)
    if (text === undefined) {
      response.setHeader('connection', 'close')
      return end(413, { message: `expected at most ${MAX_BODY_BYTES} bytes` })
    }
    const review = reviewIn(text)
    if (review === undefined) return end(400, { message: 'expected an AdmissionReview of admission.k8s.io/v1' })
    end(200, await answerReview(route.hook, route.phase, review))
  } catch {
    // the connection broke, and with it whoever asked
    response.destroy()
  }
}

async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > MAX_BODY_BYTES) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

function reviewIn(text: string): AdmissionReview | undefined {
  try {
    const review = JSON.parse(text) as Partial<AdmissionReview> | null
    const isReview =
      review?.apiVersion === 'admission.k8s.io/v1' &&
      review.kind === 'AdmissionReview' &&
      typeof review.request?.uid === 'string'
    return isReview ? (review as AdmissionReview) : undefined
  } catch {
    return undefined
  }
}
