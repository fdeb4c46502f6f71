import type { Agent, RequestOptions } from 'node:https'
import type { Duplex } from 'node:stream'
import type { Webhook } from './configuration.ts'

/** A call that brought no answer. The message is what a Go client would say. */
export class CallFault extends Error {}

/** Where a service's webhook listens. Throws `CallFault`. */
export type ServiceDialer = (
  service: { readonly namespace: string; readonly name: string; readonly port: number },
  signal: AbortSignal,
) => Promise<Duplex>

/** Answers are small; what is larger is none. */
const LIMIT_BYTES = 16 * 1024 * 1024

/**
 * Sends a review to a webhook and reads the JSON that it answers. Connections are kept for the next call. Throws
 * `CallFault`.
 */
export async function callWebhook(
  { clientConfig, timeoutSeconds = 10 }: Webhook,
  review: object,
  agents: Map<string, Agent>,
  dial: ServiceDialer,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  const https = await import('node:https')
  const { service, caBundle = '' } = clientConfig
  const base = service === undefined ? new URL(clientConfig.url ?? '') : serviceUrl(service)
  const url = `${base.href}${base.href.includes('?') ? '&' : '?'}timeout=${timeoutSeconds}s`
  const agentKey = `${base.host} ${caBundle}`
  let agent = agents.get(agentKey)
  if (agent === undefined) {
    agent = new https.Agent({ keepAlive: true, ...(caBundle !== '' && { ca: Buffer.from(caBundle, 'base64') }) })
    agents.set(agentKey, agent)
  }
  const deadline = AbortSignal.timeout(timeoutSeconds * 1000)
  const ends = signal === undefined ? deadline : AbortSignal.any([deadline, signal])
  try {
    const connection = service === undefined ? undefined : await dial({ ...service, port: service.port ?? 443 }, ends)
    const options: RequestOptions = {
      method: 'POST',
      // a connection that is made here is used once
      ...(connection === undefined && { agent }),
      ...(connection !== undefined && {
        createConnection: await tlsOver(connection, base.hostname, caBundle),
      }),
      headers: {
        accept: 'application/json',
        'content-type': 'application/json',
        'user-agent': 'kube-apiserver-admission',
      },
      signal: ends,
    }
    return await post(https.request, url, options, JSON.stringify(review))
  } catch (error) {
    if (deadline.aborted) throw new CallFault(`Post "${url}": context deadline exceeded`, { cause: error })
    if (error instanceof CallFault) throw error
    throw new CallFault(`Post "${url}": ${goMessage(error as NodeJS.ErrnoException, base)}`, { cause: error })
  }
}

function serviceUrl({ namespace, name, path = '', port = 443 }: NonNullable<Webhook['clientConfig']['service']>): URL {
  return new URL(path, `https://${name}.${namespace}.svc:${port}`)
}

/** A service is known by the name in its certificate, wherever its pods are. */
async function tlsOver(
  socket: Duplex,
  servername: string,
  caBundle: string,
): Promise<NonNullable<RequestOptions['createConnection']>> {
  const { connect } = await import('node:tls')
  return () => connect({ socket, servername, ...(caBundle !== '' && { ca: Buffer.from(caBundle, 'base64') }) })
}

type Request = typeof import('node:https').request

function post(request: Request, url: string, options: RequestOptions, body: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const call = request(url, {
      ...options,
      headers: { ...options.headers, 'content-length': Buffer.byteLength(body) },
    })
    call.once('error', reject)
    call.once('response', (response) => {
      const chunks: Buffer[] = []
      let size = 0
      response.on('data', (chunk: Buffer) => {
        size += chunk.length
        if (size > LIMIT_BYTES) response.destroy(new CallFault('the answer is too large'))
        else chunks.push(chunk)
      })
      response.once('error', reject)
      response.once('end', () => {
        try {
          resolve(read(response.statusCode ?? 0, Buffer.concat(chunks).toString()))
        } catch (error) {
          reject(error)
        }
      })
    })
    call.end(body)
  })
}

function read(status: number, text: string): unknown {
  if (status < 200 || status > 299) throw new CallFault(statusMessage(status, text))
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new CallFault(`couldn't get version/kind; json parse error: ${(cause as Error).message}`, { cause })
  }
}

/** What a Kubernetes client makes of an HTTP status that comes without a `Status`. */
function statusMessage(status: number, text: string): string {
  if (status === 404) return 'the server could not find the requested resource'
  if (status >= 500) return `an error on the server (${JSON.stringify(text)}) has prevented the request from succeeding`
  if (status === 401) return 'the server has asked for the client to provide credentials'
  if (status === 403) return text
  return 'the server rejected our request for an unknown reason'
}

function goMessage({ code = '', message }: NodeJS.ErrnoException, { hostname, port }: URL): string {
  const address = `${hostname}:${port === '' ? 443 : port}`
  if (code === 'ECONNREFUSED') return `dial tcp ${address}: connect: connection refused`
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `dial tcp: lookup ${hostname}: no such host`
  if (code === 'ECONNRESET') return 'EOF'
  if (UNKNOWN_AUTHORITY.has(code)) {
    return 'tls: failed to verify certificate: x509: certificate signed by unknown authority'
  }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return `tls: failed to verify certificate: x509: certificate is not valid for ${hostname}: ${message}`
  }
  return message
}

const UNKNOWN_AUTHORITY: ReadonlySet<string> = new Set([
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
])
