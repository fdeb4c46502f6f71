import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, request } from 'node:https'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startCluster } from '@trainjob/local'
import type { BuiltControlPlane } from '../control-plane/build.ts'
import { startControlPlane } from '../control-plane/start.ts'

/** One request, byte for byte as a client would send it. */
export interface WireRequest {
  readonly method?: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  /** An object is sent as JSON. */
  readonly body?: object | string | Buffer
}

/** What came back. */
export interface WireAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly bytes: Buffer
  readonly text: string
  /** The body as JSON; the text when it is none. */
  readonly body: unknown
}

/** An API server behind TLS and a token. */
export interface WireServer {
  readonly name: 'embedded' | 'real'
  /** File. */
  readonly kubeconfig?: string
  ask(asked: WireRequest): Promise<WireAnswer>
  close(): Promise<void>
}

/** An embedded cluster without a node. */
export async function embeddedServer(): Promise<WireServer> {
  const dir = await mkdtemp(path.join(tmpdir(), 'tj-'))
  const cluster = await startCluster({ dir: path.join(dir, 'cluster'), nodeAgent: false })
  const { url, caCert, token } = await cluster.listen()
  const { ask, end } = client(url, caCert, token)
  return {
    name: 'embedded',
    ask,
    async close() {
      end()
      await cluster.stop()
      await rm(dir, { recursive: true, force: true })
    },
  }
}

/** A real control plane. */
export async function realServer(built: BuiltControlPlane): Promise<WireServer> {
  const plane = await startControlPlane(built)
  const { ask, end } = client(plane.url, plane.ca, plane.token)
  return {
    name: 'real',
    ask,
    kubeconfig: plane.kubeconfig,
    async close() {
      end()
      await plane.stop()
    },
  }
}

function client(url: string, ca: string, token: string): { ask: WireServer['ask']; end(): void } {
  const agent = new Agent({ keepAlive: true, ca })
  return { ask: (asked) => send(`${url}${asked.path}`, agent, token, asked), end: () => agent.destroy() }
}

function send(url: string, agent: Agent, token: string, asked: WireRequest): Promise<WireAnswer> {
  const { method = 'GET', headers = {}, body } = asked
  const payload = typeof body === 'object' && !Buffer.isBuffer(body) ? JSON.stringify(body) : body
  return new Promise((resolve, reject) => {
    const call = request(url, {
      method,
      agent,
      headers: {
        authorization: `Bearer ${token}`,
        accept: 'application/json',
        'user-agent': 'wire/1.0',
        ...(payload !== undefined && {
          'content-type': 'application/json',
          'content-length': String(Buffer.byteLength(payload)),
        }),
        ...headers,
      },
    })
    call.once('error', reject)
    call.once('response', (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.once('error', reject)
      response.once('end', () => {
        const bytes = Buffer.concat(chunks)
        const text = bytes.toString()
        resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes, text, body: parsed(text) })
      })
    })
    call.end(payload)
  })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
